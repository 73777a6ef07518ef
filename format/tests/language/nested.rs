//! Kinds of variable size in place.

use ondisk::{Fault, Format, format};

use super::entries::Name;
use crate::hold::{Case, hex, overrun, short};

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u8)]
pub enum Op {
    Get = 1,
    Set = 2,
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Inner<'a> {
    #[format(magic = b"in")]
    magic: [u8; 2],
    pub op: Op,
    #[format(len(data))]
    len: u8,
    pub data: &'a str,
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Outer<'a> {
    pub id: u8,
    #[format(nested)]
    pub inner: Inner<'a>,
    #[format(word)]
    word: u8,
    #[format(bits = 0)]
    pub has_name: bool,
    #[format(when = has_name)]
    pub name: Option<Name>,
    #[format(crc32(..crc))]
    crc: u32,
    pub behind: u8,
}

const BYTES: &str = "01 696e 02 02 6162 01 0163 1aa13cfd 09";

#[test]
fn a_kind_in_a_kind() {
    let case = Case::of::<Outer<'_>>(0, BYTES);
    assert_eq!(Outer::MIN, 11);
    assert_eq!(case.cut(10), ("", 0, short(11, 10)));
    // What is missing of a nested kind is counted from its start.
    assert_eq!(case.with(4, "ff"), ("data", 5, short(259, 14)));
    assert_eq!(case.with(1, "6a").0, "magic");
    let bytes = hex(BYTES);
    let view = Outer::view(&bytes).unwrap();
    assert_eq!((view.inner().op(), view.inner().data()), (Op::Set, "ab"));
    assert_eq!(view.name().map(|name| name.text()), Some("c"));
    assert_eq!(view.to_value().inner.data, "ab");
}

#[test]
fn what_stands_in_it_is_judged_behind_the_checksum_around_it() {
    let case = Case::of::<Outer<'_>>(0, BYTES);
    assert_eq!(case.with(3, "03").0, "crc");
    assert_eq!(case.with(5, "ff").0, "crc");
    assert_eq!(case.with(9, "ff").0, "crc");
    assert_eq!(
        case.repaired_with(3, "03"),
        ("op", 3, Fault::Unknown { found: 3 })
    );
    assert_eq!(
        case.repaired_with(5, "ff"),
        ("data", 5, Fault::Utf8 { valid_up_to: 0 })
    );
    assert_eq!(
        case.repaired_with(9, "ff"),
        ("text", 9, Fault::Utf8 { valid_up_to: 0 })
    );
}

/// A kind that takes its whole input may stand where a length says how much that is.
#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct All<'a> {
    pub a: u8,
    pub rest: &'a [u8],
    pub z: u8,
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope<'a> {
    #[format(le, len(all))]
    len: u16,
    #[format(nested)]
    pub all: All<'a>,
    pub behind: u8,
}

#[test]
fn a_whole_kind_in_a_declared_length() {
    let case = Case::of::<Envelope<'_>>(0, "0400 01 aabb 02 ff");
    assert_eq!(case.needs(), [5, 7]);
    assert_eq!(case.with(0, "0100"), ("", 2, overrun(2, 1)));
    assert_eq!(case.with(0, "ff00"), ("len", 0, short(258, 7)));
    let bytes = hex("0400 01 aabb 02 ff");
    let all = Envelope::view(&bytes).unwrap().all();
    assert_eq!((all.a(), all.rest(), all.z()), (1, &[0xaa, 0xbb][..], 2));
}

/// A kind with one version of its own is written in that, whatever the version around it.
#[format(reads = 3..=3)]
#[derive(Clone, Debug, PartialEq)]
pub struct Third {
    #[format(version)]
    version: u8,
    pub a: u8,
}

#[format(reads = 1..=2)]
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    #[format(version)]
    version: u16,
    pub third: Third,
    #[format(count(thirds))]
    count: u8,
    pub thirds: Vec<Third>,
}

#[test]
fn a_kind_with_a_version_of_its_own() {
    let case = Case::of::<Holder>(0, "0001 0307 02 0308 0309");
    let fault = Fault::Version {
        found: 1,
        min: 3,
        max: 3,
    };
    assert_eq!(case.with(2, "01"), ("version", 2, fault));
    assert_eq!(case.with(7, "01"), ("version", 7, fault));
}

/// As deep as one likes, up to a limit that the compiler holds.
#[derive(Format, Clone, Debug, PartialEq)]
pub struct Deep {
    #[format(nested)]
    pub middle: Middle,
    pub behind: u8,
}

#[derive(Format, Clone, Debug, PartialEq)]
pub struct Middle {
    pub a: u8,
    #[format(tag)]
    pub name: Option<Name>,
}

#[test]
fn kinds_in_kinds_in_kinds() {
    use ondisk::format::Format as _;
    assert_eq!((Name::DEPTH, Middle::DEPTH, Deep::DEPTH), (0, 1, 2));
    let case = Case::of::<Deep>(0, "01 01 0161 ff");
    assert_eq!(case.needs(), [3, 4, 5]);
    assert_eq!(case.with(1, "02"), ("name", 1, Fault::Tag { found: 2 }));
}
