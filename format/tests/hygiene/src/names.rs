//! Rows, constants and types that are called as generated code would call its own.
#![allow(
    non_upper_case_globals,
    clippy::module_name_repetitions,
    reason = "that is the point"
)]

use storage::{Fault, Format, format};

/// A constant that a local would be taken for.
pub const input: u32 = 7;
/// A constant that a local would be taken for.
pub const start: u32 = 7;
/// A constant that a local would be taken for.
pub const value: u32 = 7;
/// A constant that a local would be taken for.
pub const rest: u32 = 7;
/// A limit called as a parameter would be.
pub const LEVEL: u32 = 1000;
/// A limit called as a constant would be.
pub const LIMIT: u32 = 1000;

/// A type called as a parameter would be.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
#[format(u8, crate = ::storage)]
pub enum E {
    /// The first.
    A = 0,
    /// The second.
    B = 1,
}

/// Rows called as locals would be.
#[format(crate = ::storage, check = is_fine)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locals<'a> {
    /// A row.
    #[format(max = LEVEL)]
    pub input: u32,
    /// A row.
    #[format(max = LIMIT, check = is_low)]
    pub end: u32,
    /// A row.
    #[format(max = self::input)]
    pub head: u32,
    /// A row.
    pub at: E,
    /// A row.
    pub cx: u8,
    /// A row.
    pub version: u16,
    /// A row.
    pub r#type: u8,
    /// A row.
    pub from: u8,
    /// A length.
    #[format(len(bytes))]
    next: u8,
    /// A length.
    #[format(len(out))]
    length: u8,
    /// A row.
    #[format(when = cx == 1 && r#type == 0)]
    pub value: Option<u32>,
    /// A row.
    #[format(tag)]
    pub behind: Option<u16>,
    /// A row.
    #[format(varint)]
    pub start: i64,
    /// A row.
    pub bytes: &'a [u8],
    /// A row.
    pub out: Vec<u8>,
    /// A count.
    #[format(count(entries))]
    number: u8,
    /// A row.
    pub entries: Vec<E>,
    /// A row.
    pub view: u8,
    /// A row.
    pub error: u8,
    /// A row.
    pub fault: u8,
    /// A row.
    pub run: u8,
    /// A row.
    pub clone: u8,
    /// A row.
    pub fmt: u8,
    /// A checksum.
    #[format(crc32(..computed))]
    computed: u32,
    /// A checksum.
    #[format(crc32c(..stored))]
    stored: u32,
}

fn is_low(end: u32, head: &LocalsLayout) -> Result<(), Fault> {
    if end == head.head.get() && end == 1 {
        return Err(Fault::Refused {
            rule: "end and head are not both 1",
            found: end.into(),
        });
    }
    Ok(())
}

fn is_fine(view: &LocalsView<'_>) -> Result<(), Fault> {
    match Locals::MIN {
        0 => Err(Fault::Tag {
            found: view.fault(),
        }),
        _ => Ok(()),
    }
}

/// Rows called as keys are.
#[format(crate = ::storage)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// A row.
    pub magic: u8,
    /// A row.
    pub crc32: u8,
    /// A row.
    #[format(len(len..=le))]
    whole: u8,
    /// A row.
    pub len: u8,
    /// A row.
    #[format(must_be = 3)]
    le: u8,
    /// A row.
    pub r#struct: E2,
}

/// A kind with a raw name in it.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
#[format(crate = ::storage)]
pub struct E2 {
    /// A row.
    pub r#match: u8,
}
