//! Limits, and rules in code.

use ondisk::{Fault, Format, format};

use super::entries::Pair;
use crate::hold::{Case, hex};

const LOWEST: i32 = -5;

#[format(check = Self::sums_up, check = is_not_seven)]
#[derive(Clone, Debug, PartialEq)]
pub struct Limited<'a> {
    #[format(min = LOWEST, max = 10 - 3)]
    pub small: i32,
    #[format(min = Self::LEAST, max = Self::MOST, le)]
    pub great: u64,
    #[format(min = 0xffff_fff0)]
    pub high: u32,
    #[format(len(text), check = is_even)]
    len: u8,
    #[format(check = begins_with_a)]
    pub text: &'a str,
    #[format(check = key_is_low)]
    pub pair: Pair,
    #[format(when = small == 1, check = is_told)]
    pub extra: Option<u8>,
    #[format(check = is_even_too)]
    pub last: u16,
}

impl Limited<'_> {
    const LEAST: u64 = 1;
    const MOST: u64 = u64::MAX - 1;

    fn sums_up(view: &LimitedView<'_>) -> Result<(), Fault> {
        refuse(view.last() == 100, "last is not 100", view.last().into())
    }
}

fn refuse(broken: bool, rule: &'static str, found: u64) -> Result<(), Fault> {
    if broken {
        Err(Fault::Refused { rule, found })
    } else {
        Ok(())
    }
}

fn is_not_seven(view: &LimitedView<'_>) -> Result<(), Fault> {
    refuse(view.small() == 7, "small is not 7", 7)
}

fn is_even(len: u8, head: &LimitedLayout) -> Result<(), Fault> {
    assert_eq!(head.len, len);
    refuse(len % 2 == 1, "len is even", len.into())
}

fn begins_with_a(text: &str, _: &LimitedLayout) -> Result<(), Fault> {
    refuse(!text.starts_with('a'), "text begins with a", 0)
}

fn key_is_low(pair: super::entries::PairView<'_>, _: &LimitedLayout) -> Result<(), Fault> {
    refuse(pair.key() > 9, "key is at most 9", pair.key().into())
}

fn is_told(extra: Option<u8>, head: &LimitedLayout) -> Result<(), Fault> {
    refuse(extra == Some(0), "extra is not 0", head.small.get() as u64)
}

fn is_even_too(last: u16, _: &LimitedLayout) -> Result<(), Fault> {
    refuse(last % 2 == 1, "last is even", last.into())
}

const BYTES: &str = "00000001 0100000000000000 fffffff0 02 6162 0001000a 05 0002";

fn rule(refused: crate::hold::Refused) -> (&'static str, usize, &'static str) {
    match refused {
        (row, at, Fault::Refused { rule, .. }) => (row, at, rule),
        other => panic!("{other:?}"),
    }
}

#[test]
fn limits_and_rules_each_at_its_row() {
    // Arbitrary values know nothing of rules, so this kind is only read.
    let bytes = hex(BYTES);
    let refused = |at: usize, patch: &str| {
        let mut bytes = bytes.clone();
        let patch = hex(patch);
        bytes[at..at + patch.len()].copy_from_slice(&patch);
        let error = Limited::view(&bytes).unwrap_err();
        (error.row(), error.at(), error.fault())
    };
    assert!(Limited::view(&bytes).is_ok());
    assert_eq!(
        refused(0, "fffffffa"),
        (
            "small",
            0,
            Fault::TooSmall {
                found: -6,
                limit: -5
            }
        )
    );
    assert_eq!(
        refused(0, "00000008"),
        ("small", 0, Fault::TooLarge { found: 8, limit: 7 })
    );
    let limit = u64::MAX - 1;
    assert_eq!(
        refused(4, "ffffffffffffffff"),
        (
            "great",
            4,
            Fault::TooLarge {
                found: u64::MAX,
                limit
            }
        )
    );
    assert_eq!(refused(12, "ffffffef").0, "high");
    // A rule about a length runs before what it measures is looked for.
    assert_eq!(rule(refused(16, "ff")), ("len", 16, "len is even"));
    assert_eq!(rule(refused(17, "62")), ("text", 17, "text begins with a"));
    assert_eq!(rule(refused(19, "000a")), ("pair", 19, "key is at most 9"));
    assert_eq!(rule(refused(23, "00")), ("extra", 23, "extra is not 0"));
    assert_eq!(rule(refused(25, "03")), ("last", 24, "last is even"));
    assert_eq!(rule(refused(25, "64")), ("", 0, "last is not 100"));
}

#[test]
fn a_writer_obeys_the_rules() {
    let value = Limited {
        small: 1,
        great: 1,
        high: u32::MAX,
        text: "ab",
        pair: Pair { key: 1, value: 10 },
        extra: Some(5),
        last: 2,
    };
    let refused = |value: &Limited<'_>| {
        let error = value.encode(&mut Vec::new()).unwrap_err();
        (error.row(), error.fault())
    };
    assert!(value.encode(&mut Vec::new()).is_ok());
    let odd = Limited {
        text: "abc",
        ..value.clone()
    };
    assert_eq!(refused(&odd).0, "len");
    let hundred = Limited {
        last: 100,
        ..value.clone()
    };
    let fault = Fault::Refused {
        rule: "last is not 100",
        found: 100,
    };
    assert_eq!(refused(&hundred), ("", fault));
    let low = Limited { small: -6, ..value };
    assert_eq!(
        refused(&low),
        (
            "small",
            Fault::TooSmall {
                found: -6,
                limit: -5
            }
        )
    );
}

/// Without a head there is no layout to look at.
#[derive(Format, Clone, Debug, PartialEq)]
pub struct Headless {
    #[format(uvarint, max = 300, check = is_no_multiple_of_seven)]
    pub number: u32,
}

fn is_no_multiple_of_seven(number: u32) -> Result<(), Fault> {
    refuse(
        number.is_multiple_of(7),
        "it is no multiple of 7",
        number.into(),
    )
}

#[test]
fn a_rule_of_a_kind_without_a_head() {
    let error = Headless::view(&[14]).unwrap_err();
    assert_eq!(
        rule((error.row(), error.at(), error.fault())).2,
        "it is no multiple of 7"
    );
    assert_eq!(
        Headless::view(&hex("ad02")).unwrap_err().fault(),
        Fault::TooLarge {
            found: 301,
            limit: 300
        }
    );
    assert_eq!(Headless::view(&hex("ac02")).unwrap().number(), 300);
    Case::of::<super::entries::Pair>(0, "0001 0002");
}
