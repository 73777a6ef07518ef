//! A row of a definition, as in a specification's table.

use super::{Endian, Kind, Shape};
use crate::checksum::Algorithm;

/// One row: a field, in the order in which it is stored.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// How its bytes are read.
    pub ty: Type,
    /// What it is for.
    pub role: Role,
    /// Whether it is part of the value; if not, the writer computes it.
    pub in_value: bool,
    /// Byte offset from the start of the kind, where that is the same in every instance.
    pub offset: Option<usize>,
    /// Bytes, where that is the same in every instance; 0 for bits of a word.
    pub size: Option<usize>,
    /// The bits of a word that it takes.
    pub bits: Option<Bits>,
    /// When it is there.
    pub presence: Presence,
    /// The first version that has it.
    pub since: u32,
    /// The last version that has it.
    pub until: u32,
    /// The least value.
    pub min: Option<i128>,
    /// The greatest value.
    pub max: Option<i128>,
    /// Byte order.
    pub endian: Endian,
    /// Rules in code about this row.
    pub rules: &'static [&'static str],
}

/// A half-open range of row numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The first row.
    pub from: u16,
    /// The row behind the last.
    pub to: u16,
}

impl Rows {
    /// Whether the range holds that row.
    #[must_use]
    pub fn contains(self, row: usize) -> bool {
        usize::from(self.from) <= row && row < usize::from(self.to)
    }
}

/// How the bytes of a row are read.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// An unsigned integer of so many bytes.
    Uint(u8),
    /// A two's complement integer of so many bytes.
    Int(u8),
    /// One bit.
    Bool,
    /// A zig-zag varint of so many bits.
    Varint(u8),
    /// A varint of so many bits.
    Uvarint(u8),
    /// So many bytes.
    Array(usize),
    /// Bytes whose length stands elsewhere, or all that are left.
    Bytes,
    /// UTF-8 whose length stands elsewhere, or all that is left.
    Text,
    /// Entries of a kind.
    Seq(fn() -> &'static Kind),
    /// One of a kind or an enum.
    Of(fn() -> &'static Kind),
}

impl Type {
    /// The bytes that a value of this type always takes.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        match self {
            Self::Uint(bytes) | Self::Int(bytes) => Some(usize::from(bytes)),
            Self::Bool => Some(1),
            Self::Array(bytes) => Some(bytes),
            Self::Of(kind) => match kind().shape {
                Shape::Enum { bytes, .. } => Some(usize::from(bytes)),
                Shape::Rows(_) | Shape::Text { .. } => kind().size,
            },
            Self::Varint(_) | Self::Uvarint(_) | Self::Bytes | Self::Text | Self::Seq(_) => None,
        }
    }
}

/// What a row is for.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A value.
    Value,
    /// A value that no check looks at, and that a rewrite keeps.
    Keep,
    /// Written 0 and never read.
    Reserved,
    /// These bytes, as stored.
    Magic(&'static [u8]),
    /// These bytes, as stored; any other value may change the meaning of what follows.
    MustBe(&'static [u8]),
    /// The version.
    Version,
    /// The length of rows, in bytes.
    Len(Rows),
    /// The number of entries of a row.
    Count(u16),
    /// A checksum over rows.
    Checksum(Algorithm, &'static [Rows]),
    /// A number whose bits are the rows that follow it.
    Word,
}

/// Bits of a word, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Number of the row that holds the word.
    pub word: u16,
    /// The lowest bit.
    pub low: u8,
    /// The highest bit.
    pub high: u8,
}

/// When a row is there.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// In every instance of a version that has it.
    Always,
    /// Where a condition over earlier rows holds.
    When {
        /// The condition as the definition writes it.
        text: &'static str,
        /// The condition over the numbers of all rows.
        holds: fn(&[u64], u32) -> bool,
    },
    /// Where the byte before it is 1.
    Tag {
        /// Zeros take its place where it is absent.
        fixed: bool,
    },
    /// Where its length row does not say that it is null.
    Null {
        /// The row that says how long it is.
        len: u16,
        /// The number that says null.
        null: i64,
        /// What is added to a length to store it.
        bias: u8,
    },
}
