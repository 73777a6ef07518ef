//! Numbers of variable size.

use ondisk::{Fault, Format, format};

use crate::hold::{Case, hex, overrun, short};

#[derive(Format, Clone, Debug, PartialEq)]
pub struct Varints {
    #[format(varint)]
    pub delta: i32,
    #[format(uvarint)]
    pub count: u64,
    #[format(varint, min = -3)]
    pub small: i8,
    #[format(uvarint, max = 0x1fff)]
    pub medium: u16,
    #[format(varint)]
    pub long: i64,
}

#[test]
fn one_to_ten_bytes_a_number() {
    let case = Case::of::<Varints>(0, "00 00 00 00 00");
    assert_eq!(Varints::MIN, 5);
    assert_eq!(case.needs(), [5]);
    let case = Case::of::<Varints>(
        0,
        "ffffffff0f ffffffffffffffffff01 05 ff3f ffffffffffffffffff01",
    );
    let bytes = hex("ffffffff0f ffffffffffffffffff01 05 ff3f ffffffffffffffffff01");
    let value = Varints::view(&bytes).unwrap().to_value();
    assert_eq!((value.delta, value.count), (i32::MIN, u64::MAX));
    assert_eq!(
        (value.small, value.medium, value.long),
        (-3, 0x1fff, i64::MIN)
    );
    assert_eq!(case.cut(5), ("count", 5, short(9, 5)));
    assert_eq!(case.with(4, "1f"), ("delta", 0, Fault::Varint));
    assert_eq!(case.with(14, "02"), ("count", 5, Fault::Varint));
    assert_eq!(
        case.with(15, "07"),
        (
            "small",
            15,
            Fault::TooSmall {
                found: -4,
                limit: -3
            }
        )
    );
    assert_eq!(
        case.with(17, "40"),
        (
            "medium",
            16,
            Fault::TooLarge {
                found: 0x207f,
                limit: 0x1fff
            }
        )
    );
}

#[test]
fn more_bytes_than_needed_are_read_and_not_written() {
    let case = Case::of::<Varints>(0, "00 01 00 00 00");
    case.reads(
        "80808000 8100 8000 808000 80808080808080808000",
        "00 01 00 00 00",
    );
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Message<'a> {
    #[format(varint, len(id..))]
    len: i32,
    pub id: u8,
    #[format(uvarint, len(key), bias = 1)]
    key_len: u32,
    pub key: Option<&'a str>,
    #[format(varint, count(more))]
    count: i32,
    pub more: Vec<Varints>,
}

#[test]
fn lengths_and_counts_of_variable_size() {
    let case = Case::of::<Message<'_>>(0, "06 07 00 00");
    assert_eq!(case.needs(), [4]);
    assert_eq!(case.with(0, "08"), ("len", 0, short(5, 4)));
    assert_eq!(case.with(0, "04"), ("count", 3, overrun(4, 3)));
    assert_eq!(
        case.with(0, "01"),
        (
            "len",
            0,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert_eq!(
        case.with(3, "01"),
        (
            "count",
            3,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    // Inside a declared length, an end is damage.
    assert_eq!(case.with(3, "02"), ("more", 4, overrun(9, 4)));
    assert_eq!(case.with(2, "02"), ("count", 4, overrun(5, 4)));
    assert_eq!(case.with(2, "03"), ("key", 3, overrun(6, 4)));
    let key = "6b".repeat(70);
    let case = Case::of::<Message<'_>>(0, &format!("9c01 07 47 {key} 02 0000000000"));
    assert_eq!(case.needs(), [4, 80]);
}
