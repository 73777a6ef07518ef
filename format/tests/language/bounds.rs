//! Lengths over several rows: they bound what they measure.

use ondisk::{Fault, format};

use super::entries::Name;
use crate::hold::{Case, overrun, short};

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    #[format(le, len(kind..=flags))]
    key_len: u16,
    #[format(must_be = 0)]
    kind: u8,
    #[format(len(key))]
    inner_len: u8,
    pub key: &'a [u8],
    pub flags: u16,
    pub offset: u32,
}

#[test]
fn a_length_ends_between_rows_of_fixed_size() {
    let case = Case::of::<Entry<'_>>(0, "0600 00 02 6b6b 0001 00000009");
    assert_eq!(case.needs(), [10, 12]);
    assert_eq!(case.cut(10), ("offset", 8, short(12, 10)));
    assert_eq!(case.with(0, "0500"), ("flags", 6, overrun(8, 7)));
    assert_eq!(
        case.with(0, "0700"),
        ("key_len", 8, Fault::Trailing { left: 1 })
    );
    assert_eq!(case.with(0, "0100"), ("key_len", 0, overrun(2, 1)));
    assert_eq!(case.with(0, "ff00"), ("key_len", 0, short(261, 12)));
    assert_eq!(case.with(3, "05"), ("key", 4, overrun(11, 8)));
    assert_eq!(
        case.with(3, "01"),
        ("key_len", 7, Fault::Trailing { left: 1 })
    );
}

/// A length in a length in a length.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Boxes<'a> {
    #[format(len(inner_len..=names))]
    outer_len: u16,
    #[format(len(third_len..=text))]
    inner_len: u8,
    #[format(len(text))]
    third_len: u8,
    pub text: &'a str,
    pub names: Vec<Name>,
    pub behind: u8,
}

#[test]
fn lengths_in_lengths() {
    let case = Case::of::<Boxes<'_>>(0, "0008 03 02 6162 0163 0164 ff");
    assert_eq!(case.needs(), [5, 11]);
    assert_eq!(case.with(1, "05"), ("text", 7, overrun(2, 1)));
    assert_eq!(case.with(2, "02"), ("text", 4, overrun(6, 5)));
    assert_eq!(
        case.with(2, "05"),
        ("inner_len", 6, Fault::Trailing { left: 2 })
    );
    assert_eq!(case.with(2, "09"), ("inner_len", 2, overrun(12, 10)));
    assert_eq!(case.with(3, "04"), ("text", 4, overrun(8, 6)));
    assert_eq!(case.with(0, "ffff"), ("outer_len", 0, short(65538, 11)));
}

/// Bounded from the middle of the head on to the end.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Frame<'a> {
    pub id: u32,
    #[format(len(a..), max = 100)]
    len: i32,
    pub a: u16,
    pub b: u8,
    pub body: &'a [u8],
}

#[test]
fn a_body_takes_what_its_frame_leaves() {
    let case = Case::of::<Frame<'_>>(0, "00000001 00000005 0002 03 aabb");
    assert_eq!(case.needs(), [11, 13]);
    assert_eq!(case.with(7, "02"), ("len", 4, overrun(3, 2)));
    assert_eq!(case.with(7, "06"), ("len", 4, short(14, 13)));
    assert_eq!(
        case.with(4, "ffffffff"),
        (
            "len",
            4,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert_eq!(
        case.with(4, "00000065"),
        (
            "len",
            4,
            Fault::TooLarge {
                found: 101,
                limit: 100
            }
        )
    );
    let case = Case::of::<Frame<'_>>(0, "00000001 00000003 0002 03");
    assert_eq!(case.needs(), [11]);
}

/// A checksum of the first of the bounded rows does not vouch for the length of all.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Vouched<'a> {
    #[format(len(a..))]
    len: u8,
    pub a: u16,
    #[format(crc32(a))]
    crc: u32,
    pub rest: &'a [u8],
}

#[test]
fn what_is_not_summed_yet_may_still_be_on_its_way() {
    let case = Case::of::<Vouched<'_>>(0, "08 0001 36de2269 6162");
    assert_eq!(case.needs(), [7, 9]);
    assert_eq!(case.cut(8), ("len", 0, short(9, 8)));
}

/// Two bounded parts, one behind the other, each with a row that takes what is left.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Parts<'a> {
    #[format(len(one..two_len))]
    one_len: u8,
    pub one: u8,
    pub first: &'a [u8],
    #[format(len(two..))]
    two_len: u8,
    pub two: u8,
    pub second: &'a str,
}

#[test]
fn bounded_parts_one_behind_the_other() {
    let case = Case::of::<Parts<'_>>(0, "02 01 aa 03 02 6162");
    assert_eq!(case.needs(), [4, 5, 7]);
    assert_eq!(case.with(0, "00"), ("one_len", 0, overrun(1, 0)));
    assert_eq!(case.with(3, "00"), ("two_len", 3, overrun(1, 0)));
    assert_eq!(case.with(0, "ff"), ("one_len", 0, short(258, 7)));
}
