//! Without the prelude, not even `Some` is known.
#![no_implicit_prelude]

extern crate alloc;

use ::core::clone::Clone;
use ::core::cmp::PartialEq;
use ::core::convert::From;
use ::core::fmt::Debug;
use ::core::marker::Copy;
use ::core::option::Option;
use ::storage::format::Format;
use ::storage::{Fault, FeatureLevels};
use alloc::string::String;
use alloc::vec::Vec;

/// A number with names.
#[derive(::storage::Format, Clone, Copy, Debug, PartialEq)]
#[format(u16, le, crate = ::storage)]
#[repr(u32)]
pub enum Code {
    /// The first.
    First = 1,
    /// Not from the start.
    #[format(since = 2)]
    Second = 2,
    /// Any other.
    #[format(other)]
    Other(u16),
}

/// Two bits.
#[derive(::storage::Format, Clone, Copy, Debug, PartialEq)]
#[format(bits = 2, crate = ::storage)]
pub enum Two {
    /// None of both.
    None = 0,
    /// Both.
    Both = 3,
}

/// Rows that are all in the value.
#[derive(::storage::Format, Clone, Copy, Debug, PartialEq)]
#[format(crate = ::storage)]
pub struct Entry {
    /// A code.
    pub code: Code,
    /// A number.
    #[format(min = 1, max = 9)]
    pub number: u32,
}

/// Every role and every shape.
#[::storage::format(
    crate = ::storage, reads = 1..=2, order(.., code), check = is_fine, arbitrary = settle,
)]
#[derive(Clone, Debug, PartialEq)]
pub struct Everything<'a> {
    /// Identity.
    #[format(magic = b"ALL")]
    magic: [u8; 3],
    /// The version.
    #[format(version)]
    version: u16,
    /// Must be.
    #[format(must_be = 7)]
    seven: u8,
    /// Not read.
    #[format(reserved)]
    nothing: [u8; 2],
    /// Bits.
    #[format(word)]
    word: u16,
    /// Two of them.
    #[format(bits = 14..=15)]
    pub two: Two,
    /// One of them.
    #[format(bits = 13)]
    pub flag: bool,
    /// Twelve of them.
    #[format(bits = 0..=11, len(text), max = 100, check = is_short)]
    text_len: u16,
    /// A code.
    pub code: Code,
    /// Over the head.
    #[format(crc32(..head_crc))]
    head_crc: u32,
    /// Later.
    #[format(since = 2, tag = fixed)]
    pub later: Option<u64>,
    /// By a flag.
    #[format(when = flag)]
    pub entry: Option<Entry>,
    /// Borrowed.
    pub text: &'a str,
    /// A length that says null.
    #[format(varint, len(bytes), null = -1)]
    bytes_len: i32,
    /// Owned, or not there.
    pub bytes: Option<Vec<u8>>,
    /// A number of entries.
    #[format(uvarint, count(entries))]
    count: u32,
    /// Entries.
    pub entries: Vec<Entry>,
    /// A length of several rows.
    #[format(len(name_len..=nested))]
    span: u16,
    /// A length in it.
    #[format(len(name))]
    name_len: u8,
    /// Owned.
    pub name: String,
    /// In place.
    #[format(nested)]
    pub nested: Inner,
    /// Over all.
    #[format(crc64(..crc))]
    crc: u64,
}

/// Of variable size.
#[::storage::format(crate = ::storage)]
#[derive(Clone, Debug, PartialEq)]
pub struct Inner {
    /// How many.
    #[format(count(codes))]
    count: u8,
    /// Bare enums as entries.
    pub codes: Vec<Code>,
}

/// Found from the end.
#[::storage::format(crate = ::storage, whole, le)]
#[derive(Clone, Debug, PartialEq)]
pub struct FromTheEnd<'a> {
    /// The rest.
    pub rest: &'a [u8],
    /// Entries.
    pub entries: Vec<Entry>,
    /// Their bytes.
    #[format(len(entries))]
    len: u32,
}

fn is_short(text_len: u16, _: &EverythingLayout) -> ::core::result::Result<(), Fault> {
    if text_len == 99 {
        return ::core::result::Result::Err(Fault::Varint);
    }
    ::core::result::Result::Ok(())
}

fn is_fine(view: &EverythingView<'_>) -> ::core::result::Result<(), Fault> {
    if view.seven() == 8 {
        return ::core::result::Result::Err(Fault::Varint);
    }
    ::core::result::Result::Ok(())
}

fn settle(mut value: Everything<'_>) -> Everything<'_> {
    value.two = Two::Both;
    value
}

/// Writes and reads one.
#[must_use]
pub fn round_trip() -> bool {
    let value = Everything {
        two: Two::Both,
        flag: false,
        code: Code::Other(9),
        later: Option::Some(3),
        entry: Option::None,
        text: "text",
        bytes: Option::None,
        entries: alloc::vec![Entry {
            code: Code::First,
            number: 1
        }],
        name: String::from("name"),
        nested: Inner {
            codes: alloc::vec![Code::Second],
        },
    };
    let mut bytes = Vec::new();
    let version = Everything::write_version(&FeatureLevels::NONE);
    let written = value.encode(version, &mut bytes).is_ok();
    let read = Everything::view(&bytes).is_ok_and(|view| view.to_value() == value);
    written && read && Everything::KIND.min == <Everything<'_> as Format>::MIN
}
