//! How much room a row has, and what is said when it is too little.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::Context;
use crate::plan::{Act, Scheduled};

/// What is known about the surroundings of a piece when it is found.
pub(in super::super) struct Room {
    /// Where it must end.
    pub(super) end: TokenStream,
    /// Whether that end is a declared one, or vouched for by a checksum, as an expression.
    pub(in super::super) closed: TokenStream,
    /// The bytes that are there, from the start of the kind.
    pub(super) available: TokenStream,
    /// The piece behind the last that shares the room.
    until: usize,
    /// The lengths that bound it.
    bounds: Vec<usize>,
}

impl Room {
    /// Room that is measured already.
    pub(super) fn exactly(end: TokenStream, until: usize) -> Self {
        Self {
            available: end.clone(),
            end,
            closed: quote!(true),
            until,
            bounds: Vec::new(),
        }
    }
}

impl Context<'_> {
    /// The room of a row, after the acts in `done`.
    pub(in super::super) fn room(&self, row: usize, done: &[Scheduled]) -> Room {
        self.room_of(row, row + 1, done)
    }

    /// The room of several rows.
    pub(super) fn room_of(&self, row: usize, to: usize, done: &[Scheduled]) -> Room {
        let found = |len: usize| done.iter().any(|done| done.act == Act::Bound(len));
        let mut bounds = self.links.bounds();
        bounds.retain(|&(from, end, len)| from <= row && to <= end && found(len));
        let innermost = bounds.iter().min_by_key(|&(from, to, _)| to - from);
        if let Some(&(_, to, len)) = innermost {
            let bound = self.bound(len);
            return Room {
                bounds: bounds.iter().map(|&(_, _, len)| len).collect(),
                ..Room::exactly(quote!(#bound), self.piece_at(to))
            };
        }
        let vouched = done.iter().filter(|done| match done.act {
            Act::Sum(sum) => {
                let mut spans = self.links.rows[sum].spans.iter();
                spans.any(|&(from, end)| from <= row && to <= end)
            }
            _ => false,
        });
        let krate = &self.krate;
        let closed = match vouched.map(|done| done.walks).max() {
            Some(true) => quote!(true),
            // A walk has not looked at that checksum.
            Some(false) => quote!((__cx.closed || __LEVEL >= #krate::format::FULL)),
            None => quote!(__cx.closed),
        };
        Room {
            end: quote!(__end),
            closed,
            available: quote!(__input.len()),
            until: self.plan.pieces.len(),
            bounds: Vec::new(),
        }
    }

    /// The piece that begins with row `to`, or the end of all.
    fn piece_at(&self, to: usize) -> usize {
        let pieces = self.plan.pieces.len();
        self.plan.piece_of.get(to).copied().unwrap_or(pieces)
    }

    /// `return Err(..)` for want of bytes at a piece: what the whole needs, as far as it is known.
    pub(super) fn short(&self, piece: usize, room: &Room) -> TokenStream {
        let row = self.plan.pieces[piece].rows[0];
        let start = self.position(row);
        let sizes = self.sizes(piece, room.until.max(piece + 1), piece, &room.bounds);
        self.short_of(
            row,
            &quote!((#start as ::core::primitive::u64) #sizes),
            room,
        )
    }

    /// As [`short`](Self::short), at a row that is there and begins at `start`.
    pub(super) fn short_inside(&self, row: usize, start: &TokenStream, room: &Room) -> TokenStream {
        let piece = self.plan.piece_of[row];
        let (size, behind) = (
            self.size_of_present(row, piece),
            self.sizes_of(piece + 1, room),
        );
        let needed = quote!((#start as ::core::primitive::u64).saturating_add(#size).saturating_add(#behind));
        self.short_of(row, &needed, room)
    }

    /// `return Err(..)` for want of `needed` bytes at a row.
    pub(super) fn short_of(&self, row: usize, needed: &TokenStream, room: &Room) -> TokenStream {
        let private = self.private();
        let (number, position) = (self.number(row), self.position(row));
        let (available, closed) = (&room.available, &room.closed);
        quote! {
            return ::core::result::Result::Err(#private::short::<__E>(
                <Self as #private::Format>::KIND,
                #number,
                __at.saturating_add(#position),
                <__E as #private::Fail>::number(|| #needed),
                #available,
                #closed,
            ))
        }
    }

    /// `.saturating_add(..)` of the pieces from `from` up to `until`, as far as what was found before piece `known` says
    /// how long they are; the lengths `around` them say nothing new.
    fn sizes(&self, from: usize, until: usize, known: usize, around: &[usize]) -> TokenStream {
        let mut out = TokenStream::new();
        let mut piece = from;
        while piece < until {
            let row = self.plan.pieces[piece].rows[0];
            let bounds = self.links.bounds().into_iter();
            let bound = bounds
                .filter(|&(from, to, len)| {
                    from == row
                        && self.piece_at(to) <= until
                        && self.is_known(len, known)
                        && !around.contains(&len)
                })
                .max_by_key(|&(from, to, _)| to - from);
            let size = match bound {
                Some((_, _, len)) => self.length(len),
                None => self.size_so_far(piece, known),
            };
            out.extend(quote!(.saturating_add(#size)));
            piece = bound.map_or(piece + 1, |(_, to, _)| self.piece_at(to).max(piece + 1));
        }
        out
    }

    /// The sizes of the pieces from `piece` on that share the room, as u64.
    pub(super) fn sizes_of(&self, piece: usize, room: &Room) -> TokenStream {
        let sizes = self.sizes(piece, room.until, piece - 1, &[]);
        quote!(0u64 #sizes)
    }

    /// `.saturating_add(..)` of the pieces behind the rows that a length bounds, when it is found.
    pub(super) fn sizes_behind(&self, (from, to): (usize, usize), room: &Room) -> TokenStream {
        let known = self.plan.piece_of[from];
        self.sizes(self.piece_at(to), room.until, known, &[])
    }
}
