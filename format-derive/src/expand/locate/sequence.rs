//! Entries and nested kinds: instances that are stepped over when their end is needed, and checked at their turn.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::super::names::Context;
use super::room::Room;
use crate::model::Base;
use crate::plan::{Act, Place, Scheduled, ends_with_input};

impl Context<'_> {
    /// The level at which instances are opened where they are found.
    pub(super) fn opened(
        &self,
        hoisted: bool,
        open: impl Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let krate = &self.krate;
        let own = open(&quote!(__LEVEL));
        if !hoisted {
            return own;
        }
        // Stepped over now, checked at its own turn.
        let walk = open(&quote!({ #krate::format::WALK }));
        quote!(if __LEVEL >= #krate::format::FULL { #walk } else { #own })
    }

    /// The check that a count can be right.
    pub(in super::super) fn count_fits(&self, count: usize, done: &[Scheduled]) -> TokenStream {
        let Some(entries) = self.links.rows[count].count_of else {
            return TokenStream::new();
        };
        let Base::Seq(ty) = &self.row(entries).ty.base else {
            return TokenStream::new();
        };
        let private = self.private_at(ty.span());
        let (ty, room) = (self.of_input(ty), self.room(entries, done));
        let (start, number) = (self.inner_position(entries), self.length(count));
        let (place, closed) = (self.seq_place(entries, &start, &room), &room.closed);
        let check = quote_spanned!(ty.span()=> #private::count_fits::<#ty, __E>(#place, #number, __cx.nested(#closed))?;);
        if self.row(entries).keys.tag.is_some() {
            // Whether they are there, only the tag in front of them says.
            return TokenStream::new();
        }
        if self.row(entries).keys.when.is_some() {
            let there = self.condition(entries);
            return quote!(if #there { #check });
        }
        check
    }

    /// The place of a sequence, for the runtime.
    pub(super) fn seq_place(&self, row: usize, start: &TokenStream, room: &Room) -> TokenStream {
        let private = self.private();
        let number = self.number(row);
        let link = &self.links.rows[row];
        let count = match link.count_by {
            Some(count) => {
                let count = self.length(count);
                quote!(::core::option::Option::Some(#count))
            }
            None => quote!(::core::option::Option::None),
        };
        let piece = self.plan.piece_of[row];
        let torn = link.len_by.is_none() && self.definition.keys.trailing_ignore;
        let (find_end, end) = match link.len_by {
            Some(len) if self.plan.pieces[piece].place == Place::Front => {
                let (length, end, short) = (
                    self.length(len),
                    &room.end,
                    self.short_inside(row, start, room),
                );
                let find_end = quote! {
                    let ::core::option::Option::Some(__end_of_row) = #private::bound(#start, #length, #end)
                        else { #short };
                };
                (find_end, quote!(__end_of_row))
            }
            _ => (TokenStream::new(), self.rest_end(row, room)),
        };
        let innermost = self.links.innermost_bound(row);
        let (behind, available) = match (link.len_by, self.plan.pieces[piece].place) {
            // They end where their own length does.
            (Some(_), Place::Front) => (quote!(0u64), quote!(__end_of_row)),
            _ => (self.sizes_of(piece + 1, room), room.available.clone()),
        };
        let last = match innermost {
            Some((_, to)) => to == row + 1,
            None => ends_with_input(self.definition) && piece + 1 == self.plan.front(),
        };
        quote!({
            #find_end
            #private::Place {
                kind: <Self as #private::Format>::KIND,
                row: #number,
                at: __at,
                pos: #start,
                end: #end,
                behind: <__E as #private::Fail>::number(|| #behind),
                available: #available,
                count: #count,
                torn: #torn,
                last: #last,
            }
        })
    }

    /// Makes the checks of instances that were only stepped over.
    pub(in super::super) fn recheck(&self, piece: usize, done: &[Scheduled]) -> TokenStream {
        let krate = &self.krate;
        let hoisted = done
            .iter()
            .any(|done| done.act == Act::Locate(piece) && done.hoisted);
        if !hoisted {
            return TokenStream::new();
        }
        let row = self.plan.pieces[piece].rows[0];
        let (variable, start) = (self.variable(row), self.inner_position(row));
        let check = match &self.row(row).ty.base {
            Base::Seq(ty) => {
                let (private, ty) = (self.private_at(ty.span()), self.of_input(ty));
                let in_row = self.in_row(row);
                quote_spanned! {ty.span()=>
                    #private::check_entries::<#ty, __E>(&__found, __at.saturating_add(#start))#in_row?;
                }
            }
            Base::Path(ty) => {
                let ty = self.of_input(ty);
                let (kind, open) = (self.of_kind(&ty, "KIND"), self.of_kind(&ty, "open"));
                let (next, in_row) = (self.start(piece + 1), self.in_row(row));
                quote! {
                    let _ = __found;
                    if const { #kind.is_checked() } {
                        #open::<__E, { #krate::format::FULL }>(
                            __input.get(#start..#next).unwrap_or(&[]), __at.saturating_add(#start), __cx.nested(true),
                        )#in_row?;
                    }
                }
            }
            _ => return TokenStream::new(),
        };
        if self.may_be_absent(row) {
            quote!(if let ::core::option::Option::Some(__found) = #variable { #check })
        } else {
            quote!({ let __found = #variable; #check })
        }
    }

    /// Position of what a row holds: behind its tag.
    fn inner_position(&self, row: usize) -> TokenStream {
        let start = self.position(row);
        match self.row(row).keys.tag {
            Some(_) => quote!((#start + 1)),
            None => start,
        }
    }
}
