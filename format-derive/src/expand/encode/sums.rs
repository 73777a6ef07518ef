//! Checksums of what is being written. Those over the head alone are computed before it is copied, the others over the
//! buffer, which is still in cache.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::names::Context;
use super::super::sums::function;
use crate::model::{Base, Role};

impl Context<'_> {
    /// The checksums in the first run that cover nothing but rows of that run, none of them a checksum of the others.
    pub(super) fn sums_in_head(&self) -> Vec<usize> {
        let mut early = Vec::new();
        for (index, row) in self.rows() {
            let in_head = matches!(row.role, Role::Checksum(..)) && self.is_in_head(index);
            if in_head && self.covers_head_alone(index, &early) {
                early.push(index);
            }
        }
        early
    }

    fn is_in_head(&self, row: usize) -> bool {
        self.plan.has_head() && self.plan.piece_of[row] == 0
    }

    fn covers_head_alone(&self, sum: usize, early: &[usize]) -> bool {
        self.links.rows[sum].spans.iter().all(|&(from, to)| {
            self.head_offset(from).is_some()
                && self.head_offset(to).is_some()
                && (from..to).all(|row| {
                    !matches!(self.row(row).role, Role::Checksum(..)) || early.contains(&row)
                })
        })
    }

    /// Computes a checksum over the local run and stores it there.
    pub(super) fn write_sum_in_run(&self, index: usize, all: &[usize]) -> TokenStream {
        let earlier = all.iter().copied().take_while(|&other| other != index);
        let earlier: Vec<_> = earlier.collect();
        let (compute, store) = (self.compute(index, &earlier), self.store_in_run(index));
        quote!(#compute #store)
    }

    /// Computes a checksum that covers bytes of the buffer and stores it there.
    pub(super) fn write_sum(&self, index: usize, earlier: &[usize]) -> TokenStream {
        let compute = self.compute(index, earlier);
        let (computed, at) = (self.computed(index), self.written_at(index));
        let (order, size) = (self.to_bytes(index), self.inner_size(index));
        let store = quote! {
            if let ::core::option::Option::Some(__slot) = __out.get_mut(__base + #at..__base + #at + #size) {
                __slot.copy_from_slice(&#computed.#order());
            }
        };
        if self.row(index).is_versioned() {
            let there = self.in_version(index, &quote!(__version));
            return quote!(#compute if #there { #store });
        }
        // Checksums to come may cover this one in the local run.
        let keep = self.is_in_head(index).then(|| self.store_in_run(index));
        quote!(#compute #store #keep)
    }

    /// Binds a checksum. What it covers of the first run is read there, and not from the buffer.
    fn compute(&self, index: usize, earlier: &[usize]) -> TokenStream {
        let Role::Checksum(algorithm, _) = &self.row(index).role else {
            return TokenStream::new();
        };
        let function = function(*algorithm, &self.krate);
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
            let next = self
                .sum_in_run(*algorithm, &quote!(#computed), &quote!(&__head), from, to)
                .unwrap_or_else(|| {
                    let (from, to) = (self.written_at(from), self.written_at(to));
                    quote!(#function(#computed, __out.get(__base + #from..__base + #to).unwrap_or(&[])))
                });
            quote!(let #computed = #next;)
        });
        quote! {
            let #computed = #init;
            #(#steps)*
        }
    }

    fn store_in_run(&self, index: usize) -> TokenStream {
        let Base::Int(int) = self.row(index).ty.base else {
            return TokenStream::new();
        };
        let (field, stored, computed) = (
            &self.row(index).name,
            self.stored(index, int),
            self.computed(index),
        );
        quote!(__head.#field = <#stored>::new(#computed);)
    }

    fn computed(&self, index: usize) -> Ident {
        format_ident!("__sum{index}")
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
