//! Finding pieces: where they begin, whether they are there, and what a row of variable size holds.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::names::{Context, local};
use crate::model::{Base, Varint};
use crate::plan::{Act, Place, Scheduled, takes_rest};

/// What is known about the surroundings of a piece when it is found.
pub(super) struct Surroundings {
    /// Where it must end.
    pub(super) end: TokenStream,
    /// Whether that end is a declared one, as an expression.
    pub(super) closed: TokenStream,
}

impl Context<'_> {
    /// The surroundings of a row, after the acts in `done`.
    pub(super) fn surroundings(&self, row: usize, done: &[Scheduled]) -> Surroundings {
        let (end, cx) = (local("end"), local("cx"));
        let vouched = done.iter().any(|done| match done.act {
            Act::Sum(sum) => self.links.rows[sum]
                .spans
                .iter()
                .any(|&(from, to)| from <= row && row < to),
            _ => false,
        });
        let found = |len: usize| done.iter().any(|done| done.act == Act::Bound(len));
        let bounds = self.links.bounds().into_iter();
        let innermost = bounds
            .filter(|&(from, to, len)| from <= row && row < to && found(len))
            .min_by_key(|&(from, to, _)| to - from);
        match innermost {
            Some((_, _, len)) => {
                let bound = self.bound(len);
                Surroundings {
                    end: quote!(#bound),
                    closed: quote!(true),
                }
            }
            None if vouched => Surroundings {
                end: quote!(#end),
                closed: quote!(true),
            },
            None => Surroundings {
                end: quote!(#end),
                closed: quote!(#cx.closed),
            },
        }
    }

    /// `return Err(..)` for want of bytes at a piece: what the whole needs, as far as it is known.
    fn short(&self, piece: usize, around: &Surroundings) -> TokenStream {
        let private = self.private();
        let (at, cx, input) = (local("at"), local("cx"), local("input"));
        let row = self.plan.pieces[piece].rows[0];
        let number = self.number(row);
        let start = self.position(row);
        let version = quote!(#cx.version);
        let last = self
            .links
            .innermost_bound(row)
            .map_or(self.plan.pieces.len(), |(_, to)| {
                self.plan
                    .piece_of
                    .get(to)
                    .copied()
                    .unwrap_or(self.plan.pieces.len())
            });
        let sizes = (piece..last.max(piece + 1))
            .map(|piece_behind| self.size_so_far(piece_behind, piece, &version));
        let closed = &around.closed;
        let available = if self.links.innermost_bound(row).is_some() {
            around.end.clone()
        } else {
            quote!(#input.len())
        };
        quote! {
            return ::core::result::Result::Err(#private::short::<E>(
                <Self as #private::Format>::KIND,
                #number,
                #at.saturating_add(#start),
                <E as #private::Fail>::number(|| (#start as ::core::primitive::u64)#(.saturating_add(#sizes))*),
                #available,
                #closed,
            ))
        }
    }

    /// Finds a piece and binds it, and the start of the one behind it.
    pub(super) fn locate(&self, piece: usize, done: &[Scheduled], hoisted: bool) -> TokenStream {
        let row = self.plan.pieces[piece].rows[0];
        let around = self.surroundings(row, done);
        match (
            self.plan.pieces[piece].place,
            self.plan.pieces[piece].is_run,
        ) {
            (Place::Back, _) => self.locate_back(piece, &around, hoisted),
            (_, true) => self.locate_run(piece, &around),
            (_, false) => {
                let next = self.start(piece + 1);
                let variable = self.variable(row);
                let found = self.find(row, &around, hoisted);
                quote!(let (#variable, #next) = #found;)
            }
        }
    }

    fn locate_run(&self, piece: usize, around: &Surroundings) -> TokenStream {
        let (private, zerocopy) = (self.private(), self.zerocopy());
        let input = local("input");
        let (layout, run) = (self.layout_name(piece), self.run(piece));
        let start = self.position(self.plan.pieces[piece].rows[0]);
        let next = self.start(piece + 1);
        let end = &around.end;
        let short = self.short(piece, around);
        quote! {
            let ::core::option::Option::Some(#run) = #private::take(
                #input, #start, ::core::mem::size_of::<#layout>() as ::core::primitive::u64, #end,
            )
            .and_then(|bytes| <#layout as #zerocopy::FromBytes>::ref_from_bytes(bytes).ok()) else { #short };
            let #next = #start + ::core::mem::size_of::<#layout>();
        }
    }

    /// A piece behind a row that takes the rest: from the end backwards.
    fn locate_back(&self, piece: usize, around: &Surroundings, hoisted: bool) -> TokenStream {
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
        let krate = &self.krate;
        let length = local("length");
        let blamed = self.links.rows[row].len_by.unwrap_or(row);
        let fail = self.fail(
            blamed,
            &quote!(#krate::Fault::Overrun {
                needed: #length, available: (#until - #floor) as ::core::primitive::u64,
            }),
        );
        let place = Surroundings {
            end: until.clone(),
            closed: quote!(true),
        };
        let find = if self.plan.pieces[piece].is_run {
            let (zerocopy, input) = (self.zerocopy(), local("input"));
            let (layout, run) = (self.layout_name(piece), self.run(piece));
            let short = self.short(piece, around);
            quote! {
                let ::core::option::Option::Some(#run) = #input.get(#start..#until)
                    .and_then(|bytes| <#layout as #zerocopy::FromBytes>::ref_from_bytes(bytes).ok()) else { #short };
            }
        } else {
            let variable = self.variable(row);
            let found = self.find(row, &place, hoisted);
            quote!(let (#variable, _) = #found;)
        };
        quote! {
            let #length = #size;
            let ::core::option::Option::Some(#start) = ::core::primitive::usize::try_from(#length)
                .ok()
                .and_then(|length| #until.checked_sub(length))
                .filter(|start| #floor <= *start) else { #fail };
            #find
        }
    }

    /// `(value, position behind it)` of a variable row.
    fn find(&self, row: usize, around: &Surroundings, hoisted: bool) -> TokenStream {
        let definition = self.row(row);
        let start = self.position(row);
        let cx = local("cx");
        let some = |found: TokenStream| {
            quote!({
                let (value, next) = #found;
                (::core::option::Option::Some(value), next)
            })
        };
        let none = quote!((::core::option::Option::None, #start));
        let mut found = match (definition.keys.tag, self.links.rows[row].len_by) {
            (Some(fixed), _) => self.tagged(row, fixed, around, hoisted),
            (None, Some(len)) if definition.ty.optional && !definition.is_versioned() => {
                let (is_null, found) = (
                    self.is_null(len),
                    some(self.find_inner(row, &start, around, hoisted)),
                );
                quote!(if #is_null { #none } else { #found })
            }
            _ => {
                let found = self.find_inner(row, &start, around, hoisted);
                if definition.keys.when.is_some() {
                    let (condition, found) = (self.condition(row), some(found));
                    quote!(if #condition { #found } else { #none })
                } else if definition.is_versioned() {
                    some(found)
                } else {
                    found
                }
            }
        };
        if definition.is_versioned() {
            let there = self.in_version(row, &quote!(#cx.version));
            found = quote!(if #there { #found } else { #none });
        }
        found
    }

    /// A row with a tag byte in front.
    fn tagged(&self, row: usize, fixed: bool, around: &Surroundings, hoisted: bool) -> TokenStream {
        let krate = &self.krate;
        let input = local("input");
        let (start, behind, tag) = (self.position(row), local("behind"), local("tag"));
        let piece = self.plan.piece_of[row];
        let short = self.short(piece, around);
        let found = self.find_inner(row, &quote!(#behind), around, hoisted);
        let fail = self.fail(row, &quote!(#krate::Fault::Tag { found: #tag }));
        let end = &around.end;
        let absent = if fixed {
            let skipped = self.find_inner(row, &quote!(#behind), around, hoisted);
            quote!({
                let (_, next) = #skipped;
                (::core::option::Option::None, next)
            })
        } else {
            quote!((::core::option::Option::None, #behind))
        };
        quote!({
            let ::core::option::Option::Some(&#tag) = #input.get(#start..#end).and_then(|rest| rest.first()) else { #short };
            let #behind = #start + 1;
            match #tag {
                0 => #absent,
                1 => {
                    let (value, next) = #found;
                    (::core::option::Option::Some(value), next)
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
        around: &Surroundings,
        hoisted: bool,
    ) -> TokenStream {
        let (krate, private, zerocopy) = (&self.krate, self.private(), self.zerocopy());
        let (input, at, cx) = (local("input"), local("at"), local("cx"));
        let definition = self.row(row);
        let piece = self.plan.piece_of[row];
        let Surroundings { end, closed } = around;
        let short = self.short(piece, around);
        let life = super::names::input_lifetime();
        let life = quote!(#life);
        match &definition.ty.base {
            Base::Int(int) if definition.keys.varint.is_some() => {
                self.find_varint(row, *int, start, around)
            }
            Base::Int(int) => {
                let (stored, size) = (self.stored(row, *int), u64::from(int.bytes));
                let get = if int.bytes == 1 {
                    quote!(value)
                } else {
                    quote!(value.get())
                };
                quote!({
                    let ::core::option::Option::Some(value) = #private::take(#input, #start, #size, #end)
                        .and_then(|bytes| <#stored as #zerocopy::FromBytes>::read_from_bytes(bytes).ok()) else { #short };
                    (#get, #start + #size as ::core::primitive::usize)
                })
            }
            Base::Array(len) => quote!({
                let ::core::option::Option::Some(value) =
                    #private::take(#input, #start, (#len) as ::core::primitive::u64, #end)
                        .and_then(|bytes| <[::core::primitive::u8; #len] as #zerocopy::FromBytes>::ref_from_bytes(bytes).ok())
                        else { #short };
                (value, #start + (#len))
            }),
            Base::Path(ty) => {
                let (ty, in_row) = (self.relocate(ty, &life), self.in_row(row));
                quote!({
                    let rest = #input.get(#start..#end).unwrap_or(&[]);
                    if let ::core::option::Option::Some(size) = <#ty as #krate::format::Format>::SIZE
                        && rest.len() < size
                    {
                        #short;
                    }
                    let (value, used) = <#ty as #krate::format::Format>::open::<E, LEVEL>(
                        rest, #at.saturating_add(#start), #cx.nested(#closed),
                    )#in_row?;
                    (value, #start + used)
                })
            }
            Base::Seq(ty) => {
                let ty = self.relocate(ty, &life);
                let place = self.seq_place(row, around);
                if hoisted {
                    // Stepped over now, checked at its own turn.
                    return quote!(if LEVEL >= #krate::format::FULL {
                        #krate::Seq::<#ty>::open::<E, { #krate::format::WALK }>(#input, #place, #cx.nested(#closed))?
                    } else {
                        #krate::Seq::<#ty>::open::<E, LEVEL>(#input, #place, #cx.nested(#closed))?
                    });
                }
                quote!(#krate::Seq::<#ty>::open::<E, LEVEL>(#input, #place, #cx.nested(#closed))?)
            }
            _ => {
                let length = self.open_length(row, start, around);
                quote!({
                    let ::core::option::Option::Some(value) = #private::take(#input, #start, #length, #end) else { #short };
                    (value, #start + value.len())
                })
            }
        }
    }

    /// The bytes of an open-ended row, as u64.
    fn open_length(&self, row: usize, start: &TokenStream, around: &Surroundings) -> TokenStream {
        if let Some(len) = self.links.rows[row].len_by {
            return self.length(len);
        }
        let end = self.rest_end(row, around);
        quote!((#end.saturating_sub(#start) as ::core::primitive::u64))
    }

    /// Where a row that takes the rest ends.
    fn rest_end(&self, row: usize, around: &Surroundings) -> TokenStream {
        let piece = self.plan.piece_of[row];
        match self.plan.pieces.get(piece + 1) {
            Some(next)
                if next.place == Place::Back && takes_rest(self.links, row, self.row(row)) =>
            {
                let next = self.start(piece + 1);
                quote!(#next)
            }
            _ => around.end.clone(),
        }
    }

    /// The place of a sequence, for the runtime.
    pub(super) fn seq_place(&self, row: usize, around: &Surroundings) -> TokenStream {
        let private = self.private();
        let (input, at) = (local("input"), local("at"));
        let number = self.number(row);
        let start = self.position(row);
        let link = &self.links.rows[row];
        let count = match link.count_by {
            Some(count) => {
                let count = self.length(count);
                quote!(::core::option::Option::Some(#count))
            }
            None => quote!(::core::option::Option::None),
        };
        let rest_end = self.rest_end(row, around);
        let (end, torn) = match link.len_by {
            Some(len) if self.plan.pieces[self.plan.piece_of[row]].place == Place::Front => {
                let (length, end, short) = (
                    self.length(len),
                    &around.end,
                    self.short(self.plan.piece_of[row], around),
                );
                let find_end = quote!(match #private::take(#input, #start, #length, #end) {
                    ::core::option::Option::Some(bytes) => #start + bytes.len(),
                    ::core::option::Option::None => { #short }
                });
                (find_end, false)
            }
            Some(_) => (rest_end, false),
            None => (rest_end, self.definition.keys.trailing_ignore),
        };
        let bounded = self.links.innermost_bound(row).is_some() || link.len_by.is_some();
        let foot = match self.plan.foot() {
            Some(foot) if !bounded => self.least(foot),
            _ => quote!(0usize),
        };
        quote! {
            #private::Place {
                kind: <Self as #private::Format>::KIND,
                row: #number,
                at: #at,
                pos: #start,
                end: #end,
                foot: #foot,
                count: #count,
                torn: #torn,
            }
        }
    }

    fn find_varint(
        &self,
        row: usize,
        int: crate::model::Int,
        start: &TokenStream,
        around: &Surroundings,
    ) -> TokenStream {
        let krate = &self.krate;
        let input = local("input");
        let bits = u32::from(int.bytes) * 8;
        let primitive = super::names::primitive(int);
        let convert = match self.row(row).keys.varint {
            Some(Varint::ZigZag) => quote!(#krate::varint::unzigzag(raw) as #primitive),
            _ => quote!(raw as #primitive),
        };
        let (end, short) = (&around.end, self.short(self.plan.piece_of[row], around));
        let fail = self.fail_at(row, start, &quote!(#krate::Fault::Varint));
        quote!({
            match #krate::varint::read(#input.get(#start..#end).unwrap_or(&[]), #bits) {
                ::core::result::Result::Ok((raw, used)) => (#convert, #start + used),
                ::core::result::Result::Err(#krate::varint::VarintFault::Short) => { #short }
                ::core::result::Result::Err(#krate::varint::VarintFault::TooLong) => { #fail }
            }
        })
    }

    /// Finds the end of the rows that a length bounds.
    pub(super) fn find_bound(&self, len: usize, done: &[Scheduled]) -> TokenStream {
        let (krate, private) = (&self.krate, self.private());
        let (at, input) = (local("at"), local("input"));
        let Some((from, to)) = self.links.rows[len].len_of else {
            return TokenStream::new();
        };
        let bound: Ident = self.bound(len);
        let start = self.boundary(from);
        let length = self.length(len);
        // The bound that holds this one, if any.
        let outer = self.links.bounds().into_iter().filter(|&(f, t, other)| {
            other != len
                && f <= from
                && to <= t
                && t - f > to - from
                && done.iter().any(|done| done.act == Act::Bound(other))
        });
        let outer = outer
            .min_by_key(|&(f, t, _)| t - f)
            .map(|(_, _, other)| self.bound(other));
        let (end, cx) = (local("end"), local("cx"));
        let (limit, closed) = match &outer {
            Some(outer) => (quote!(#outer), quote!(true)),
            None => (quote!(#end), quote!(#cx.closed)),
        };
        let available = if outer.is_some() {
            limit.clone()
        } else {
            quote!(#input.len())
        };
        // Rows of the same run were found before the length was looked at: it must reach at least to their end.
        let piece = self.plan.piece_of[from];
        let floor = if self.plan.pieces[piece].is_run {
            let last = self.plan.pieces[piece]
                .rows
                .iter()
                .rev()
                .find(|&&row| row < to)
                .copied()
                .unwrap_or(from);
            let behind = self.boundary_behind(last);
            quote!(#behind)
        } else {
            start.clone()
        };
        let number = self.number(len);
        let position = self.position(len);
        let fail = self.fail(
            len,
            &quote!(#krate::Fault::Overrun {
                needed: (#floor - #start) as ::core::primitive::u64, available: #length,
            }),
        );
        quote! {
            let ::core::option::Option::Some(#bound) = ::core::primitive::usize::try_from(#length)
                .ok()
                .and_then(|length| #start.checked_add(length))
                .filter(|bound| *bound <= #limit) else {
                return ::core::result::Result::Err(#private::short::<E>(
                    <Self as #private::Format>::KIND,
                    #number,
                    #at.saturating_add(#position),
                    #length.saturating_add(#start as ::core::primitive::u64),
                    #available,
                    #closed,
                ))
            };
            if #bound < #floor { #fail; }
        }
    }

    /// Position of the first byte behind a row in a run.
    fn boundary_behind(&self, row: usize) -> TokenStream {
        let piece = self.plan.piece_of[row];
        let rows = &self.plan.pieces[piece].rows;
        let next = rows
            .iter()
            .position(|&other| other == row)
            .and_then(|at| rows.get(at + 1));
        match next {
            Some(&next) => self.position(next),
            None => {
                let (start, layout) = (self.position(rows[0]), self.layout_name(piece));
                quote!((#start + ::core::mem::size_of::<#layout>()))
            }
        }
    }

    /// Checks that a declared length is used up.
    pub(super) fn used_up(&self, len: usize) -> TokenStream {
        let krate = &self.krate;
        let Some((_, to)) = self.links.rows[len].len_of else {
            return TokenStream::new();
        };
        let bound = self.bound(len);
        let behind = if to < self.definition.rows.len() {
            self.boundary(to)
        } else {
            let front = self.start(self.plan.front());
            quote!(#front)
        };
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
