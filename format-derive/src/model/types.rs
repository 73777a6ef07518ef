//! The types of rows.

use proc_macro2::TokenStream;

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
