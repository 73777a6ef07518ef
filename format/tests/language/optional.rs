//! Rows that may be absent: by a condition, a tag, or their length.

use ondisk::{Fault, Format, format};

use super::entries::{Name, Pair};
use crate::hold::{Case, hex, overrun, short};

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u8)]
pub enum Shape {
    Dot = 0,
    Line = 1,
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct ByFlag<'a> {
    #[format(word)]
    flags: u8,
    #[format(bits = 7)]
    pub has_crc: bool,
    #[format(bits = 0..=3)]
    pub level: u8,
    pub shape: Shape,
    #[format(when = has_crc)]
    pub crc: Option<u32>,
    #[format(when = shape == Shape::Line && level > 1)]
    pub pair: Option<Pair>,
    #[format(len(text))]
    text_len: u8,
    #[format(when = level == 3)]
    pub text: Option<&'a str>,
}

#[test]
fn rows_by_a_condition_over_bits_and_enums() {
    Case::of::<ByFlag<'_>>(0, "00 00 00");
    let case = Case::of::<ByFlag<'_>>(0, "83 01 11223344 0001000a 02 6162");
    assert_eq!(case.needs(), [3, 11, 13]);
    assert_eq!(case.cut(5), ("crc", 2, short(11, 5)));
    assert_eq!(case.cut(9), ("pair", 6, short(11, 9)));
    assert_eq!(case.cut(12), ("text", 11, short(13, 12)));
    let bytes = hex("83 01 11223344 0001000a 02 6162");
    let view = ByFlag::view(&bytes).unwrap();
    assert_eq!((view.crc(), view.text()), (Some(0x1122_3344), Some("ab")));
    assert_eq!(view.pair().map(|pair| pair.value()), Some(10));
}

#[test]
fn a_writer_refuses_a_row_that_a_reader_would_not_see() {
    let value = ByFlag {
        has_crc: true,
        level: 0,
        shape: Shape::Dot,
        crc: None,
        pair: None,
        text: None,
    };
    let refused = |value: &ByFlag<'_>| {
        let error = value.encode(&mut Vec::new()).unwrap_err();
        (error.row(), error.fault())
    };
    assert_eq!(refused(&value), ("crc", Fault::Presence { expected: true }));
    let value = ByFlag {
        crc: Some(1),
        text: Some("a"),
        ..value
    };
    assert_eq!(
        refused(&value),
        ("text", Fault::Presence { expected: false })
    );
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged {
    #[format(tag)]
    pub number: Option<u16>,
    #[format(tag = fixed)]
    pub fixed: Option<u16>,
    #[format(tag)]
    pub name: Option<Name>,
    #[format(count(pairs))]
    count: u8,
    #[format(tag)]
    pub pairs: Option<Vec<Pair>>,
    #[format(tag = fixed)]
    pub array: Option<[u8; 2]>,
}

#[test]
fn rows_behind_a_tag() {
    let case = Case::of::<Tagged>(0, "00 00 0000 00 00 00 00 0000");
    assert_eq!(Tagged::MIN, 10);
    assert_eq!(case.needs(), [10]);
    assert_eq!(case.with(0, "02"), ("number", 0, Fault::Tag { found: 2 }));
    // Zeros in the place of an absent row are not read.
    case.reads("00 00 ffff 00 00 00 00 ffff", "00 00 0000 00 00 00 00 0000");
    let case = Case::of::<Tagged>(0, "01 0001 01 0002 01 0161 01 01 0001000a 01 abcd");
    assert_eq!(case.needs(), [10, 14, 18]);
    assert_eq!(case.with(6, "03"), ("name", 6, Fault::Tag { found: 3 }));
    assert_eq!(case.with(9, "ff").0, "pairs");
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Nullable<'a> {
    #[format(len(key), null = -1)]
    key_len: i16,
    pub key: Option<&'a [u8]>,
    #[format(len(value), bias = 1)]
    value_len: u8,
    pub value: Option<String>,
    #[format(len(pairs), null = 0xff, max = 8)]
    pairs_len: u8,
    pub pairs: Option<Vec<Pair>>,
}

#[test]
fn rows_whose_length_says_null() {
    let case = Case::of::<Nullable<'_>>(0, "ffff 00 ff");
    assert_eq!(Nullable::MIN, 4);
    assert_eq!(case.needs(), [4]);
    // Any negative length is null where -1 is.
    case.reads("8000 00 ff", "ffff 00 ff");
    assert_eq!(
        case.with(3, "09"),
        ("pairs_len", 3, Fault::TooLarge { found: 9, limit: 8 })
    );
    Case::of::<Nullable<'_>>(0, "0000 01 00");
    let case = Case::of::<Nullable<'_>>(0, "0001 61 03 6263 04 0001000a");
    assert_eq!(case.needs(), [4, 7, 11]);
    assert_eq!(case.with(7 - 1, "05"), ("pairs", 7, short(12, 11)));
    assert_eq!(case.with(7 - 1, "03"), ("pairs", 7, overrun(11, 10)));
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct EmptyIsNull {
    #[format(len(text), null = 0)]
    len: i8,
    pub text: Option<String>,
}

#[test]
fn a_length_that_says_null_is_not_written_for_a_row_that_is_there() {
    Case::of::<EmptyIsNull>(0, "00");
    let case = Case::of::<EmptyIsNull>(0, "01 61");
    assert_eq!(
        case.with(0, "ff"),
        (
            "len",
            0,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    let value = EmptyIsNull {
        text: Some(String::new()),
    };
    let error = value.encode(&mut Vec::new()).unwrap_err();
    assert_eq!(error.row(), "len");
    assert!(matches!(error.fault(), Fault::Refused { found: 0, .. }));
}
