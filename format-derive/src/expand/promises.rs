//! What the definition takes for granted, as constants that do not compile where it is wrong: seen by `cargo check`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::names::{Context, mask, primitive};
use crate::model::{Base, Role, Row};

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let any = cx.value_type(&quote!('static));
    let rows = cx.rows().map(|(index, row)| {
        let (bits, limits) = (bits(cx, row), limits(cx, row));
        let inside = inside(cx, index, row);
        quote!(#bits #limits #inside)
    });
    quote! {
        const _: () = ::core::assert!(
            <#any as #krate::format::Format>::DEPTH < #krate::walk::MOST_DEPTH,
            "kinds are nested too deep",
        );
        #(#rows)*
    }
}

/// What stands in bits fits them.
fn bits(cx: &Context<'_>, row: &Row) -> TokenStream {
    let Some(bits) = row.keys.bits else {
        return TokenStream::new();
    };
    let width = u32::from(bits.1 - bits.0) + 1;
    match (&row.role, &row.ty.base) {
        (_, Base::Path(ty)) => {
            let of = cx.of_trait(ty, "Enumeration", "BITS");
            let message = format!("this enum is not one of {width} bits");
            quote_spanned!(ty.span()=> const _: () = ::core::assert!(#of == #width, #message);)
        }
        (Role::MustBe(number), Base::Int(int)) => {
            let (primitive, mask) = (primitive(*int), mask(bits));
            let number = outside(cx, number.clone());
            let message = format!("this number does not fit {width} bits");
            quote_spanned!(number.span()=> const _: () = {
                let __number: #primitive = #number;
                ::core::assert!(__number as ::core::primitive::u64 <= #mask, #message);
            };)
        }
        _ => TokenStream::new(),
    }
}

/// The limits of a row leave some number, and one that it can hold.
fn limits(cx: &Context<'_>, row: &Row) -> TokenStream {
    let Base::Int(int) = row.ty.base else {
        return TokenStream::new();
    };
    let primitive = primitive(int);
    let mut out = TokenStream::new();
    if let (Some(bits), Some(max)) = (row.keys.bits, &row.keys.max) {
        let (span, mask, max) = (span(row, "max"), mask(bits), outside(cx, max.clone()));
        out.extend(quote_spanned!(span=> const _: () = {
            let __max: #primitive = #max;
            ::core::assert!(__max as ::core::primitive::u64 <= #mask, "`max` is more than the bits can hold");
        };));
    }
    if let (Some(min), Some(max)) = (&row.keys.min, &row.keys.max) {
        let (min, max) = (outside(cx, min.clone()), outside(cx, max.clone()));
        out.extend(quote_spanned!(span(row, "max")=> const _: () = {
            let (__min, __max): (#primitive, #primitive) = (#min, #max);
            ::core::assert!(__min <= __max, "no number lies between `min` and `max`");
        };));
    }
    out
}

/// An expression of the definition where no `Self` is known.
fn outside(cx: &Context<'_>, tokens: TokenStream) -> TokenStream {
    let any = cx.value_type(&quote!('static));
    let trees = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(ident) if ident == "Self" => quote!(<#any>),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), outside(cx, group.stream()));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        tree => tree.into(),
    });
    trees.collect()
}

fn span(row: &Row, key: &str) -> Span {
    row.keys.span(key).unwrap_or_else(|| row.name.span())
}

/// A kind inside has a version that the writer of this one can say, and an end that its reader can find.
fn inside(cx: &Context<'_>, index: usize, row: &Row) -> TokenStream {
    let (Base::Seq(ty) | Base::Path(ty)) = &row.ty.base else {
        return TokenStream::new();
    };
    if row.is_bits() {
        return TokenStream::new();
    }
    let krate = &cx.krate;
    let any = cx.value_type(&quote!('static));
    let inner = cx.relocate(ty, &quote!('static));
    let takes_all = cx.of_kind(&inner, "TAKES_ALL");
    let bound = cx.links.innermost_bound(index);
    let end = bound.map_or(cx.definition.rows.len(), |(_, end)| end);
    let ends = if matches!(row.ty.base, Base::Seq(_)) {
        quote_spanned!(ty.span()=> const _: () = ::core::assert!(!#takes_all, "an entry says where it ends");)
    } else if index + 1 < end {
        quote_spanned! {ty.span()=>
            const _: () = ::core::assert!(!#takes_all, "this kind takes all there is, so rows behind it are not found");
        }
    } else {
        TokenStream::new()
    };
    quote_spanned! {ty.span()=>
        const _: () = ::core::assert!(
            #krate::format::takes_version_of::<#inner, #any>(),
            "this kind takes its version from one that does not govern here",
        );
        const _: () = ::core::assert!(
            !#krate::format::has_several_versions::<#inner>(),
            "this kind has several versions of its own, and no writer of another kind can say which",
        );
        #ends
    }
}
