//! Checksums: which algorithm, over what, stored where.

use ondisk::checksum::{crc32, crc32c, crc64};
use ondisk::{Fault, format};

use super::entries::Name;
use crate::hold::{Case, hex, overrun, short};

/// The fault of a checksum as it is stored and as it should be.
fn sums(expected: impl Into<u64>, found: impl Into<u64>) -> Fault {
    Fault::Checksum {
        expected: expected.into(),
        found: found.into(),
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Head<'a> {
    pub a: u16,
    #[format(crc32(..head_crc))]
    head_crc: u32,
    pub b: u8,
    #[format(crc32(..body_crc, data))]
    body_crc: u32,
    #[format(len(data))]
    len: u8,
    pub data: &'a [u8],
}

#[test]
fn a_checksum_of_the_head_comes_before_the_frame_and_one_of_all_behind_it() {
    let head = crc32(0, &[0, 7]);
    let mut front = vec![0, 7];
    front.extend(head.to_be_bytes());
    front.push(9);
    let body = crc32(crc32(0, &front), b"ab");
    let case = Case::of::<Head<'_>>(0, &format!("{} {body:08x} 02 6162", digits(&front)));
    assert_eq!(case.needs(), [12, 14]);
    let found = crc32(0, &[0, 8]);
    assert_eq!(case.with(1, "08"), ("head_crc", 2, sums(head, found)));
    // The length is outside of both, so a short input comes first.
    assert_eq!(case.with(11, "03"), ("data", 12, short(15, 14)));
    let found = crc32(crc32(0, &front), b"a");
    assert_eq!(case.with(11, "01"), ("body_crc", 7, sums(body, found)));
}

/// Three algorithms, before and behind what they cover, over several ranges.
#[format(whole, le)]
#[derive(Clone, Debug, PartialEq)]
pub struct Every<'a> {
    #[format(crc32c(a..b))]
    early: u32,
    pub a: u8,
    pub data: &'a [u8],
    pub b: u16,
    #[format(crc64(early..a, b))]
    pieces: u64,
    #[format(crc32(..all))]
    all: u32,
}

#[test]
fn every_algorithm_over_several_ranges() {
    let early = crc32c(0, b"\x01data");
    let mut bytes = early.to_le_bytes().to_vec();
    let pieces = crc64(crc64(0, &bytes), &[2, 3]);
    bytes.extend(b"\x01data\x02\x03");
    bytes.extend(pieces.to_le_bytes());
    let all = crc32(0, &bytes);
    bytes.extend(all.to_le_bytes());
    let case = Case::of::<Every<'_>>(0, &digits(&bytes));
    assert_eq!(case.cut(18), ("", 0, short(19, 18)));
    assert_eq!(case.with(5, "65").0, "early");
    assert_eq!(case.with(9, "03").0, "pieces");
    assert_eq!(case.with(22, "00").0, "all");
    assert_eq!(case.with(11, "00").0, "pieces");
    assert_eq!(case.and("00").0, "early");
}

/// From behind itself to the end, and one over a checksum before it.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    #[format(crc32c(b..c))]
    first: u32,
    #[format(crc32(first..=first, c..))]
    second: u32,
    pub b: u8,
    pub c: u8,
}

#[test]
fn a_checksum_may_cover_one_that_is_computed_before_it() {
    let first = crc32c(0, &[1]);
    let second = crc32(crc32(0, &first.to_be_bytes()), &[2]);
    let case = Case::of::<Chain>(0, &format!("{first:08x} {second:08x} 01 02"));
    assert_eq!(Chain::SIZE, Some(10));
    let found = crc32c(0, &[3]);
    assert_eq!(case.with(8, "03"), ("first", 0, sums(first, found)));
    let found = crc32(crc32(0, &first.to_be_bytes()), &[3]);
    assert_eq!(case.with(9, "03"), ("second", 4, sums(second, found)));
}

/// A prefix that two checksums share is read once, but not where one of them is not always there.
#[format(reads = 1..=2)]
#[derive(Clone, Debug, PartialEq)]
pub struct Sometimes<'a> {
    #[format(version)]
    version: u8,
    #[format(since = 2, crc32(..one))]
    one: u32,
    #[format(len(data))]
    len: u8,
    pub data: &'a [u8],
    #[format(crc32(..two))]
    two: u32,
}

#[test]
fn a_checksum_that_only_some_versions_have() {
    let two = crc32(0, b"\x01\x02ab");
    Case::of::<Sometimes<'_>>(1, &format!("01 02 6162 {two:08x}"));
    let one_of_2 = crc32(0, &[2]);
    let mut bytes = vec![2];
    bytes.extend(one_of_2.to_be_bytes());
    bytes.extend(b"\x02ab");
    let two = crc32(0, &bytes);
    let case = Case::of::<Sometimes<'_>>(2, &format!("{} {two:08x}", digits(&bytes)));
    assert_eq!(case.needs(), [6, 12]);
    let found = crc32(0, &[2]);
    assert_eq!(case.with(1, "00000000").2, sums(0u32, found));
}

/// A body that a declared length bounds is summed before anything in it is looked at.
#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    #[format(len(crc..), min = 5)]
    len: u32,
    #[format(crc32c(count..))]
    crc: u32,
    #[format(count(names))]
    count: i8,
    pub names: Vec<Name>,
}

#[test]
fn a_declared_length_ends_what_a_checksum_covers() {
    let crc = crc32c(0, b"\x02\x01a\x02bc");
    let case = Case::of::<Batch>(0, &format!("0000000a {crc:08x} 02 0161 026263"));
    assert_eq!(case.needs(), [9, 14]);
    assert_eq!(
        case.with(3, "04"),
        ("len", 0, Fault::TooSmall { found: 4, limit: 5 })
    );
    assert_eq!(case.with(3, "0b"), ("len", 0, short(15, 14)));
    assert_eq!(case.with(8, "ff").0, "crc");
    assert_eq!(
        case.repaired_with(8, "ff"),
        (
            "count",
            8,
            Fault::TooSmall {
                found: -1,
                limit: 0
            }
        )
    );
    assert_eq!(
        case.repaired_with(8, "01"),
        ("len", 11, Fault::Trailing { left: 3 })
    );
    assert_eq!(case.repaired_with(8, "03"), ("", 14, overrun(1, 0)));
}

#[test]
fn a_walk_makes_the_checksum_that_it_can_make_without_looking_inside() {
    let crc = crc32c(0, b"\x02\x01a\x02bc");
    let mut bytes = hex(&format!("0000000a {crc:08x} 02 0161 026263 ff"));
    let (_, rest) = Batch::walk_prefix(&bytes).unwrap();
    assert_eq!(rest, [0xff]);
    bytes[13] ^= 1;
    assert_eq!(Batch::walk_prefix(&bytes).unwrap_err().row(), "crc");
}
