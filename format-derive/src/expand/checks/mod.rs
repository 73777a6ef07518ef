//! Checks of single rows, and how a check fails.

mod identity;
mod value;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, unraw};
use crate::plan::Place;

impl Context<'_> {
    /// Position of the first byte of a row, from the start of the kind.
    pub(super) fn position(&self, index: usize) -> TokenStream {
        let index = self.links.rows[index].word.unwrap_or(index);
        let piece = self.plan.piece_of[index];
        let start = self.piece_start(piece);
        if !self.plan.pieces[piece].is_run {
            return start;
        }
        let (layout, field) = (self.layout_name(piece), &self.row(index).name);
        quote!((#start + ::core::mem::offset_of!(#layout, #field)))
    }

    fn piece_start(&self, piece: usize) -> TokenStream {
        if self.plan.pieces[piece].place == Place::Foot {
            return quote!(__end);
        }
        let start = self.start(piece);
        if piece == 0 {
            quote!(0usize)
        } else {
            quote!(#start)
        }
    }

    /// `return Err(..)` with a fault at a row.
    pub(super) fn fail(&self, index: usize, fault: &TokenStream) -> TokenStream {
        let position = self.position(index);
        self.fail_at(index, &position, fault)
    }

    /// `return Err(..)` with a fault about a row, at a position.
    pub(super) fn fail_at(
        &self,
        index: usize,
        position: &TokenStream,
        fault: &TokenStream,
    ) -> TokenStream {
        let krate = &self.krate;
        let number = self.number(index);
        quote! {
            return ::core::result::Result::Err(<__E as #krate::Fail>::fail(|| {
                #krate::Error::new(
                    <Self as #krate::format::Format>::KIND, #number, __at.saturating_add(#position), #fault,
                )
            }))
        }
    }

    /// Stored text as `&str`. It was validated, so the default stands for bytes that changed since.
    pub(super) fn as_text(&self, index: usize, value: &TokenStream) -> TokenStream {
        let text = quote!(::core::str::from_utf8);
        if self.may_be_absent(index) {
            quote!(#value.map(|__bytes| #text(__bytes).unwrap_or("")))
        } else {
            quote!(#text(#value).unwrap_or(""))
        }
    }

    /// The doc comment of a generated item about a row.
    pub(super) fn row_doc(&self, index: usize) -> String {
        let row = self.row(index);
        if row.doc.is_empty() {
            format!("The row `{}`.", unraw(&row.name))
        } else {
            row.doc.clone()
        }
    }
}
