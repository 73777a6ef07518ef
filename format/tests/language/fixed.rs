//! Kinds of fixed size.

use ondisk::{Fault, Format, format};

use crate::hold::{Case, overrun, short};

#[derive(Format, Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub tag: u8,
    #[format(le)]
    pub x: u32,
    pub y: i16,
    pub z: i64,
    pub name: [u8; 3],
}

#[test]
fn rows_stand_one_behind_another_at_any_alignment() {
    let case = Case::of::<Point>(0, "07 04030201 fffe 8000000000000000 616263");
    assert_eq!(case.needs(), [18]);
    assert_eq!((Point::MIN, Point::SIZE), (18, Some(18)));
    let bytes = crate::hold::hex("07 04030201 fffe 8000000000000000 616263 00");
    let (view, rest) = Point::view_prefix(&bytes).unwrap();
    let value = Point {
        tag: 7,
        x: 0x0102_0304,
        y: -2,
        z: i64::MIN,
        name: *b"abc",
    };
    assert_eq!((view.to_value(), rest), (value, &[0][..]));
    assert_eq!(value.encoded_len(), 18);
    let trailing = Point::view(&bytes).unwrap_err();
    assert_eq!((trailing.row(), trailing.at()), ("", 18));
    assert_eq!(trailing.fault(), Fault::Trailing { left: 1 });
}

#[test]
fn instances_one_behind_another() {
    let mut bytes = Vec::new();
    let point = Point {
        tag: 1,
        x: 2,
        y: 3,
        z: 4,
        name: *b"xyz",
    };
    for _ in 0..3 {
        point.encode(&mut bytes).unwrap();
    }
    assert_eq!(Point::stream(&bytes).filter_map(Result::ok).count(), 3);
    let mut stream = Point::stream(&bytes[..40]);
    assert!(stream.by_ref().take(2).all(|point| point.is_ok()));
    let error = stream.next().unwrap().unwrap_err();
    assert_eq!((error.at(), error.fault()), (36, short(18, 4)));
    assert!(stream.next().is_none());
}

#[format(le, whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    pub a: u16,
    pub b: u64,
}

#[test]
fn a_whole_fixed_kind_has_one_length() {
    let case = Case::of::<Exact>(0, "0201 0807060504030201");
    assert_eq!(case.cut(9), ("", 0, short(10, 9)));
    assert_eq!(
        case.and("ff"),
        (
            "",
            10,
            Fault::Length {
                expected: 10,
                found: 11
            }
        )
    );
}

#[format(whole, trailing = ignore)]
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    pub a: u16,
}

#[test]
fn bytes_behind_a_whole_fixed_kind_may_be_ignored() {
    let case = Case::of::<Front>(0, "0102");
    case.reads("0102 ffff", "0102");
    assert_eq!(case.cut(1), ("", 0, short(2, 1)));
}

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u16)]
pub enum Color {
    Red = 1,
    Blue = 0x0203,
}

#[derive(Format, Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    pub at: Point,
    pub color: Color,
}

#[test]
fn fixed_kinds_and_enums_in_place() {
    let case = Case::of::<Pixel>(0, "07 04030201 fffe 8000000000000000 616263 0203");
    assert_eq!(Pixel::SIZE, Some(20));
    assert_eq!(
        case.with(18, "0204"),
        ("color", 18, Fault::Unknown { found: 0x204 })
    );
}

/// A length of rows that have a fixed size can only be one number.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Framed {
    pub id: u8,
    #[format(len(a..))]
    len: u16,
    pub a: u32,
    pub b: u8,
}

#[test]
fn a_length_of_fixed_rows() {
    let case = Case::of::<Framed>(0, "09 0005 00000001 02");
    assert_eq!(Framed::SIZE, Some(8));
    assert_eq!(case.with(1, "0004"), ("len", 1, overrun(5, 4)));
    assert_eq!(
        case.with(1, "0007"),
        ("len", 8, Fault::Trailing { left: 2 })
    );
    assert_eq!(
        case.with(1, "ffff"),
        ("len", 8, Fault::Trailing { left: 0xfffa })
    );
}
