//! Enums: numbers with names, and what becomes of the others.

use ondisk::{Fault, Format, format};

use crate::hold::{Case, hex};

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u16, le)]
#[repr(u32)]
pub enum Open {
    First = 1,
    Last = 0xffff,
    #[format(other)]
    Other(u16),
}

#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(bits = 4)]
#[repr(u8)]
pub enum OpenBits {
    Zero = 0,
    Nine = 9,
    #[format(other)]
    Rest(u8),
}

#[format()]
#[derive(Clone, Debug, PartialEq)]
pub struct Kinds {
    pub open: Open,
    #[format(word)]
    word: u8,
    #[format(bits = 4..=7)]
    pub high: OpenBits,
    #[format(bits = 0..=3)]
    pub low: OpenBits,
}

#[test]
fn numbers_without_a_name_are_kept() {
    Case::of::<Kinds>(0, "0100 90");
    Case::of::<Kinds>(0, "ffff f9");
    let bytes = hex("0300 5f");
    let value = Kinds::view(&bytes).unwrap().to_value();
    assert_eq!(value.open, Open::Other(3));
    assert_eq!(
        (value.high, value.low),
        (OpenBits::Rest(5), OpenBits::Rest(15))
    );
    Case::of::<Kinds>(0, "0300 5f");
}

#[test]
fn what_would_read_back_as_something_else_is_not_written() {
    let value = Kinds {
        open: Open::First,
        high: OpenBits::Rest(16),
        low: OpenBits::Zero,
    };
    let refused = |value: &Kinds| value.encode(&mut Vec::new()).unwrap_err().fault();
    assert_eq!(
        refused(&value),
        Fault::TooLarge {
            found: 16,
            limit: 15
        }
    );
    let value = Kinds {
        high: OpenBits::Rest(9),
        ..value
    };
    assert!(matches!(refused(&value), Fault::Refused { found: 9, .. }));
    let value = Kinds {
        open: Open::Other(1),
        high: OpenBits::Zero,
        ..value
    };
    assert!(matches!(refused(&value), Fault::Refused { found: 1, .. }));
}

#[allow(
    clippy::enum_clike_unportable_variant,
    clippy::cast_possible_truncation,
    reason = "the greatest number of four bytes, on the targets that these tests run on"
)]
#[derive(Format, Clone, Copy, Debug, PartialEq)]
#[format(u32)]
#[repr(u64)]
pub enum Wide {
    Small = 1,
    Great = Wide::LIMIT,
}

impl Wide {
    const LIMIT: u64 = 0xffff_ffff;
}

#[derive(Format, Clone, Copy, Debug, PartialEq)]
pub struct WideRow {
    pub wide: Wide,
}

#[test]
fn numbers_may_be_expressions() {
    let case = Case::of::<WideRow>(0, "ffffffff");
    assert_eq!(
        case.with(0, "00000002"),
        ("wide", 0, Fault::Unknown { found: 0x02 })
    );
}
