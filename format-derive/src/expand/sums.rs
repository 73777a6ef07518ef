//! Checksums: over spans of rows, each byte once where two of them share a prefix.

use proc_macro2::TokenStream;
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
        let function = function(*algorithm, krate);
        let sum = self.sum(index, earlier);
        let computed = local("computed");
        let init = sum
            .after
            .map_or_else(|| quote!(0), |other| self.get(other, None));
        let steps = sum.ranges.iter().map(|&(from, to)| {
            let bytes = self.range(from, to);
            quote!(let #computed = #function(#computed, #bytes);)
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

    /// The bytes between two boundaries.
    fn range(&self, from: usize, to: usize) -> TokenStream {
        let zerocopy = self.zerocopy();
        let plan = self.plan;
        if plan.has_head()
            && to < self.definition.rows.len()
            && plan.piece_of[from] == 0
            && plan.piece_of[to] == 0
        {
            let (layout, run) = (self.layout_name(0), self.run(0));
            let (from, to) = (&self.row(from).name, &self.row(to).name);
            return quote! {
                &#zerocopy::IntoBytes::as_bytes(#run)
                    [::core::mem::offset_of!(#layout, #from)..::core::mem::offset_of!(#layout, #to)]
            };
        }
        let input = local("input");
        let (start, end) = (self.boundary(from), self.boundary(to));
        quote!(#input.get(#start..#end).unwrap_or(&[]))
    }
}
