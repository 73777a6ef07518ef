//! `Fixed`, for kinds that are one run.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, quiet};
use crate::plan::Act;

/// The reader of a kind that is one run.
pub(super) fn body(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (heads, run) = (super::open::heads(cx), cx.run(0));
    let exact = cx.acts(|act| act == Act::Exact);
    let view = super::view::build(cx);
    let used = if cx.definition.keys.is_whole() {
        quote!(__input.len())
    } else {
        quote!(<Self as #krate::format::Format>::MIN)
    };
    quote! {
        #heads
        #exact
        <Self as #krate::format::Fixed>::check::<__E, __LEVEL>(#run, __at, __cx)?;
        ::core::result::Result::Ok((#view, #used))
    }
}

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    if !cx.plan.is_fixed() {
        return TokenStream::new();
    }
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let (layout, run, view_name) = (cx.layout_name(0), cx.run(0), cx.view_name());
    let version = cx.version();
    let checks = cx.acts(|act| act != Act::Exact);
    let rules = cx.view_rules();
    let rules = if rules.is_empty() {
        rules
    } else {
        let build = super::view::build(cx);
        quote!(let __view = #build; #rules)
    };
    let lay = super::encode::lay(cx);
    let quiet = quiet();
    quote! {
        #quiet
        impl #generics #krate::format::Fixed for #implementor {
            #[inline]
            fn check<__E: #krate::Fail, const __LEVEL: ::core::primitive::u8>(
                #run: &#layout,
                __at: ::core::primitive::usize,
                __cx: #krate::format::Cx,
            ) -> ::core::result::Result<(), __E> {
                #version
                #checks
                #rules
                ::core::result::Result::Ok(())
            }

            #[inline]
            fn look<'__b>(#run: &'__b #layout) -> #view_name<'__b> {
                #view_name { #run }
            }

            #lay
        }
    }
}
