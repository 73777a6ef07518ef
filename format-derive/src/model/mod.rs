//! A definition as data: what the parser found, before anything is made of it.

mod enumeration;
mod row;
mod types;

pub(crate) use enumeration::{Enumeration, Held, Repr, Variant};
pub(crate) use row::{Algorithm, Expected, Piece, Pieces, Role, Row, RowKeys, Varint};
pub(crate) use types::{Base, Int, Type};

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
