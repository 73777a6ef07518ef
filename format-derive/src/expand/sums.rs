//! Checksums: over spans of rows, each byte once where two of them share a prefix.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Context;
use crate::model::{Algorithm, Role};
use crate::plan::{End, Scheduled};

/// Where a checksum starts from, and the ranges that are left to read.
pub(super) struct Sum {
    /// The row whose checksum covers the prefix.
    pub(super) after: Option<usize>,
    pub(super) ranges: Vec<(usize, usize)>,
}

pub(super) fn function(algorithm: Algorithm, krate: &TokenStream) -> TokenStream {
    match algorithm {
        Algorithm::Crc32 => quote!(#krate::checksum::crc32),
        Algorithm::Crc32c => quote!(#krate::checksum::crc32c),
        Algorithm::Crc64 => quote!(#krate::checksum::crc64),
    }
}

impl Context<'_> {
    /// What a checksum covers, behind the longest prefix that one of `earlier` covers whole.
    pub(super) fn sum(&self, index: usize, earlier: &[usize]) -> Sum {
        let spans = &self.links.rows[index].spans;
        let Role::Checksum(algorithm, _) = &self.row(index).role else {
            return Sum {
                after: None,
                ranges: Vec::new(),
            };
        };
        let shared = earlier.iter().copied().filter_map(|other| {
            let Role::Checksum(same, _) = &self.row(other).role else {
                return None;
            };
            let [(from, to)] = self.links.rows[other].spans[..] else {
                return None;
            };
            let &(start, end) = spans.first()?;
            let shares = same == algorithm && from == start && to <= end;
            (shares && !self.may_be_absent(other)).then_some((to, other))
        });
        let Some((to, other)) = shared.max() else {
            return Sum {
                after: None,
                ranges: spans.clone(),
            };
        };
        let mut ranges = spans.clone();
        if let Some(first) = ranges.first_mut() {
            first.0 = to;
        }
        ranges.retain(|(from, to)| from < to);
        Sum {
            after: Some(other),
            ranges,
        }
    }

    /// Position where the rows from `row` on begin.
    pub(super) fn begin(&self, row: usize) -> TokenStream {
        if row < self.definition.rows.len() {
            return self.position(row);
        }
        let front = self.start(self.plan.front());
        quote!(#front)
    }

    /// Where the rows from `row` on begin, as a constant, if that is in the head or right behind it.
    pub(super) fn head_offset(&self, row: usize) -> Option<TokenStream> {
        if !self.plan.has_head() {
            return None;
        }
        let layout = self.layout_name(0);
        if self.plan.piece_of.get(row) == Some(&0) {
            let field = &self.row(row).name;
            return Some(quote!(::core::mem::offset_of!(#layout, #field)));
        }
        let second = self.plan.pieces.get(1).map(|piece| piece.rows[0]);
        (row == second.unwrap_or(self.definition.rows.len()))
            .then(|| quote!(::core::mem::size_of::<#layout>()))
    }

    /// Position where the rows before `row` end.
    pub(super) fn end(&self, row: usize) -> TokenStream {
        match self.plan.end(self.definition, self.links, row) {
            End::Input => quote!(__input.len()),
            End::Bound(len) => {
                let bound = self.bound(len);
                quote!(#bound)
            }
            End::Found => self.begin(row),
        }
    }

    /// The check of a checksum, behind the checks in `done`.
    pub(super) fn sum_check(
        &self,
        index: usize,
        done: &[Scheduled],
        scheduled: Scheduled,
    ) -> TokenStream {
        let krate = &self.krate;
        let Role::Checksum(algorithm, _) = &self.row(index).role else {
            return TokenStream::new();
        };
        let sum = self.sum(index, &super::acts::sums_for(done, scheduled));
        let init = sum
            .after
            .map_or_else(|| quote!(0), |other| self.get(other, None));
        let steps = sum.ranges.iter().map(|&(from, to)| {
            let next = self.sum_range(*algorithm, from, to);
            quote!(let __computed = #next;)
        });
        let fail = self.fail(index, &quote!(#krate::Fault::Checksum {
            expected: ::core::convert::Into::into(__stored), found: ::core::convert::Into::into(__computed),
        }));
        let get = self.get(index, None);
        let check = quote! {
            let __computed = #init;
            #(#steps)*
            if __computed != __stored { #fail; }
        };
        if self.may_be_absent(index) {
            return quote!(if let ::core::option::Option::Some(__stored) = #get { #check });
        }
        quote!({ let __stored = #get; #check })
    }

    /// The checksum `__computed`, continued over the bytes between two boundaries.
    fn sum_range(&self, algorithm: Algorithm, from: usize, to: usize) -> TokenStream {
        let (computed, run) = (quote!(__computed), self.run(0));
        if let Some(next) = self.sum_in_run(algorithm, &computed, &quote!(#run), from, to) {
            return next;
        }
        let function = function(algorithm, &self.krate);
        let (start, end) = (self.begin(from), self.end(to));
        quote!(#function(#computed, __input.get(#start..#end).unwrap_or(&[])))
    }

    /// The checksum `computed`, continued over rows of the first run, which `run` refers to: the compiler counts their
    /// bytes. `None` if not all of them are there.
    pub(super) fn sum_in_run(
        &self,
        algorithm: Algorithm,
        computed: &TokenStream,
        run: &TokenStream,
        from: usize,
        to: usize,
    ) -> Option<TokenStream> {
        let (krate, private, zerocopy) = (&self.krate, self.private(), self.zerocopy());
        let (from, to) = (self.head_offset(from)?, self.head_offset(to)?);
        let bytes = quote!(#private::span::<{ #from }, { #to - #from }>(#zerocopy::IntoBytes::as_bytes(#run)));
        let function = match algorithm {
            Algorithm::Crc32 => quote!(#krate::checksum::crc32_of),
            _ => function(algorithm, krate),
        };
        Some(quote!(#function(#computed, #bytes)))
    }
}
