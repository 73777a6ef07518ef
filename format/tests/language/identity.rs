//! Rows that have one value: magics, what must be, what is reserved.

use ondisk::{Bytes8, Fault, format};

use crate::hold::{Case, short};

#[format(le)]
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    #[format(magic = b"MARK")]
    magic: [u8; 4],
    #[format(must_be = Self::FLAGS)]
    flags: u16,
    #[format(magic = 2)]
    second: i8,
    #[format(must_be = -1)]
    minus: i32,
    #[format(reserved)]
    reserved: u16,
    #[format(reserved)]
    zeros: [u8; 3],
    #[format(reserved = keep)]
    pub kept: [u8; 2],
    #[format(reserved = keep)]
    pub kept_number: u16,
}

impl Marked {
    const FLAGS: u16 = 0x0102;
}

#[test]
fn identity_in_row_order() {
    let case = Case::of::<Marked>(0, "4d41524b 0201 02 ffffffff 0000 000000 abcd 0100");
    assert_eq!(case.needs(), [20]);
    assert_eq!(case.cut(3), ("", 0, short(20, 3)));
    let fault = Fault::Magic {
        expected: Bytes8::of(b"MARK"),
        found: Bytes8::of(b"MERK"),
    };
    assert_eq!(case.with(1, "45"), ("magic", 0, fault));
    assert_eq!(
        case.with(4, "0200"),
        (
            "flags",
            4,
            Fault::MustBe {
                expected: 0x102,
                found: 2
            }
        )
    );
    let fault = Fault::Magic {
        expected: Bytes8::of(&[2]),
        found: Bytes8::of(&[0xff]),
    };
    assert_eq!(case.with(6, "ff"), ("second", 6, fault));
    assert_eq!(case.with(7, "00000080").0, "minus");
    case.reads(
        "4d41524b 0201 02 ffffffff 1111 222222 ffff ff7f",
        "4d41524b 0201 02 ffffffff 0000 000000 ffff ff7f",
    );
}
