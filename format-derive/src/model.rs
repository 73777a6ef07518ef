//! A definition as data: what the parser found, before anything is made of it.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Ident, Lifetime, Visibility};

/// Which macro was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// `#[derive(Format)]`: the item stays as it is.
    Derive,
    /// `#[format(..)]`: computed rows leave the value.
    Attribute,
}

/// What was annotated.
pub(crate) enum Item {
    Struct(Box<Definition>),
    Enum(Enumeration),
}

/// A struct.
pub(crate) struct Definition {
    pub(crate) door: Door,
    pub(crate) name: Ident,
    pub(crate) vis: Visibility,
    /// Every attribute but `#[format]`, docs included.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) doc: String,
    pub(crate) lifetime: Option<Lifetime>,
    pub(crate) keys: ItemKeys,
    pub(crate) rows: Vec<Row>,
}

/// Keys on the item.
#[derive(Default)]
pub(crate) struct ItemKeys {
    pub(crate) file: Option<String>,
    pub(crate) head_of: Option<String>,
    pub(crate) whole: bool,
    pub(crate) reads: Option<(u32, u32)>,
    pub(crate) writes: Option<u32>,
    pub(crate) gates: Vec<(u32, TokenStream)>,
    pub(crate) adopt: bool,
    pub(crate) version_of: Option<TokenStream>,
    pub(crate) order: Option<Order>,
    pub(crate) trailing_ignore: bool,
    pub(crate) checks: Vec<TokenStream>,
    pub(crate) le: bool,
    pub(crate) class: Option<Class>,
    pub(crate) canonical: bool,
    pub(crate) arbitrary: Option<TokenStream>,
    pub(crate) krate: Option<TokenStream>,
    /// Where each key was written, for messages about keys that do not go together.
    pub(crate) spans: Vec<(&'static str, Span)>,
}

impl ItemKeys {
    /// The span of a key, or of the whole macro call.
    pub(crate) fn span(&self, key: &str) -> Span {
        self.spans
            .iter()
            .find(|(known, _)| *known == key)
            .map_or_else(Span::call_site, |(_, span)| *span)
    }

    /// The input is exactly one instance.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole || self.file.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Authoritative,
    Derived,
}

/// `order(first.., .., last..)`.
pub(crate) struct Order {
    pub(crate) first: Vec<Ident>,
    pub(crate) last: Vec<Ident>,
}

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

/// The type of a row.
#[derive(Clone)]
pub(crate) struct Type {
    pub(crate) base: Base,
    /// Written as `Option<..>`.
    pub(crate) optional: bool,
}

#[derive(Clone)]
pub(crate) enum Base {
    Int(Int),
    Bool,
    /// `[u8; N]`, with the length as written.
    Array(TokenStream),
    /// `&'a [u8]`.
    Slice,
    /// `Vec<u8>`.
    Bytes,
    /// `&'a str`.
    Str,
    /// `String`.
    String,
    /// `Vec<T>`.
    Seq(TokenStream),
    /// A kind or an enum.
    Path(TokenStream),
}

impl Base {
    /// Its length is not in its type.
    pub(crate) fn is_open_ended(&self) -> bool {
        matches!(
            self,
            Self::Slice | Self::Bytes | Self::Str | Self::String | Self::Seq(_)
        )
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Str | Self::String)
    }
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Int {
    pub(crate) bytes: u8,
    pub(crate) signed: bool,
}

impl Int {
    pub(crate) fn bits(self) -> u8 {
        self.bytes * 8
    }

    pub(crate) fn name(self) -> String {
        format!(
            "{}{}",
            if self.signed { 'i' } else { 'u' },
            u32::from(self.bytes) * 8
        )
    }
}

/// An enum.
pub(crate) struct Enumeration {
    pub(crate) name: Ident,
    pub(crate) doc: String,
    /// Rust is told which integer holds the discriminant.
    pub(crate) has_repr: bool,
    pub(crate) repr: Option<Repr>,
    pub(crate) le: bool,
    pub(crate) krate: Option<TokenStream>,
    pub(crate) variants: Vec<Variant>,
    /// Where a missing key is reported.
    pub(crate) span: Span,
}

/// What holds the number of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repr {
    /// So many bits of a word.
    Bits(u8),
    Int(Int),
}

impl Repr {
    /// The bits of the number.
    pub(crate) fn bits(self) -> u8 {
        match self {
            Self::Bits(bits) => bits,
            Self::Int(int) => int.bits(),
        }
    }
}

pub(crate) struct Variant {
    pub(crate) name: Ident,
    pub(crate) doc: String,
    pub(crate) value: Option<TokenStream>,
    pub(crate) since: Option<u32>,
    pub(crate) until: Option<u32>,
    /// Keeps numbers without a name.
    pub(crate) other: bool,
    pub(crate) holds: Held,
}

/// The fields of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Nothing,
    /// One integer, without a name.
    Int(Int),
    Else,
}
