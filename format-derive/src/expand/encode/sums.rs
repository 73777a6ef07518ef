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
        let sums = self.rows().filter(|(index, row)| {
            let spans = &self.links.rows[*index].spans;
            matches!(row.role, Role::Checksum(..))
                && self.is_in_head(*index, *index)
                && spans.iter().all(|&(from, to)| self.is_in_head(from, to))
        });
        sums.map(|(index, _)| index).collect()
    }

    /// Computes a checksum over the local run and stores it there.
    pub(super) fn write_sum_in_run(&self, index: usize, all: &[usize]) -> TokenStream {
        let earlier: Vec<_> = all
            .iter()
            .copied()
            .take_while(|&other| other != index)
            .collect();
        let (compute, store) = (
            self.compute_sum(index, &earlier),
            self.store_sum_in_run(index),
        );
        quote!(#compute #store)
    }

    /// Computes a checksum that covers bytes of the buffer and stores it there.
    pub(super) fn write_sum(&self, index: usize, earlier: &[usize]) -> TokenStream {
        let (out, base, version) = (local("out"), local("base"), local("version"));
        let compute = self.compute_sum(index, earlier);
        let (at, computed) = (self.written_at(index), self.computed(index));
        let order = if self.is_le(index) {
            quote!(to_le_bytes)
        } else {
            quote!(to_be_bytes)
        };
        let size = self.inner_size(index);
        let store = quote! {
            if let ::core::option::Option::Some(slot) = #out.get_mut(#base + #at..#base + #at + #size) {
                slot.copy_from_slice(&#computed.#order());
            }
        };
        // Checksums to come may cover this one in the local run.
        let keep = if self.is_in_head(index, index) {
            self.store_sum_in_run(index)
        } else {
            TokenStream::new()
        };
        if self.row(index).is_versioned() {
            let there = self.in_version(index, &quote!(#version));
            return quote!(#compute if #there { #store });
        }
        quote!(#compute #store #keep)
    }

    /// Binds a checksum. What it covers of the first run is read there, and not from the buffer.
    fn compute_sum(&self, index: usize, earlier: &[usize]) -> TokenStream {
        let Role::Checksum(algorithm, _) = &self.row(index).role else {
            return TokenStream::new();
        };
        let function = function(*algorithm, &self.krate);
        let (out, base, head) = (local("out"), local("base"), local("head"));
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
            let next = if self.is_in_head(from, to) {
                self.sum_in_run(*algorithm, &computed, &quote!(&#head), from, to)
            } else {
                let (from, to) = (self.written_at(from), self.written_at(to));
                quote!(#function(#computed, #out.get(#base + #from..#base + #to).unwrap_or(&[])))
            };
            quote!(let #computed = #next;)
        });
        quote! {
            let #computed = #init;
            #(#steps)*
        }
    }

    fn store_sum_in_run(&self, index: usize) -> TokenStream {
        let Base::Int(int) = self.row(index).ty.base else {
            return TokenStream::new();
        };
        let (head, field) = (local("head"), &self.row(index).name);
        let (stored, computed) = (self.stored(index, int), self.computed(index));
        quote!(#head.#field = <#stored>::new(#computed);)
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
