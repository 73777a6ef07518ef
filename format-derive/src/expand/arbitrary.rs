//! Arbitrary values that the writer takes.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::names::{Context, mask, primitive, quiet};
use crate::model::{Base, Role};

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let name = &cx.definition.name;
    // The value borrows from the entropy where it borrows at all.
    let entropy = match &cx.definition.lifetime {
        Some(lifetime) => quote!(#lifetime),
        None => quote!('__b),
    };
    let (generics, implementor) = cx.implementor();
    let rows = cx.rows().filter(|(_, row)| !row.role.is_computed());
    let made = rows.clone().map(|(index, _)| {
        let (given, make) = (made_name(index), make(cx, index));
        quote!(let #given = #make;)
    });
    let fields = rows.map(|(index, row)| {
        let (field, given) = (&row.name, made_name(index));
        quote!(#field: #given)
    });
    let obey = cx
        .definition
        .keys
        .arbitrary
        .as_ref()
        .map(|path| quote!(let __value = #path(__value);));
    let writes = writes(cx);
    let elided = cx.value_type(&quote!('_));
    let private = cx.private();
    let result = quote!(#private::arbitrary::Result);
    let quiet = quiet();
    quote! {
        #krate::__arbitrary! {
            #quiet
            impl<#entropy> #krate::arbitrary::ArbitraryAt<#entropy> for #implementor {
                fn arbitrary_at(
                    __from: &mut #private::arbitrary::Unstructured<#entropy>,
                    __version: ::core::primitive::u32,
                ) -> #result<Self> {
                    #(#made)*
                    let __value = #name { #(#fields),* };
                    #obey
                    ::core::result::Result::Ok(__value)
                }
            }

            #quiet
            impl<#entropy> #private::arbitrary::Arbitrary<#entropy> for #implementor {
                fn arbitrary(__from: &mut #private::arbitrary::Unstructured<#entropy>) -> #result<Self> {
                    <Self as #krate::arbitrary::ArbitraryAt<#entropy>>::arbitrary_at(__from, #writes)
                }
            }

            #quiet
            impl #generics #krate::arbitrary::Generate for #implementor {
                fn generate(
                    __from: &mut #private::arbitrary::Unstructured<'_>,
                    __version: ::core::primitive::u32,
                ) -> #result<::core::result::Result<#private::Vec<::core::primitive::u8>, #krate::EncodeError>> {
                    let __value = <#elided as #krate::arbitrary::ArbitraryAt<'_>>::arbitrary_at(__from, __version)?;
                    let mut __bytes = #private::Vec::new();
                    ::core::result::Result::Ok(
                        #krate::encode::Encode::encode_at(&__value, __version, &mut __bytes).map(|()| __bytes),
                    )
                }
            }
        }
    }
}

/// The version of a value that is asked for without one.
fn writes(cx: &Context<'_>) -> TokenStream {
    let keys = &cx.definition.keys;
    match (
        keys.writes.or(keys.reads.map(|(_, max)| max)),
        &keys.version_of,
    ) {
        (Some(writes), _) => quote!(#writes),
        (None, Some(of)) => {
            let kind = cx.of_kind(of, "KIND");
            quote!(match &#kind.versions {
                ::core::option::Option::Some(__versions) => __versions.writes,
                ::core::option::Option::None => 0,
            })
        }
        (None, None) => quote!(0),
    }
}

fn made_name(index: usize) -> Ident {
    format_ident!("__made{index}")
}

/// An expression that makes the value of a row.
fn make(cx: &Context<'_>, index: usize) -> TokenStream {
    let row = cx.row(index);
    let inner = make_inner(cx, index);
    if !row.ty.optional {
        return inner;
    }
    let there = if row.keys.when.is_some() {
        condition(cx, index)
    } else if row.keys.tag.is_some() || !row.is_versioned() {
        quote!(__from.arbitrary::<::core::primitive::bool>()?)
    } else {
        quote!(true)
    };
    let in_version = cx.in_version(index, &quote!(__version));
    quote!(if #in_version && #there { ::core::option::Option::Some(#inner) } else { ::core::option::Option::None })
}

fn condition(cx: &Context<'_>, index: usize) -> TokenStream {
    let Some(condition) = &cx.row(index).keys.when else {
        return quote!(true);
    };
    let bindings = cx.links.rows[index].when.iter().map(|&other| {
        let (name, row) = (&cx.row(other).name, cx.row(other));
        let value = match (&row.role, &row.ty.base) {
            (Role::Version, Base::Int(int)) => {
                let primitive = primitive(*int);
                quote!(__version as #primitive)
            }
            (role, _) if role.is_computed() => quote!(::core::default::Default::default()),
            _ => {
                let made = made_name(other);
                quote!(#made)
            }
        };
        quote!(let #name = #value;)
    });
    quote!({ #(#bindings)* #condition })
}

fn make_inner(cx: &Context<'_>, index: usize) -> TokenStream {
    let krate = &cx.krate;
    let private = cx.private();
    let row = cx.row(index);
    let (limits, version) = (limits(cx, index), cx.version_inside(index));
    match &row.ty.base {
        Base::Int(int) => {
            let primitive = primitive(*int);
            let least = match &row.keys.min {
                Some(min) => cx.constant(index, min),
                None => quote!(<#primitive>::MIN),
            };
            let greatest = match (&row.keys.max, row.keys.bits) {
                (Some(max), _) => cx.constant(index, max),
                (None, Some(bits)) => {
                    let mask = mask(bits);
                    quote!((#mask as #primitive))
                }
                (None, None) => quote!(<#primitive>::MAX),
            };
            quote!(__from.int_in_range::<#primitive>(#least..=#greatest)?)
        }
        Base::Bool => quote!(__from.arbitrary::<::core::primitive::bool>()?),
        Base::Array(len) => quote!({
            let mut __bytes = [0; #len];
            __from.fill_buffer(&mut __bytes)?;
            __bytes
        }),
        Base::Slice => quote!(#private::generate::bytes(__from, #limits)?),
        Base::Bytes => quote!(#private::generate::bytes(__from, #limits)?.to_vec()),
        Base::Str => quote!(#private::generate::text(__from, #limits)?),
        Base::String => quote!(#private::generate::string(__from, #limits)?),
        Base::Seq(ty) => {
            let private = cx.private_at(ty.span());
            let entries = match cx.links.rows[index].len_by {
                Some(_) => quote_spanned!(ty.span()=> entries_of_bytes),
                None => quote_spanned!(ty.span()=> entries),
            };
            quote_spanned!(ty.span()=> #private::generate::#entries::<#ty>(__from, #limits, #version)?)
        }
        Base::Path(ty) => quote_spanned! {ty.span()=>
            <#ty as #krate::arbitrary::ArbitraryAt<'_>>::arbitrary_at(__from, #version)?
        },
    }
}

/// How long an open-ended row may be, as far as its length says.
fn limits(cx: &Context<'_>, index: usize) -> TokenStream {
    let link = &cx.links.rows[index];
    let Some(by) = link.len_by.or(link.count_by) else {
        return quote!(0..=::core::primitive::u64::MAX);
    };
    let keys = &cx.row(by).keys;
    let Base::Int(int) = cx.row(by).ty.base else {
        return quote!(0..=0);
    };
    let null = keys.null.filter(|null| *null >= 0);
    let least = match &keys.min {
        Some(min) => {
            let min = cx.constant(by, min);
            quote!(::core::cmp::Ord::max(#min as ::core::primitive::i64, 0) as ::core::primitive::u64)
        }
        // An empty row would read back as none at all.
        None if null == Some(0) => quote!(1),
        None => quote!(0),
    };
    let bias = u64::from(keys.bias.unwrap_or(0));
    let greatest = match (&keys.max, keys.bits, null) {
        (Some(max), ..) => {
            let max = cx.constant(by, max);
            quote!(#max as ::core::primitive::u64)
        }
        (None, Some(bits), _) => {
            let mask = mask(bits);
            quote!(#mask)
        }
        (None, None, Some(null)) if null > 0 => {
            let below = null.unsigned_abs() - 1;
            quote!(#below)
        }
        (None, None, _) => {
            let greatest = u64::MAX >> (64 - u32::from(int.bits()) + u32::from(int.signed));
            quote!(#greatest)
        }
    };
    match bias {
        0 => quote!(#least..=#greatest),
        bias => quote!({
            let (__least, __greatest): (::core::primitive::u64, ::core::primitive::u64) = (#least, #greatest);
            __least.saturating_sub(#bias)..=__greatest.saturating_sub(#bias)
        }),
    }
}
