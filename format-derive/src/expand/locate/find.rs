//! A row of variable size: whether it is there, and what it holds.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::super::names::{Context, primitive};
use super::room::Room;
use crate::model::{Base, Int, Varint};
use crate::plan::{Place, takes_rest};

impl Context<'_> {
    /// `(value, position behind it)` of a variable row.
    pub(super) fn find(&self, row: usize, room: &Room, hoisted: bool) -> TokenStream {
        let definition = self.row(row);
        let start = self.position(row);
        let some = |found: TokenStream| {
            quote!({
                let (__value, __next) = #found;
                (::core::option::Option::Some(__value), __next)
            })
        };
        let none = quote!((::core::option::Option::None, #start));
        let nullable = self.links.rows[row]
            .len_by
            .filter(|&len| self.says_null(len));
        let mut found = if let Some(fixed) = definition.keys.tag {
            self.tagged(row, fixed, room, hoisted)
        } else {
            let found = self.find_inner(row, &start, room, hoisted);
            if definition.keys.when.is_some() {
                let (condition, found) = (self.condition(row), some(found));
                quote!(if #condition { #found } else { #none })
            } else if let Some(len) = nullable {
                let (is_null, found) = (self.is_null(len), some(found));
                quote!(if #is_null { #none } else { #found })
            } else if definition.is_versioned() {
                some(found)
            } else {
                found
            }
        };
        if definition.is_versioned() {
            let there = self.in_version(row, &quote!(__cx.version));
            found = quote!(if #there { #found } else { #none });
        }
        found
    }

    /// A row with a tag byte in front.
    fn tagged(&self, row: usize, fixed: bool, room: &Room, hoisted: bool) -> TokenStream {
        let krate = &self.krate;
        let start = self.position(row);
        let short = self.short(self.plan.piece_of[row], room);
        let found = self.find_inner(row, &quote!(__behind), room, hoisted);
        let fail = self.fail(row, &quote!(#krate::Fault::Tag { found: __tag }));
        let end = &room.end;
        let absent = if fixed {
            quote!({
                let (_, __next) = #found;
                (::core::option::Option::None, __next)
            })
        } else {
            quote!((::core::option::Option::None, __behind))
        };
        quote!({
            let ::core::option::Option::Some(&__tag) = __input.get(#start..#end).and_then(|__rest| __rest.first())
                else { #short };
            let __behind = #start + 1;
            match __tag {
                0 => #absent,
                1 => {
                    let (__value, __next) = #found;
                    (::core::option::Option::Some(__value), __next)
                }
                _ => { #fail }
            }
        })
    }

    /// `(value, position behind it)` of a row that is there.
    fn find_inner(
        &self,
        row: usize,
        start: &TokenStream,
        room: &Room,
        hoisted: bool,
    ) -> TokenStream {
        let (private, zerocopy) = (self.private(), self.zerocopy());
        let definition = self.row(row);
        let end = &room.end;
        let short = self.short_inside(row, start, room);
        match &definition.ty.base {
            Base::Int(int) if definition.keys.varint.is_some() => {
                self.find_varint(row, *int, start, room)
            }
            Base::Int(int) => {
                let (stored, size) = (self.stored(row, *int), u64::from(int.bytes));
                let get = if int.bytes == 1 {
                    quote!(__value)
                } else {
                    quote!(__value.get())
                };
                quote!({
                    let ::core::option::Option::Some(__value) = #private::take(__input, #start, #size, #end)
                        .and_then(|__bytes| <#stored as #zerocopy::FromBytes>::read_from_bytes(__bytes).ok())
                        else { #short };
                    (#get, #start + #size as ::core::primitive::usize)
                })
            }
            Base::Array(len) => quote!({
                let ::core::option::Option::Some(__value) =
                    #private::take(__input, #start, (#len) as ::core::primitive::u64, #end)
                        .and_then(|__bytes| {
                            <[::core::primitive::u8; #len] as #zerocopy::FromBytes>::ref_from_bytes(__bytes).ok()
                        })
                        else { #short };
                (__value, #start + (#len))
            }),
            Base::Path(ty) => self.find_instance(ty, row, start, room, hoisted),
            Base::Seq(ty) => {
                let private = self.private_at(ty.span());
                let (ty, place, closed) = (
                    self.of_input(ty),
                    self.seq_place(row, start, room),
                    self.is_closed(row, room),
                );
                self.opened(hoisted, |level| {
                    quote_spanned! {ty.span()=>
                        #private::open_entries::<#ty, __E, #level>(__input, #place, __cx.nested(#closed))?
                    }
                })
            }
            _ => {
                let length = self.open_length(row, start, room);
                quote!({
                    let ::core::option::Option::Some(__value) = #private::take(__input, #start, #length, #end)
                        else { #short };
                    (__value, #start + __value.len())
                })
            }
        }
    }

    /// One instance of another kind.
    fn find_instance(
        &self,
        ty: &TokenStream,
        row: usize,
        start: &TokenStream,
        room: &Room,
        hoisted: bool,
    ) -> TokenStream {
        let ty = self.of_input(ty);
        let (size, open) = (self.of_kind(&ty, "SIZE"), self.of_kind(&ty, "open"));
        let (end, closed) = (&room.end, &room.closed);
        let (short, in_row) = (self.short_inside(row, start, room), self.in_row(row));
        let opened = self.opened(hoisted, |level| {
            quote!(#open::<__E, #level>(__rest, __at.saturating_add(#start), __cx.nested(#closed))#in_row?)
        });
        quote!({
            let __rest = __input.get(#start..#end).unwrap_or(&[]);
            if let ::core::option::Option::Some(__size) = #size
                && __rest.len() < __size
            {
                #short;
            }
            let (__value, __used) = #opened;
            (__value, #start + __used)
        })
    }

    /// Whether the end of a sequence is a declared one.
    fn is_closed(&self, row: usize, room: &Room) -> TokenStream {
        if self.links.rows[row].len_by.is_some() {
            quote!(true)
        } else {
            room.closed.clone()
        }
    }

    /// The bytes of an open-ended row, as u64.
    fn open_length(&self, row: usize, start: &TokenStream, room: &Room) -> TokenStream {
        if let Some(len) = self.links.rows[row].len_by {
            return self.length(len);
        }
        let end = self.rest_end(row, room);
        quote!((#end.saturating_sub(#start) as ::core::primitive::u64))
    }

    /// Where a row that takes the rest ends.
    pub(super) fn rest_end(&self, row: usize, room: &Room) -> TokenStream {
        let piece = self.plan.piece_of[row];
        match self.plan.pieces.get(piece + 1) {
            Some(next)
                if next.place == Place::Back && takes_rest(self.links, row, self.row(row)) =>
            {
                let next = self.start(piece + 1);
                quote!(#next)
            }
            _ => room.end.clone(),
        }
    }

    fn find_varint(&self, row: usize, int: Int, start: &TokenStream, room: &Room) -> TokenStream {
        let krate = &self.krate;
        let bits = u32::from(int.bits());
        let primitive = primitive(int);
        let convert = match self.row(row).keys.varint {
            Some(Varint::ZigZag) => quote!(#krate::varint::unzigzag(__raw) as #primitive),
            _ => quote!(__raw as #primitive),
        };
        let (end, available) = (&room.end, &room.available);
        // How long it is, no byte says; one more than there are is the least, and then what stands behind it.
        let behind = self.sizes_of(self.plan.piece_of[row] + 1, room);
        let needed = quote!((#available as ::core::primitive::u64).saturating_add(1).saturating_add(#behind));
        let short = self.short_of(row, &needed, room);
        let fail = self.fail_at(row, start, &quote!(#krate::Fault::Varint));
        quote!({
            match #krate::varint::read(__input.get(#start..#end).unwrap_or(&[]), #bits) {
                ::core::result::Result::Ok((__raw, __used)) => (#convert, #start + __used),
                ::core::result::Result::Err(#krate::varint::VarintFault::Short) => { #short }
                ::core::result::Result::Err(#krate::varint::VarintFault::TooLong) => { #fail }
            }
        })
    }
}
