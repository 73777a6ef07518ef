//! Sizes of pieces, and how many bytes an instance needs: for constants and for what a short read reports.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Context;
use crate::model::{Base, Varint};

impl Context<'_> {
    /// The bytes of a piece that are always there, as a constant.
    pub(super) fn least(&self, piece: usize) -> TokenStream {
        let krate = &self.krate;
        if self.plan.pieces[piece].is_run {
            let name = self.layout_name(piece);
            return quote!(::core::mem::size_of::<#name>());
        }
        let index = self.plan.pieces[piece].rows[0];
        let row = self.row(index);
        if row.is_versioned() || row.keys.when.is_some() {
            return quote!(0usize);
        }
        match (row.keys.tag, &row.ty.base) {
            (Some(true), _) => {
                let size = self.inner_size(index);
                quote!((1usize + #size))
            }
            (Some(false), _) => quote!(1usize),
            (None, _) if row.ty.optional => quote!(0usize),
            (None, Base::Path(ty)) => quote!(<#ty as #krate::format::Format>::MIN),
            (None, _) => self.inner_size(index),
        }
    }

    /// The size of the type of a row, without its `Option` or tag; 0 for what is open-ended.
    pub(super) fn inner_size(&self, index: usize) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        match &row.ty.base {
            Base::Int(_) if row.keys.varint.is_some() => quote!(1usize),
            Base::Int(int) => {
                let bytes = usize::from(int.bytes);
                quote!(#bytes)
            }
            Base::Array(len) => quote!((#len)),
            Base::Path(ty) => quote!((match <#ty as #krate::format::Format>::SIZE {
                ::core::option::Option::Some(size) => size,
                ::core::option::Option::None => <#ty as #krate::format::Format>::MIN,
            })),
            _ => quote!(0usize),
        }
    }

    /// A length or count as u64, as its row says it: nothing for null, without the bias.
    pub(super) fn length(&self, index: usize) -> TokenStream {
        let row = self.row(index);
        let get = self.get(index, None);
        let signed = matches!(&row.ty.base, Base::Int(int) if int.signed)
            || row.keys.varint == Some(Varint::ZigZag);
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

    /// Whether a length says that its row is null.
    pub(super) fn is_null(&self, len: usize) -> TokenStream {
        let row = self.row(len);
        let get = self.get(len, None);
        match row.keys.null {
            Some(null) if null < 0 => quote!((#get < 0)),
            Some(null) => {
                let null = proc_macro2::Literal::i64_unsuffixed(null);
                quote!((#get == #null))
            }
            None => quote!((#get == 0)),
        }
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

    /// The size of a piece as far as what is found by piece `known` says it, as u64: for what a short read needs.
    pub(super) fn size_so_far(
        &self,
        piece: usize,
        known: usize,
        version: &TokenStream,
    ) -> TokenStream {
        let least = self.least(piece);
        let index = self.plan.pieces[piece].rows[0];
        if self.plan.pieces[piece].is_run {
            return quote!((#least as ::core::primitive::u64));
        }
        let row = self.row(index);
        let link = &self.links.rows[index];
        let krate = &self.krate;
        let at_hand = |row: usize| {
            let holder = self.plan.piece_of[row];
            self.plan.is_at_hand(holder) || (holder < known && holder < self.plan.front())
        };
        let size = match (link.len_by, link.count_by, &row.ty.base) {
            (Some(len), _, _) if at_hand(len) => self.length(len),
            (_, Some(count), Base::Seq(ty)) if at_hand(count) => {
                let count = self.length(count);
                quote!(#count.saturating_mul(match <#ty as #krate::format::Format>::SIZE {
                    ::core::option::Option::Some(size) => size as ::core::primitive::u64,
                    ::core::option::Option::None => <#ty as #krate::format::Format>::MIN as ::core::primitive::u64,
                }))
            }
            _ if row.keys.when.is_some() && link.when.iter().all(|&row| at_hand(row)) => {
                let condition = self.condition(index);
                let size = self.inner_size(index);
                quote!((if #condition { #size as ::core::primitive::u64 } else { 0 }))
            }
            _ if row.is_versioned() && row.keys.when.is_none() => {
                let tag = usize::from(row.keys.tag.is_some());
                let size = if row.keys.tag == Some(false) {
                    quote!(0usize)
                } else {
                    self.inner_size(index)
                };
                quote!(((#tag + #size) as ::core::primitive::u64))
            }
            _ => quote!((#least as ::core::primitive::u64)),
        };
        if row.is_versioned() {
            let there = self.in_version(index, version);
            return quote!((if #there { #size } else { 0 }));
        }
        size
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
