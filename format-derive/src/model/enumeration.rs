//! An enum.

use proc_macro2::{Ident, Span, TokenStream};

use super::types::Int;

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
