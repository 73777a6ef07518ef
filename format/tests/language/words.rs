//! Words: integers whose bits are rows.

use ondisk::{Fault, Format, format};

use crate::hold::{Case, hex, short};

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(bits = 3)]
pub enum Codec {
    None = 0,
    Gzip = 1,
    Zstd = 4,
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Attributes {
    pub id: u8,
    #[format(word)]
    attributes: i16,
    #[format(bits = 0..=2)]
    pub codec: Codec,
    #[format(bits = 3)]
    pub append_time: bool,
    #[format(bits = 4..=7, must_be = 0b0101)]
    fixed: u8,
    #[format(bits = 8..=11, max = 9)]
    pub level: u8,
    #[format(bits = 12..=13, reserved)]
    unused: u8,
    #[format(bits = 14..=15, reserved = keep)]
    pub later: u8,
}

#[test]
fn every_kind_of_row_in_the_bits_of_a_signed_word() {
    let case = Case::of::<Attributes>(0, "07 c95c");
    let bytes = hex("07 c95c");
    let view = Attributes::view(&bytes).unwrap();
    assert_eq!((view.codec(), view.append_time()), (Codec::Zstd, true));
    assert_eq!((view.level(), view.later(), view.fixed()), (9, 3, 5));
    assert_eq!(view.attributes(), i16::from_be_bytes([0xc9, 0x5c]));
    assert_eq!(
        case.with(2, "5d"),
        ("codec", 1, Fault::Unknown { found: 5 })
    );
    assert_eq!(
        case.with(2, "6c"),
        (
            "fixed",
            1,
            Fault::MustBe {
                expected: 5,
                found: 6
            }
        )
    );
    assert_eq!(
        case.with(1, "ca"),
        (
            "level",
            1,
            Fault::TooLarge {
                found: 10,
                limit: 9
            }
        )
    );
    // Reserved bits are not read, and written 0.
    case.reads("07 f95c", "07 c95c");
}

#[test]
fn what_does_not_fit_its_bits_is_not_written() {
    let value = Attributes {
        id: 0,
        codec: Codec::None,
        append_time: false,
        level: 9,
        later: 4,
    };
    let error = value.encode(&mut Vec::new()).unwrap_err();
    assert_eq!(error.row(), "later");
    assert_eq!(error.fault(), Fault::TooLarge { found: 4, limit: 3 });
}

#[format(le)]
#[derive(Clone, Debug, PartialEq)]
pub struct Packed<'a> {
    #[format(word)]
    word: u64,
    #[format(bits = 0..=31)]
    pub low: u32,
    #[format(bits = 32..=62, len(data), max = 3)]
    len: u32,
    #[format(bits = 63)]
    pub more: bool,
    #[format(word)]
    second: u8,
    #[format(bits = 0..=7)]
    pub all: u8,
    #[format(when = more)]
    pub extra: Option<u8>,
    pub data: &'a [u8],
}

#[test]
fn a_length_in_bits_of_a_little_endian_word() {
    let case = Case::of::<Packed<'_>>(0, "04030201 02000080 ff aa 6162");
    assert_eq!(case.needs(), [9, 12]);
    assert_eq!(case.cut(10), ("data", 10, short(12, 10)));
    assert_eq!(
        case.with(4, "04"),
        ("len", 0, Fault::TooLarge { found: 4, limit: 3 })
    );
    let value = Packed {
        low: 0,
        more: false,
        all: 0,
        extra: None,
        data: b"abcd",
    };
    let error = value.encode(&mut Vec::new()).unwrap_err();
    assert_eq!(
        (error.row(), error.fault()),
        ("len", Fault::TooLarge { found: 4, limit: 3 })
    );
}
