//! Finding pieces: where they begin, and whether they are there.

mod bound;
mod find;
mod room;
mod sequence;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Context;
use crate::plan::{Place, Scheduled};
use room::Room;

impl Context<'_> {
    /// Finds a piece and binds it, and the start of the one behind it.
    pub(super) fn locate(&self, piece: usize, done: &[Scheduled], hoisted: bool) -> TokenStream {
        let row = self.plan.pieces[piece].rows[0];
        let room = self.room(row, done);
        match (
            self.plan.pieces[piece].place,
            self.plan.pieces[piece].is_run,
        ) {
            (Place::Back, _) => self.locate_back(piece, &room, hoisted),
            (_, true) => self.locate_run(piece, &room),
            (_, false) => {
                let (variable, next) = (self.variable(row), self.start(piece + 1));
                let found = self.find(row, &room, hoisted);
                quote!(let (#variable, #next) = #found;)
            }
        }
    }

    fn locate_run(&self, piece: usize, room: &Room) -> TokenStream {
        let (private, zerocopy) = (self.private(), self.zerocopy());
        let (layout, run) = (self.layout_name(piece), self.run(piece));
        let start = self.position(self.plan.pieces[piece].rows[0]);
        let (next, end) = (self.start(piece + 1), &room.end);
        let short = self.short(piece, room);
        quote! {
            let ::core::option::Option::Some(#run) = #private::take(
                __input, #start, ::core::mem::size_of::<#layout>() as ::core::primitive::u64, #end,
            )
            .and_then(|__bytes| <#layout as #zerocopy::FromBytes>::ref_from_bytes(__bytes).ok()) else { #short };
            let #next = #start + ::core::mem::size_of::<#layout>();
        }
    }

    /// A piece behind a row that takes the rest: from the end backwards.
    fn locate_back(&self, piece: usize, around: &Room, hoisted: bool) -> TokenStream {
        let (krate, private) = (&self.krate, self.private());
        let row = self.plan.pieces[piece].rows[0];
        let start = self.start(piece);
        let until = match self.plan.pieces.get(piece + 1) {
            Some(next) if next.place == Place::Back => {
                let next = self.start(piece + 1);
                quote!(#next)
            }
            _ => around.end.clone(),
        };
        let size = match self.links.rows[row].len_by {
            Some(len) => self.length(len),
            None => {
                let least = self.least(piece);
                quote!((#least as ::core::primitive::u64))
            }
        };
        let rest = self.plan.front().saturating_sub(1);
        let floor = if rest == 0 {
            quote!(0usize)
        } else {
            let floor = self.start(rest);
            quote!(#floor)
        };
        let overrun = quote!(#krate::Fault::Overrun {
            needed: __length, available: (#until - #floor) as ::core::primitive::u64,
        });
        let fail = match self.links.rows[row].len_by {
            Some(len) => self.fail(len, &overrun),
            None => self.fail_at(row, &floor, &overrun),
        };
        let room = Room::exactly(until.clone(), piece + 1);
        let find = if self.plan.pieces[piece].is_run {
            let zerocopy = self.zerocopy();
            let (layout, run) = (self.layout_name(piece), self.run(piece));
            let short = self.short(piece, &room);
            quote! {
                let ::core::option::Option::Some(#run) = __input.get(#start..#until)
                    .and_then(|__bytes| <#layout as #zerocopy::FromBytes>::ref_from_bytes(__bytes).ok()) else { #short };
            }
        } else {
            let variable = self.variable(row);
            let found = self.find(row, &room, hoisted);
            quote!(let (#variable, _) = #found;)
        };
        quote! {
            let __length = #size;
            let ::core::option::Option::Some(#start) = #private::back(#until, __length, #floor) else { #fail };
            #find
        }
    }
}
