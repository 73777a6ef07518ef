//! `Format`: the description as a constant, and the reader.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, quiet};
use crate::model::Base;
use crate::plan::takes_rest;

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let (view, value) = (cx.view_name(), cx.value_type(&quote!('__b)));
    let kind = super::describe::expand(cx);
    let least = (0..cx.plan.pieces.len()).map(|piece| cx.least(piece));
    let fixed = cx.plan.is_fixed();
    let size = if fixed {
        quote!(::core::option::Option::Some(Self::MIN))
    } else {
        quote!(::core::option::Option::None)
    };
    let layout = if fixed {
        let name = cx.layout_name(0);
        quote!(#name)
    } else {
        quote!([::core::primitive::u8; 0])
    };
    let (depth, takes_all) = (depth(cx), takes_all(cx));
    let versioned = cx
        .definition
        .keys
        .version_of
        .clone()
        .unwrap_or_else(|| quote!(Self));
    let body = if fixed {
        super::fixed::body(cx)
    } else {
        body(cx)
    };
    let quiet = quiet();
    quote! {
        #quiet
        impl #generics #krate::format::Format for #implementor {
            type View<'__b> = #view<'__b>;
            type Value<'__b> = #value;
            type Layout = #layout;
            type Versioned = #versioned;
            const KIND: &'static #krate::Kind = #kind;
            const MIN: ::core::primitive::usize = 0 #(+ #least)*;
            const SIZE: ::core::option::Option<::core::primitive::usize> = #size;
            const DEPTH: ::core::primitive::usize = #depth;
            const TAKES_ALL: ::core::primitive::bool = #takes_all;

            #[inline]
            fn open<'__b, __E: #krate::Fail, const __LEVEL: ::core::primitive::u8>(
                __input: &'__b [::core::primitive::u8],
                __at: ::core::primitive::usize,
                __cx: #krate::format::Cx,
            ) -> ::core::result::Result<(#view<'__b>, ::core::primitive::usize), __E> {
                #body
            }

            fn value<'__b>(
                __view: <Self as #krate::format::Format>::View<'__b>,
            ) -> <Self as #krate::format::Format>::Value<'__b> {
                __view.to_value()
            }
        }
    }
}

/// One more than the deepest kind inside.
fn depth(cx: &Context<'_>) -> TokenStream {
    let nested = cx.rows().filter_map(|(_, row)| match &row.ty.base {
        Base::Seq(ty) => Some(ty),
        Base::Path(ty) if !row.is_bits() => Some(ty),
        _ => None,
    });
    let steps = nested.map(|ty| {
        let of = cx.of_kind(ty, "DEPTH");
        quote!(if #of >= __depth { __depth = 1 + #of; })
    });
    quote!({
        let mut __depth = 0;
        #(#steps)*
        __depth
    })
}

/// Whether its rows do not say where it ends.
fn takes_all(cx: &Context<'_>) -> TokenStream {
    let has_rest = cx.rows().any(|(index, row)| {
        takes_rest(cx.links, index, row) && cx.links.innermost_bound(index).is_none()
    });
    if cx.definition.keys.is_whole() || has_rest {
        return quote!(true);
    }
    let rows = cx.definition.rows.len();
    match cx.definition.rows.last() {
        Some(row) if row.is_kind() && cx.links.innermost_bound(rows - 1).is_none() => {
            match &row.ty.base {
                Base::Path(ty) => cx.of_kind(ty, "TAKES_ALL"),
                _ => quote!(false),
            }
        }
        _ => quote!(false),
    }
}

/// The check that all that is always there, is there; what is at hand is bound.
pub(super) fn heads(cx: &Context<'_>) -> TokenStream {
    let (private, zerocopy) = (cx.private(), cx.zerocopy());
    let short = quote! {
        return ::core::result::Result::Err(#private::short::<__E>(
            <Self as #private::Format>::KIND,
            ::core::primitive::u16::MAX,
            __at,
            <Self as #private::Format>::MIN as ::core::primitive::u64,
            __input.len(),
            __cx.closed,
        ))
    };
    let mut out = TokenStream::new();
    if cx.plan.pieces.len() > 1 || !cx.plan.has_head() {
        out.extend(quote!(if __input.len() < <Self as #private::Format>::MIN { #short; }));
    }
    if cx.plan.has_head() {
        let (layout, run, next) = (cx.layout_name(0), cx.run(0), cx.start(1));
        out.extend(quote! {
            let ::core::result::Result::Ok((#run, _)) = <#layout as #zerocopy::FromBytes>::ref_from_prefix(__input)
                else { #short };
            let #next = ::core::mem::size_of::<#layout>();
        });
    }
    match cx.plan.foot() {
        Some(foot) => {
            let (layout, run) = (cx.layout_name(foot), cx.run(foot));
            out.extend(quote! {
                let ::core::result::Result::Ok((_, #run)) = <#layout as #zerocopy::FromBytes>::ref_from_suffix(__input)
                    else { #short };
                let __end = __input.len() - ::core::mem::size_of::<#layout>();
            });
        }
        None => out.extend(quote!(let __end = __input.len();)),
    }
    out
}

fn body(cx: &Context<'_>) -> TokenStream {
    let (heads, version, acts, rules) =
        (heads(cx), cx.version(), cx.acts(|_| true), cx.view_rules());
    let build = super::view::build(cx);
    let used = if cx.definition.keys.is_whole() {
        quote!(__input.len())
    } else {
        cx.end(cx.definition.rows.len())
    };
    quote! {
        #heads
        #version
        #acts
        let __view = #build;
        #rules
        ::core::result::Result::Ok((__view, #used))
    }
}
