//! Checksums of what is being written. Those over the head alone are computed before it is copied, the others over the
//! buffer, which is still in cache.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::{Context, local};
use super::super::sums::function;
use crate::model::{Base, Role};

impl Context<'_> {
    /// The checksums in the first run that cover nothing but rows of that run, none of them another checksum to come.
    pub(super) fn sums_in_head(&self) -> Vec<usize> {
        if !self.plan.has_head() {
            return Vec::new();
        }
        let in_head = |row: usize| row < self.definition.rows.len() && self.plan.piece_of[row] == 0;
        let sums = self.rows().filter(|(index, row)| {
            let Role::Checksum(..) = row.role else {
                return false;
            };
            let spans = &self.links.rows[*index].spans;
            in_head(*index)
                && spans.iter().all(|&(from, to)| {
                    in_head(from)
                        && (in_head(to)
                            || (self.plan.is_fixed() && to >= self.definition.rows.len()))
                })
        });
        sums.map(|(index, _)| index).collect()
    }

    /// Computes a checksum over the local run and stores it there.
    pub(super) fn write_sum_in_run(&self, index: usize, all: &[usize]) -> TokenStream {
        let (krate, zerocopy, run) = (&self.krate, self.zerocopy(), local("run"));
        let Role::Checksum(algorithm, _) = &self.row(index).role else {
            return TokenStream::new();
        };
        let (function, layout) = (function(*algorithm, krate), self.layout_name(0));
        let earlier: Vec<_> = all
            .iter()
            .copied()
            .take_while(|&other| other != index)
            .collect();
        let sum = self.sum(index, &earlier);
        let computed = self.computed(index);
        let init = sum.after.map_or_else(
            || quote!(0),
            |other| {
                let other = self.computed(other);
                quote!(#other)
            },
        );
        let end = |row: usize| match self.definition.rows.get(row) {
            Some(row) => {
                let field = &row.name;
                quote!(::core::mem::offset_of!(#layout, #field))
            }
            None => quote!(::core::mem::size_of::<#layout>()),
        };
        let steps = sum.ranges.iter().map(|&(from, to)| {
            let (from, to) = (end(from), end(to));
            quote!(let #computed = #function(#computed, &#zerocopy::IntoBytes::as_bytes(&#run)[#from..#to]);)
        });
        let field = &self.row(index).name;
        let stored = match self.row(index).ty.base {
            Base::Int(int) => self.stored(index, int),
            _ => quote!(()),
        };
        quote! {
            let #computed = #init;
            #(#steps)*
            #run.#field = <#stored>::new(#computed);
        }
    }

    /// Computes a checksum over the buffer and stores it there.
    pub(super) fn write_sum(&self, index: usize, earlier: &[usize]) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let Role::Checksum(algorithm, _) = &row.role else {
            return TokenStream::new();
        };
        let function = function(*algorithm, krate);
        let (out, base, version) = (local("out"), local("base"), local("version"));
        let sum = self.sum(index, earlier);
        let computed = self.computed(index);
        let init = sum.after.map_or_else(
            || quote!(0),
            |other| {
                let other = self.computed(other);
                quote!(#other)
            },
        );
        let steps = sum.ranges.iter().map(|&(from, to)| {
            let (from, to) = (self.written_at(from), self.written_at(to));
            quote!(let #computed = #function(#computed, #out.get(#base + #from..#base + #to).unwrap_or(&[]));)
        });
        let (at, order) = (
            self.written_at(index),
            if self.is_le(index) {
                quote!(to_le_bytes)
            } else {
                quote!(to_be_bytes)
            },
        );
        let size = self.inner_size(index);
        let store = quote! {
            if let ::core::option::Option::Some(slot) = #out.get_mut(#base + #at..#base + #at + #size) {
                slot.copy_from_slice(&#computed.#order());
            }
        };
        let compute = quote! {
            let #computed = #init;
            #(#steps)*
        };
        if row.is_versioned() {
            let there = self.in_version(index, &quote!(#version));
            return quote!(#compute if #there { #store });
        }
        quote!(#compute #store)
    }

    fn computed(&self, index: usize) -> proc_macro2::Ident {
        local(&format!("sum{index}"))
    }

    /// Position of a row in what is being written, from the start of the kind.
    fn written_at(&self, row: usize) -> TokenStream {
        if row >= self.definition.rows.len() {
            let end = self.start(self.plan.pieces.len());
            return quote!(#end);
        }
        let piece = self.plan.piece_of[row];
        let start = self.start(piece);
        if !self.plan.pieces[piece].is_run {
            return quote!(#start);
        }
        let (layout, field) = (self.layout_name(piece), &self.row(row).name);
        quote!((#start + ::core::mem::offset_of!(#layout, #field)))
    }
}
