//! Sizes of pieces, and how many bytes an instance needs: for constants and for what a short read reports.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::Context;
use crate::model::Base;

impl Context<'_> {
    /// The bytes of a piece that are always there, as a constant.
    pub(super) fn least(&self, piece: usize) -> TokenStream {
        if self.plan.pieces[piece].is_run {
            let name = self.layout_name(piece);
            return quote!(::core::mem::size_of::<#name>());
        }
        let index = self.plan.pieces[piece].rows[0];
        let row = self.row(index);
        if row.is_versioned() || row.keys.when.is_some() {
            return quote!(0usize);
        }
        match row.keys.tag {
            Some(true) => {
                let size = self.inner_size(index);
                quote!((1usize + #size))
            }
            Some(false) => quote!(1usize),
            None if row.ty.optional => quote!(0usize),
            None => self.inner_size(index),
        }
    }

    /// The least size of the type of a row, without its `Option` or tag; 0 for what is open-ended.
    pub(super) fn inner_size(&self, index: usize) -> TokenStream {
        let row = self.row(index);
        match &row.ty.base {
            Base::Int(_) if row.keys.varint.is_some() => quote!(1usize),
            Base::Int(int) => {
                let bytes = usize::from(int.bytes);
                quote!(#bytes)
            }
            Base::Array(len) => quote!((#len)),
            Base::Path(ty) => self.of_kind(ty, "MIN"),
            _ => quote!(0usize),
        }
    }

    /// A length or count as u64, as its row says it: nothing for null, without the bias.
    pub(super) fn length(&self, index: usize) -> TokenStream {
        let row = self.row(index);
        let get = self.get(index, None);
        let signed = matches!(&row.ty.base, Base::Int(int) if int.signed);
        let raw = if signed {
            // A negative length is null, or was refused.
            quote!((if #get < 0 { 0u64 } else { #get as ::core::primitive::u64 }))
        } else {
            quote!((#get as ::core::primitive::u64))
        };
        match row.keys.bias {
            Some(bias) => {
                let bias = u64::from(bias);
                quote!(#raw.saturating_sub(#bias))
            }
            None => raw,
        }
    }

    /// Whether a length can say that its row is null.
    pub(super) fn says_null(&self, len: usize) -> bool {
        let keys = &self.row(len).keys;
        keys.null.is_some() || keys.bias.is_some()
    }

    /// Whether a length says that its row is null.
    pub(super) fn is_null(&self, len: usize) -> TokenStream {
        let get = self.get(len, None);
        let null = self.row(len).keys.null.unwrap_or(0);
        if null < 0 {
            return quote!((#get < 0));
        }
        let null = Literal::i64_unsuffixed(null);
        quote!((#get == #null))
    }

    /// Whether the version has a row, as an expression over the version.
    pub(super) fn in_version(&self, index: usize, version: &TokenStream) -> TokenStream {
        let keys = &self.row(index).keys;
        match (keys.since, keys.until) {
            (Some(since), Some(until)) => quote!((#since <= #version && #version <= #until)),
            (Some(since), None) => quote!((#since <= #version)),
            (None, Some(until)) => quote!((#version <= #until)),
            (None, None) => quote!(true),
        }
    }

    /// Whether a row is there to be looked at before piece `known` is.
    pub(super) fn is_known(&self, row: usize, known: usize) -> bool {
        let holder = self.plan.piece_of[row];
        self.plan.is_at_hand(holder) || (holder < known && holder < self.plan.front())
    }

    /// The size of a piece as far as what is found before piece `known` says it, as u64: for what a short read needs.
    pub(super) fn size_so_far(&self, piece: usize, known: usize) -> TokenStream {
        let least = self.least(piece);
        let index = self.plan.pieces[piece].rows[0];
        if self.plan.pieces[piece].is_run {
            return quote!((#least as ::core::primitive::u64));
        }
        let row = self.row(index);
        let link = &self.links.rows[index];
        let tag = u64::from(row.keys.tag.is_some());
        // Whether a tagged row is there, only the tag in front of it says.
        let body = match row.keys.tag {
            Some(false) => quote!(0u64),
            _ => self.size_of_present(index, known),
        };
        let nullable = link.len_by.is_some_and(|len| self.says_null(len));
        let there = if row.keys.when.is_some() {
            if !link.when.iter().all(|&row| self.is_known(row, known)) {
                return quote!(0u64);
            }
            self.condition(index)
        } else if nullable && !link.len_by.is_some_and(|len| self.is_known(len, known)) {
            return quote!(0u64);
        } else {
            quote!(true)
        };
        let in_version = self.in_version(index, &quote!(__cx.version));
        match (row.keys.when.is_some(), row.is_versioned()) {
            (false, false) => quote!((#tag + #body)),
            _ => quote!((if #in_version && #there { #tag + #body } else { 0u64 })),
        }
    }

    /// The size of what a row holds if it is there, as far as what is found before piece `known` says it, as u64.
    pub(super) fn size_of_present(&self, index: usize, known: usize) -> TokenStream {
        let link = &self.links.rows[index];
        match (link.len_by, link.count_by, &self.row(index).ty.base) {
            (Some(len), ..) if self.is_known(len, known) => self.length(len),
            (_, Some(count), Base::Seq(ty)) if self.is_known(count, known) => {
                let (count, each) = (self.length(count), self.of_kind(ty, "MIN"));
                quote!(#count.saturating_mul(#each as ::core::primitive::u64))
            }
            _ => {
                let size = self.inner_size(index);
                quote!((#size as ::core::primitive::u64))
            }
        }
    }

    /// The condition of a row, over locals.
    pub(super) fn condition(&self, index: usize) -> TokenStream {
        let Some(condition) = &self.row(index).keys.when else {
            return quote!(true);
        };
        let bindings = self.links.rows[index].when.iter().map(|&other| {
            let name = &self.row(other).name;
            let get = self.get(other, None);
            quote!(let #name = #get;)
        });
        quote!({ #(#bindings)* #condition })
    }
}
