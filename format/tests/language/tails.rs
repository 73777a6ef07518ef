//! Rows of variable size: their length stands in another row, or they take the rest.

use ondisk::{EncodeError, Fault, format};

use crate::hold::{Case, overrun, short};

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Bytes<'a> {
    #[format(len(data))]
    len: u16,
    pub data: &'a [u8],
    pub behind: u8,
}

#[test]
fn bytes_behind_their_length() {
    let case = Case::of::<Bytes<'_>>(0, "0003 616263 ff");
    assert_eq!(case.needs(), [3, 6]);
    assert_eq!(case.cut(2), ("", 0, short(3, 2)));
    assert_eq!(case.cut(4), ("data", 2, short(6, 4)));
    assert_eq!(case.cut(5), ("behind", 5, short(6, 5)));
    assert_eq!(case.with(0, "ffff"), ("data", 2, short(0x10002, 6)));
    Case::of::<Bytes<'_>>(0, "0000 ff");
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Owned {
    #[format(le, len(name), max = 4)]
    name_len: u32,
    #[format(len(data), min = 1)]
    data_len: i8,
    pub name: String,
    pub data: Vec<u8>,
}

#[test]
fn owned_bytes_and_text_with_limits() {
    let case = Case::of::<Owned>(0, "02000000 01 c3a9 ff");
    assert_eq!(case.needs(), [5, 8]);
    assert_eq!(
        case.with(0, "05000000"),
        ("name_len", 0, Fault::TooLarge { found: 5, limit: 4 })
    );
    assert_eq!(
        case.with(4, "00"),
        ("data_len", 4, Fault::TooSmall { found: 0, limit: 1 })
    );
    assert_eq!(
        case.with(4, "ff"),
        (
            "data_len",
            4,
            Fault::TooSmall {
                found: -1,
                limit: 1
            }
        )
    );
    assert_eq!(
        case.with(6, "28"),
        ("name", 5, Fault::Utf8 { valid_up_to: 0 })
    );
}

fn refused(name: &str, data: &[u8]) -> (&'static str, Fault) {
    let value = Owned {
        name: name.into(),
        data: data.into(),
    };
    let mut out = vec![9];
    let error: EncodeError = value.encode(&mut out).unwrap_err();
    assert_eq!(out, [9], "an error leaves the buffer as it was");
    (error.row(), error.fault())
}

#[test]
fn a_writer_refuses_what_a_reader_would() {
    assert_eq!(
        refused("abcde", b"x"),
        ("name_len", Fault::TooLarge { found: 5, limit: 4 })
    );
    assert_eq!(
        refused("abcd", b""),
        ("data_len", Fault::TooSmall { found: 0, limit: 1 })
    );
    assert_eq!(
        refused("abcd", &[0; 128]),
        (
            "data_len",
            Fault::TooLarge {
                found: 128,
                limit: 127
            }
        )
    );
}

/// A negative length is refused where nothing says null.
#[format(le)]
#[derive(Clone, Debug, PartialEq)]
pub struct Signed<'a> {
    #[format(len(text))]
    len: i16,
    pub text: &'a str,
}

#[test]
fn a_signed_length() {
    let case = Case::of::<Signed<'_>>(0, "0200 6162");
    assert_eq!(
        case.with(0, "ffff"),
        (
            "len",
            0,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Rest<'a> {
    pub a: u16,
    pub rest: &'a [u8],
}

#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct RestText {
    pub rest: String,
}

#[test]
fn the_rest() {
    let bytes = [0, 1, 2, 3, 4];
    assert_eq!(Rest::view(&bytes).unwrap().rest(), [2, 3, 4]);
    assert!(Rest::view(&bytes[..2]).unwrap().rest().is_empty());
    assert_eq!(Rest::view(&bytes[..1]).unwrap_err().fault(), short(2, 1));
    let case = Case::of::<RestText>(0, "616263");
    assert_eq!(
        case.with(2, "ff"),
        ("rest", 0, Fault::Utf8 { valid_up_to: 2 })
    );
    assert_eq!(RestText::view(b"").unwrap().rest(), "");
}

/// The length stands behind what it measures.
#[format(le, whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct Foot<'a> {
    pub a: u8,
    pub data: &'a [u8],
    #[format(len(data))]
    len: u32,
    #[format(magic = b"END")]
    end: [u8; 3],
}

#[test]
fn a_length_in_the_foot() {
    let case = Case::of::<Foot<'_>>(0, "01 aabbcc 03000000 454e44");
    assert_eq!(case.cut(7), ("", 0, short(8, 7)));
    assert_eq!(
        case.with(4, "02000000"),
        (
            "",
            10,
            Fault::Length {
                expected: 10,
                found: 11
            }
        )
    );
    assert_eq!(case.with(4, "04000000"), ("data", 1, short(12, 11)));
    assert_eq!(case.with(4, "ffffffff").2, short(0x1_0000_0007, 11));
}

/// Rows behind one that takes the rest are found from the end.
#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct FromTheEnd<'a> {
    pub a: u8,
    pub rest: &'a [u8],
    pub text: &'a str,
    #[format(len(text))]
    text_len: u8,
    pub tail: Vec<u8>,
    #[format(len(tail))]
    tail_len: u8,
}

#[test]
fn rows_measured_from_the_end() {
    let case = Case::of::<FromTheEnd<'_>>(0, "01 aabb 7879 02 ff 01");
    let bytes = crate::hold::hex("01 aabb 7879 02 ff 01");
    let view = FromTheEnd::view(&bytes).unwrap();
    assert_eq!(
        (view.rest(), view.text(), view.tail()),
        (&[0xaa, 0xbb][..], "xy", &[0xff][..])
    );
    assert_eq!(view.text_bytes(), b"xy");
    Case::of::<FromTheEnd<'_>>(0, "01 00 00");
    assert_eq!(case.cut(2), ("", 0, short(3, 2)));
    assert_eq!(case.with(7, "07"), ("tail_len", 7, overrun(7, 6)));
    assert_eq!(case.with(7, "06"), ("text_len", 1, overrun(1, 0)));
    assert_eq!(case.with(5, "05"), ("text_len", 5, overrun(5, 4)));
    assert_eq!(
        case.with(4, "ff"),
        ("text", 3, Fault::Utf8 { valid_up_to: 1 })
    );
}
