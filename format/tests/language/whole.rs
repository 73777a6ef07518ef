//! Kinds that take a whole input.

use ondisk::{Fault, format};

use super::entries::{Name, Pair};
use crate::hold::{Case, hex, overrun, short};

/// As a file whose name is known, with a row that varies in front of its foot.
#[format(file = "{id:020}.x", derived)]
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    #[format(len(name), max = 4)]
    len: u8,
    pub id: u16,
    pub name: String,
    #[format(crc32(..crc))]
    crc: u32,
}

#[test]
fn the_length_is_exact_before_the_checksum() {
    let case = Case::of::<File>(0, "02 0001 6162 627a94d8");
    assert_eq!(case.cut(8), ("name", 3, short(9, 8)));
    assert_eq!(
        case.and("00"),
        (
            "",
            9,
            Fault::Length {
                expected: 9,
                found: 10
            }
        )
    );
    assert_eq!(
        case.with(0, "01"),
        (
            "",
            8,
            Fault::Length {
                expected: 8,
                found: 9
            }
        )
    );
    assert_eq!(
        case.with(0, "05"),
        ("len", 0, Fault::TooLarge { found: 5, limit: 4 })
    );
    assert_eq!(case.with(3, "ff").0, "crc");
    assert_eq!(File::KIND.file, Some("{id:020}.x"));
}

/// Where the entries say how long they are, what is left over comes last.
#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    #[format(count(names))]
    count: u8,
    pub names: Vec<Name>,
    pub pair: Pair,
}

#[test]
fn what_is_left_over_comes_last() {
    let case = Case::of::<Entries>(0, "02 0161 0162 0001000a");
    assert_eq!(case.and("00"), ("", 5, Fault::Trailing { left: 1 }));
    assert_eq!(case.cut(8), ("text", 4, short(2, 1)));
}

/// Rows of several kinds between a head and a foot.
#[format(whole, le)]
#[derive(Clone, Debug, PartialEq)]
pub struct Object<'a> {
    #[format(magic = b"OB")]
    magic: [u8; 2],
    pub runs: &'a [u8],
    pub pairs: Vec<Pair>,
    #[format(len(pairs))]
    pairs_len: u16,
    #[format(magic = b"JE")]
    end: [u8; 2],
}

#[test]
fn entries_measured_from_the_foot() {
    let case = Case::of::<Object<'_>>(0, "4f42 aabbcc 0001000a 0400 4a45");
    // A row's own order is not that of the kind of an entry.
    let bytes = hex("4f42 aabbcc 0001000a 0400 4a45");
    let view = Object::view(&bytes).unwrap();
    assert_eq!(view.runs(), [0xaa, 0xbb, 0xcc]);
    assert_eq!(view.pairs().get(0).map(|pair| pair.value()), Some(10));
    assert_eq!(case.with(9, "0300"), ("pairs", 6, overrun(10, 9)));
    assert_eq!(case.with(9, "0800"), ("pairs_len", 9, overrun(8, 7)));
    Case::of::<Object<'_>>(0, "4f42 0000 4a45");
    assert_eq!(case.cut(5), ("", 0, short(6, 5)));
}

/// Bytes behind a counted row are left alone.
#[format(whole, trailing = ignore)]
#[derive(Clone, Debug, PartialEq)]
pub struct Ignores {
    #[format(count(pairs))]
    count: u8,
    #[format(crc32(pairs))]
    crc: u32,
    pub pairs: Vec<Pair>,
}

#[test]
fn bytes_behind_the_last_row_may_be_ignored() {
    let case = Case::of::<Ignores>(0, "01 c0535c35 0001000a");
    case.reads("01 c0535c35 0001000a ffffff", "01 c0535c35 0001000a");
    assert_eq!(case.with(0, "02"), ("pairs", 5, short(13, 9)));
    assert_eq!(case.cut(8), ("pairs", 5, short(9, 8)));
}
