//! Lengths that bound rows.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::Context;
use crate::plan::Scheduled;

impl Context<'_> {
    /// Finds the end of the rows that a length bounds.
    pub(in super::super) fn find_bound(&self, len: usize, done: &[Scheduled]) -> TokenStream {
        let (krate, private) = (&self.krate, self.private());
        let Some((from, to)) = self.links.rows[len].len_of else {
            return TokenStream::new();
        };
        let (bound, start, length) = (self.bound(len), self.position(from), self.length(len));
        if self.plan.is_fixed() {
            return self.fixed_bound(len, (from, to), &length);
        }
        let room = self.room_of(from, to, done);
        let limit = &room.end;
        let behind = self.sizes_behind((from, to), &room);
        let short = self.short_of(
            len,
            &quote!(#length.saturating_add(#start as ::core::primitive::u64) #behind),
            &room,
        );
        let found = quote! {
            let ::core::option::Option::Some(#bound) = #private::bound(#start, #length, #limit) else { #short };
        };
        // Rows of a run were found before the length was looked at: it must reach at least to their end.
        let piece = self.plan.piece_of[from];
        if !self.plan.pieces[piece].is_run {
            return found;
        }
        let rows = self.plan.pieces[piece].rows.iter().rev();
        let last = rows.copied().find(|&row| row < to).unwrap_or(from);
        let floor = self.behind(last);
        let fail = self.fail(
            len,
            &quote!(#krate::Fault::Overrun {
                needed: (#floor - #start) as ::core::primitive::u64, available: #length,
            }),
        );
        quote!(#found if #bound < #floor { #fail; })
    }

    /// A length of rows of fixed size can only be one number.
    fn fixed_bound(
        &self,
        len: usize,
        (from, to): (usize, usize),
        length: &TokenStream,
    ) -> TokenStream {
        let krate = &self.krate;
        let (Some(start), Some(end)) = (self.head_offset(from), self.head_offset(to)) else {
            return TokenStream::new();
        };
        let short = self.fail(
            len,
            &quote!(#krate::Fault::Overrun { needed: __size, available: __length }),
        );
        let long = self.fail_at(
            len,
            &end,
            &quote!(#krate::Fault::Trailing { left: __length - __size }),
        );
        quote!({
            let (__length, __size) = (#length, (#end - #start) as ::core::primitive::u64);
            if __length < __size { #short; }
            if __length > __size { #long; }
        })
    }

    /// Position of the first byte behind a row in a run.
    fn behind(&self, row: usize) -> TokenStream {
        let piece = self.plan.piece_of[row];
        let rows = &self.plan.pieces[piece].rows;
        let at = rows.iter().position(|&other| other == row);
        match at.and_then(|at| rows.get(at + 1)) {
            Some(&next) => self.position(next),
            None => {
                let (start, layout) = (self.position(rows[0]), self.layout_name(piece));
                quote!((#start + ::core::mem::size_of::<#layout>()))
            }
        }
    }

    /// Checks that a declared length is used up.
    pub(in super::super) fn used_up(&self, len: usize) -> TokenStream {
        let krate = &self.krate;
        let Some((_, to)) = self.links.rows[len].len_of else {
            return TokenStream::new();
        };
        if self.plan.is_fixed() {
            return TokenStream::new();
        }
        let (bound, behind) = (self.bound(len), self.begin(to));
        let fail = self.fail_at(
            len,
            &behind,
            &quote!(#krate::Fault::Trailing {
                left: (#bound - #behind) as ::core::primitive::u64,
            }),
        );
        quote!(if #behind < #bound { #fail; })
    }
}
