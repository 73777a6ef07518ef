//! Entries: counted, bounded by a length, or to the end; of fixed or variable size.

use ondisk::{Fault, Format, format};

use super::fixed::{Color, Point};
use crate::hold::{Case, hex, overrun, short};

#[derive(Format, Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub key: u16,
    pub value: u16,
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    #[format(count(pairs))]
    count: u16,
    pub pairs: Vec<Pair>,
    pub behind: u8,
}

#[test]
fn fixed_entries_are_a_slice() {
    let case = Case::of::<Counted>(0, "0002 0001000a 0002000b ff");
    assert_eq!(case.needs(), [3, 11]);
    assert_eq!(case.cut(10), ("behind", 10, short(11, 10)));
    assert_eq!(case.cut(9), ("pairs", 2, short(11, 9)));
    let bytes = hex("0002 0001000a 0002000b ff");
    let pairs = Counted::view(&bytes).unwrap().pairs();
    assert_eq!((pairs.len(), pairs.as_slice().len()), (2, 2));
    assert_eq!(pairs.as_slice()[1].key.get(), 2);
    assert_eq!(pairs.get(1).map(|pair| pair.value()), Some(11));
    assert_eq!(pairs.last().map(|pair| pair.key()), Some(2));
    assert!(pairs.get(2).is_none());
    assert_eq!(pairs.iter().len(), 2);
    assert_eq!(pairs.as_bytes(), &bytes[2..10]);
    let keys: Vec<u16> = pairs.into_iter().map(|pair| pair.key()).collect();
    assert_eq!(keys, [1, 2]);
    Case::of::<Counted>(0, "0000 ff");
}

#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct Huge {
    #[format(count(points))]
    count: u64,
    pub points: Vec<Point>,
}

#[test]
fn a_count_is_held_against_the_bytes_before_anything_is_sized_by_it() {
    let case = Case::of::<Huge>(
        0,
        "0000000000000001 07 04030201 fffe 8000000000000000 616263",
    );
    assert_eq!(
        case.with(0, "0000000000000002"),
        ("points", 8, short(44, 26))
    );
    assert_eq!(
        case.with(0, "ffffffffffffffff"),
        ("points", 8, short(u64::MAX, 26))
    );
}

#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct ToTheEnd {
    pub id: u8,
    pub pairs: Vec<Pair>,
}

#[format(whole, trailing = ignore)]
#[derive(Clone, Debug, PartialEq)]
pub struct TornEnd {
    pub id: u8,
    pub pairs: Vec<Pair>,
}

#[test]
fn fixed_entries_to_the_end_refuse_or_drop_a_torn_last_one() {
    let case = Case::of::<ToTheEnd>(0, "01 0001000a 0002000b");
    assert_eq!(case.cut(8), ("pairs", 1, short(9, 8)));
    Case::of::<ToTheEnd>(0, "01");
    let case = Case::of::<TornEnd>(0, "01 0001000a 0002000b");
    case.reads("01 0001000a 0002ff", "01 0001000a");
    case.reads("01 ffffff", "01");
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    #[format(len(text))]
    len: u8,
    pub text: String,
}

#[format(whole)]
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    #[format(count(names), max = 3)]
    count: u8,
    pub names: Vec<Name>,
    #[format(crc32(..crc))]
    crc: u32,
}

#[test]
fn variable_entries_are_walked_once() {
    let case = Case::of::<Names>(0, "02 0161 026263 c20454d7");
    assert_eq!(case.with(0, "03").0, "crc");
    assert_eq!(case.repaired_with(0, "03"), ("", 6, overrun(1, 0)));
    assert_eq!(
        case.with(0, "04"),
        ("count", 0, Fault::TooLarge { found: 4, limit: 3 })
    );
    assert_eq!(
        case.repaired_with(0, "01"),
        ("", 3, Fault::Trailing { left: 3 })
    );
    // The checksum comes before what stands in the entries.
    assert_eq!(case.with(2, "ff").0, "crc");
    assert_eq!(
        case.repaired_with(2, "ff"),
        ("text", 2, Fault::Utf8 { valid_up_to: 0 })
    );
    assert_eq!(
        case.repaired_with(5, "ff"),
        ("text", 4, Fault::Utf8 { valid_up_to: 1 })
    );
    let bytes = hex("02 0161 026263 c20454d7");
    let names = Names::view(&bytes).unwrap().names();
    let texts: Vec<_> = names.iter().map(|name| name.text()).collect();
    assert_eq!((names.len(), texts), (2, vec!["a", "bc"]));
}

#[format(whole, trailing = ignore)]
#[derive(Clone, Debug, PartialEq)]
pub struct TornNames {
    pub names: Vec<Name>,
}

#[test]
fn variable_entries_to_the_end_drop_a_torn_last_one_and_no_other() {
    let case = Case::of::<TornNames>(0, "0161 026263");
    case.reads("0161 0262", "0161");
    case.reads("0161 05", "0161");
    assert_eq!(case.with(1, "ff").2, Fault::Utf8 { valid_up_to: 0 });
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded {
    #[format(len(names))]
    len: u16,
    pub names: Vec<Name>,
    pub behind: u8,
}

#[test]
fn entries_fill_a_declared_length() {
    let case = Case::of::<Bounded>(0, "0005 0161 026263 ff");
    assert_eq!(case.needs(), [3, 8]);
    // Inside the length, what does not fit is damage.
    assert_eq!(case.with(4, "0561 "), ("text", 5, overrun(6, 3)));
    assert_eq!(case.with(1, "04"), ("text", 5, overrun(3, 2)));
    assert_eq!(case.with(1, "06"), ("text", 8, overrun(256, 1)));
    assert_eq!(case.with(1, "03").2, overrun(3, 1));
    assert_eq!(case.with(1, "ff"), ("names", 2, short(258, 8)));
    Case::of::<Bounded>(0, "0000 ff");
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedPairs {
    #[format(len(pairs))]
    len: u8,
    pub pairs: Vec<Pair>,
}

#[test]
fn a_length_that_cuts_a_fixed_entry_is_damage() {
    let case = Case::of::<BoundedPairs>(0, "08 0001000a 0002000b");
    assert_eq!(case.with(0, "07"), ("pairs", 1, overrun(9, 8)));
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Colors {
    #[format(count(colors))]
    count: u8,
    pub colors: Vec<Color>,
}

#[test]
fn entries_may_be_enums() {
    let case = Case::of::<Colors>(0, "02 0001 0203");
    assert_eq!(
        case.with(3, "0202"),
        ("colors", 3, Fault::Unknown { found: 0x202 })
    );
}

/// Found again in one step, whatever the number of entries.
#[test]
fn kept_bytes_are_opened_without_a_walk() {
    let bytes = hex("02 0161 026263 c20454d7");
    let kept = ondisk::Kept::<Names, _>::new(bytes, 0).unwrap();
    let texts = |view: NamesView<'_>| view.names().iter().map(|n| n.text().len()).sum::<usize>();
    assert_eq!(kept.view().map(texts), Some(3));
    // Not even an entry that was overwritten is looked at.
    let mut bytes = kept.into_bytes();
    bytes[1] = 0xff;
    let (view, _) = <Names as ondisk::format::Format>::open::<(), { ondisk::format::TRUSTED }>(
        &bytes,
        0,
        ondisk::format::Cx::whole(0),
    )
    .unwrap();
    assert_eq!((view.names().len(), view.names().iter().count()), (2, 0));
}
