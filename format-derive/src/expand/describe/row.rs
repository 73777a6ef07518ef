//! A row of the description.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::{Context, primitive, unraw};
use super::{algorithm_of, endian, rule_name};
use crate::model::{Base, Role, Row, Varint};

pub(super) fn expand(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe);
    let (name, doc) = (unraw(&row.name), &row.doc);
    let (ty, role, presence) = (ty(cx, row), role(cx, index, row), presence(cx, index, row));
    let in_value = !row.role.is_computed();
    let option = |value: Option<TokenStream>| match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    };
    let in_bits = row.is_bits();
    let piece = cx.plan.piece_of[index];
    let is_run = cx.plan.pieces[piece].is_run;
    let word = cx.links.rows[index].word.unwrap_or(index);
    let offset = option((is_run && piece == 0).then(|| {
        let (layout, field) = (cx.layout_name(0), &cx.row(word).name);
        quote!(::core::mem::offset_of!(#layout, #field))
    }));
    let size = option(if in_bits {
        Some(quote!(0))
    } else {
        is_run.then(|| cx.inner_size(index))
    });
    let bits = option(row.keys.bits.map(|(low, high)| {
        let word = cx.number(word);
        quote!(#describe::Bits { word: #word, low: #low, high: #high })
    }));
    let (since, until) = (
        row.keys.since.unwrap_or(0),
        row.keys.until.unwrap_or(u32::MAX),
    );
    let limit = |limit: &Option<TokenStream>| {
        option(limit.as_ref().map(|limit| {
            let limit = cx.constant(index, limit);
            quote!(#limit as ::core::primitive::i128)
        }))
    };
    let (min, max) = (limit(&row.keys.min), limit(&row.keys.max));
    let endian = match &row.ty.base {
        // A kind or an enum has its own.
        Base::Path(ty) if row.is_kind() => {
            let kind = cx.of_kind(ty, "KIND");
            quote!(#kind.endian)
        }
        _ => endian(krate, cx.is_le(index)),
    };
    let rules = row.keys.checks.iter().map(rule_name);
    quote! {
        #describe::Row {
            name: #name, doc: #doc, ty: #ty, role: #role, in_value: #in_value, offset: #offset, size: #size,
            bits: #bits, presence: #presence, since: #since, until: #until, min: #min, max: #max, endian: #endian,
            rules: &[#(#rules),*],
        }
    }
}

fn ty(cx: &Context<'_>, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe::Type);
    let kind = |ty: &TokenStream| cx.of_kind(ty, "KIND");
    match &row.ty.base {
        Base::Int(int) => {
            let (bytes, bits) = (int.bytes, int.bits());
            match row.keys.varint {
                Some(Varint::ZigZag) => quote!(#describe::Varint(#bits)),
                Some(Varint::Unsigned) => quote!(#describe::Uvarint(#bits)),
                None if int.signed => quote!(#describe::Int(#bytes)),
                None => quote!(#describe::Uint(#bytes)),
            }
        }
        Base::Bool => quote!(#describe::Bool),
        Base::Array(len) => quote!(#describe::Array(#len)),
        Base::Slice | Base::Bytes => quote!(#describe::Bytes),
        Base::Str | Base::String => quote!(#describe::Text),
        Base::Seq(ty) => {
            let kind = kind(ty);
            quote!(#describe::Seq(|| #kind))
        }
        Base::Path(ty) if row.is_bits() => {
            let kind = cx.of_trait(ty, "Enumeration", "KIND");
            quote!(#describe::Of(|| #kind))
        }
        Base::Path(ty) => {
            let kind = kind(ty);
            quote!(#describe::Of(|| #kind))
        }
    }
}

fn role(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let describe = quote!(#krate::describe);
    let role = quote!(#describe::Role);
    let rows = |from: usize, to: usize| {
        let (from, to) = (cx.number(from), cx.number(to));
        quote!(#describe::Rows { from: #from, to: #to })
    };
    match &row.role {
        Role::Value => quote!(#role::Value),
        Role::Keep => quote!(#role::Keep),
        Role::Reserved => quote!(#role::Reserved),
        Role::Version => quote!(#role::Version),
        Role::Word => quote!(#role::Word),
        Role::Magic(expected) => {
            let bytes = cx.expected_bytes(index, expected);
            quote!(#role::Magic(#bytes))
        }
        Role::MustBe(number) => {
            let bytes = cx.number_bytes(index, number);
            quote!(#role::MustBe(#bytes))
        }
        Role::Len(_) => {
            let (from, to) = cx.links.rows[index].len_of.unwrap_or_default();
            let rows = rows(from, to);
            quote!(#role::Len(#rows))
        }
        Role::Count(_) => {
            let entries = cx.number(cx.links.rows[index].count_of.unwrap_or_default());
            quote!(#role::Count(#entries))
        }
        Role::Checksum(algorithm, _) => {
            let spans = cx.links.rows[index]
                .spans
                .iter()
                .map(|&(from, to)| rows(from, to));
            let algorithm = algorithm_of(krate, *algorithm);
            quote!(#role::Checksum(#algorithm, &[#(#spans),*]))
        }
    }
}

fn presence(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let krate = &cx.krate;
    let presence = quote!(#krate::describe::Presence);
    if let Some(condition) = &row.keys.when {
        let text = condition.to_string();
        let bindings = cx.links.rows[index].when.iter().map(|&other| {
            let (name, row) = (&cx.row(other).name, cx.row(other));
            let number = quote!(__raw.get(#other).copied().unwrap_or(0));
            let value = match &row.ty.base {
                Base::Int(int) => {
                    let primitive = primitive(*int);
                    quote!(#number as #primitive)
                }
                Base::Bool => quote!(#number != 0),
                Base::Path(ty) => {
                    let from_raw = cx.of_trait(ty, "Enumeration", "from_raw_any");
                    quote!(#from_raw(#number))
                }
                _ => number,
            };
            quote!(let #name = #value;)
        });
        return quote!(#presence::When {
            text: #text,
            holds: |__raw: &[::core::primitive::u64], __version: ::core::primitive::u32| {
                let _ = (__raw, __version);
                #(#bindings)*
                #condition
            },
        });
    }
    if let Some(fixed) = row.keys.tag {
        return quote!(#presence::Tag { fixed: #fixed });
    }
    match cx.links.rows[index]
        .len_by
        .filter(|_| row.ty.optional && !row.is_versioned())
    {
        Some(len) => {
            let keys = &cx.row(len).keys;
            let (number, null, bias) = (
                cx.number(len),
                keys.null.unwrap_or(0),
                keys.bias.unwrap_or(0),
            );
            quote!(#presence::Null { len: #number, null: #null, bias: #bias })
        }
        None => quote!(#presence::Always),
    }
}
