//! A row: what it is for, and what is said of it.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Visibility};

use super::types::{Base, Type};

/// A field of the struct.
pub(crate) struct Row {
    pub(crate) name: Ident,
    pub(crate) vis: Visibility,
    /// Every attribute but `#[format]`, docs included.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) doc: String,
    pub(crate) ty: Type,
    /// The type as written.
    pub(crate) written: syn::Type,
    pub(crate) role: Role,
    pub(crate) keys: RowKeys,
}

impl Row {
    /// In the value: written with a visibility.
    pub(crate) fn is_public(&self) -> bool {
        !matches!(self.vis, Visibility::Inherited)
    }

    /// One of the bits of a word.
    pub(crate) fn is_bits(&self) -> bool {
        self.keys.bits.is_some()
    }

    /// A kind or an enum with bytes of its own.
    pub(crate) fn is_kind(&self) -> bool {
        matches!(self.ty.base, Base::Path(_)) && !self.is_bits()
    }

    /// Whether only some versions have it.
    pub(crate) fn is_versioned(&self) -> bool {
        self.keys.since.is_some() || self.keys.until.is_some()
    }
}

/// Keys on a row that are no role.
#[derive(Default)]
pub(crate) struct RowKeys {
    pub(crate) bits: Option<(u8, u8)>,
    pub(crate) min: Option<TokenStream>,
    pub(crate) max: Option<TokenStream>,
    pub(crate) when: Option<TokenStream>,
    /// `Some(true)`: zeros take its place where it is absent.
    pub(crate) tag: Option<bool>,
    pub(crate) null: Option<i64>,
    pub(crate) bias: Option<u8>,
    pub(crate) since: Option<u32>,
    pub(crate) until: Option<u32>,
    pub(crate) varint: Option<Varint>,
    pub(crate) le: bool,
    pub(crate) nested: bool,
    pub(crate) checks: Vec<TokenStream>,
    pub(crate) spans: Vec<(&'static str, Span)>,
    /// Not all of them could be read, so what they leave out is no mistake of its own.
    pub(crate) are_unclear: bool,
}

impl RowKeys {
    pub(crate) fn span(&self, key: &str) -> Option<Span> {
        self.spans
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, span)| *span)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Varint {
    ZigZag,
    Unsigned,
}

/// What a row is for.
pub(crate) enum Role {
    Value,
    Keep,
    Reserved,
    Magic(Expected),
    MustBe(TokenStream),
    Version,
    Len(Pieces),
    Count(Ident),
    Checksum(Algorithm, Pieces),
    Word,
}

impl Role {
    /// The writer computes it.
    pub(crate) fn is_computed(&self) -> bool {
        !matches!(self, Self::Value | Self::Keep)
    }
}

/// The value of a magic.
pub(crate) enum Expected {
    Bytes(Vec<u8>),
    Number(TokenStream),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Crc32,
    Crc32c,
    Crc64,
}

/// Rows named by a length or a checksum.
pub(crate) struct Pieces {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) span: Span,
}

/// `a`, `..a`, `a..`, `a..b`, with `=` where the last row is included.
pub(crate) struct Piece {
    pub(crate) from: Option<Ident>,
    pub(crate) to: Option<Ident>,
    /// The row `to` is part of it.
    pub(crate) inclusive: bool,
}
