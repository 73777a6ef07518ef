//! Checksums: over spans of rows, each byte once where two of them share a prefix.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::names::{Context, local};
use crate::model::{Algorithm, Role};

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
            (same == algorithm && from == start && to <= end).then_some((to, other))
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

    /// Position of the boundary before a row, or of the end.
    pub(super) fn boundary(&self, row: usize) -> TokenStream {
        let rows = self.definition.rows.len();
        if row < rows {
            return self.position(row);
        }
        let input = local("input");
        if self.definition.keys.is_whole() && !self.definition.keys.trailing_ignore {
            return quote!(#input.len());
        }
        let front = self.start(self.plan.front());
        quote!(#front)
    }

    /// The check of a checksum.
    pub(super) fn sum_check(&self, index: usize, earlier: &[usize]) -> TokenStream {
        let krate = &self.krate;
        let Role::Checksum(algorithm, _) = &self.row(index).role else {
            return TokenStream::new();
        };
        let sum = self.sum(index, earlier);
        let computed = local("computed");
        let init = sum
            .after
            .map_or_else(|| quote!(0), |other| self.get(other, None));
        let steps = sum.ranges.iter().map(|&(from, to)| {
            let next = self.sum_range(*algorithm, from, to);
            quote!(let #computed = #next;)
        });
        let stored = local("stored");
        let fail = self.fail(index, &quote!(#krate::Fault::Checksum {
            expected: ::core::primitive::u64::from(#stored), found: ::core::primitive::u64::from(#computed),
        }));
        let get = self.get(index, None);
        let check = quote! {
            let #computed = #init;
            #(#steps)*
            if #computed != #stored { #fail; }
        };
        if self.may_be_absent(index) {
            return quote!(if let ::core::option::Option::Some(#stored) = #get { #check });
        }
        quote!({ let #stored = #get; #check })
    }

    /// The checksum `computed`, continued over the bytes between two boundaries.
    fn sum_range(&self, algorithm: Algorithm, from: usize, to: usize) -> TokenStream {
        let computed = local("computed");
        if self.is_in_head(from, to) {
            let run = self.run(0);
            return self.sum_in_run(algorithm, &computed, &quote!(#run), from, to);
        }
        let (function, input) = (function(algorithm, &self.krate), local("input"));
        let (start, end) = (self.boundary(from), self.boundary(to));
        quote!(#function(#computed, #input.get(#start..#end).unwrap_or(&[])))
    }

    /// Whether the rows between two boundaries are all in the first run.
    pub(super) fn is_in_head(&self, from: usize, to: usize) -> bool {
        let rows = self.definition.rows.len();
        let in_head = |row: usize| row < rows && self.plan.piece_of[row] == 0;
        self.plan.has_head()
            && in_head(from)
            && (in_head(to) || (self.plan.is_fixed() && to >= rows))
    }

    /// A checksum, continued over rows of the first run, which `run` refers to: the compiler counts their bytes.
    pub(super) fn sum_in_run(
        &self,
        algorithm: Algorithm,
        computed: &Ident,
        run: &TokenStream,
        from: usize,
        to: usize,
    ) -> TokenStream {
        let (private, zerocopy) = (self.private(), self.zerocopy());
        let layout = self.layout_name(0);
        let place = |row: usize| match self.definition.rows.get(row) {
            Some(row) => {
                let field = &row.name;
                quote!(::core::mem::offset_of!(#layout, #field))
            }
            None => quote!(::core::mem::size_of::<#layout>()),
        };
        let (from, to) = (place(from), place(to));
        let bytes = quote!(#private::span::<{ #from }, { #to - #from }>(#zerocopy::IntoBytes::as_bytes(#run)));
        let function = match algorithm {
            Algorithm::Crc32 => {
                let krate = &self.krate;
                quote!(#krate::checksum::crc32_of)
            }
            _ => function(algorithm, &self.krate),
        };
        quote!(#function(#computed, #bytes))
    }
}
