//! What stands in a row, as its type says.

use crate::describe::{Endian, Kind, Row, Shape, Type, Variant};

/// What stands in a row.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// Nothing: the row is not there in this instance.
    Absent,
    /// The byte in front of an optional row: whether it is there.
    Tag(bool),
    /// An unsigned number.
    Uint(u64),
    /// A signed number.
    Int(i64),
    /// A flag.
    Bool(bool),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Text.
    Text(&'a str),
    /// What should be text and is not UTF-8.
    NotText(&'a [u8]),
    /// A value of an enum.
    Variant {
        /// The number.
        raw: u64,
        /// The enum.
        of: &'static Kind,
        /// Its variant of that number.
        known: Option<&'static Variant>,
    },
    /// An instance of this kind, which follows.
    Kind(&'static Kind),
    /// Entries of this kind, which follow.
    Entries {
        /// The kind.
        of: &'static Kind,
        /// How many there are, if a row says so.
        count: Option<u64>,
    },
}

impl Value<'_> {
    /// The value as a number, if it is one.
    #[must_use]
    pub const fn number(self) -> Option<i128> {
        match self {
            Self::Uint(number) | Self::Variant { raw: number, .. } => Some(number as i128),
            Self::Int(number) => Some(number as i128),
            Self::Bool(flag) => Some(flag as i128),
            _ => None,
        }
    }
}

/// Whether negative numbers of this type are stored.
pub(super) const fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Varint(_))
}

/// Whether a length says that nothing is there: the number that stands for null, or any negative one where that is.
pub(super) const fn is_null(null: i64, number: i128) -> bool {
    number == null as i128 || (null < 0 && number < 0)
}

/// The unsigned number in at most eight bytes.
pub(super) fn number_in(bytes: &[u8], endian: Endian) -> u64 {
    let join = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    match endian {
        Endian::Big => bytes.iter().fold(0, join),
        Endian::Little => bytes.iter().rev().fold(0, join),
    }
}

/// A number of `bits` bits with its sign.
pub(super) const fn sign_extend(raw: u64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 {
        return raw as i64;
    }
    ((raw << (64 - bits)) as i64) >> (64 - bits)
}

/// The value of a row that is a number of `bits` bits.
pub(super) fn from_number(row: &Row, raw: u64, bits: u32) -> Value<'static> {
    match row.ty {
        Type::Int(_) => Value::Int(sign_extend(raw, bits)),
        Type::Bool => Value::Bool(raw != 0),
        Type::Of(kind) => variant(kind(), raw),
        _ => Value::Uint(raw),
    }
}

/// The variant of a number.
pub(super) fn variant(of: &'static Kind, raw: u64) -> Value<'static> {
    let known = match of.shape {
        Shape::Enum { variants, .. } => variants.iter().find(|variant| variant.value == raw),
        Shape::Rows(_) | Shape::Text { .. } => None,
    };
    Value::Variant { raw, of, known }
}
