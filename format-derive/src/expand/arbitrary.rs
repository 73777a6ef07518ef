//! Arbitrary values that the writer takes.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, local, primitive};
use crate::model::{Base, Role};

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let name = &cx.definition.name;
    // The value borrows from the entropy where it borrows at all.
    let entropy = cx
        .definition
        .lifetime
        .clone()
        .unwrap_or_else(super::names::input_lifetime);
    let (_, implementor) = cx.implementor();
    let (generics, _) = cx.implementor();
    let (from, version, value) = (local("from"), local("version"), local("value"));
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
        .map(|path| quote!(let #value = #path(#value);));
    let writes = match (cx.definition.keys.writes, cx.definition.keys.reads) {
        (Some(writes), _) => quote!(#writes),
        (None, Some((_, max))) => quote!(#max),
        (None, None) => match &cx.definition.keys.version_of {
            Some(of) => quote!(match &<#of as #krate::format::Format>::KIND.versions {
                ::core::option::Option::Some(versions) => versions.writes,
                ::core::option::Option::None => 0,
            }),
            None => quote!(0),
        },
    };
    let elided = cx.value_type(&quote!('_));
    let private = cx.private();
    let result = quote!(#private::arbitrary::Result);
    quote! {
        #krate::__arbitrary! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, clippy::restriction, unused_variables)]
            impl<#entropy> #krate::arbitrary::ArbitraryAt<#entropy> for #implementor {
                fn arbitrary_at(
                    #from: &mut #private::arbitrary::Unstructured<#entropy>,
                    #version: ::core::primitive::u32,
                ) -> #result<Self> {
                    #(#made)*
                    let #value = #name { #(#fields),* };
                    #obey
                    ::core::result::Result::Ok(#value)
                }
            }

            #[automatically_derived]
            impl<#entropy> #private::arbitrary::Arbitrary<#entropy> for #implementor {
                fn arbitrary(#from: &mut #private::arbitrary::Unstructured<#entropy>) -> #result<Self> {
                    <Self as #krate::arbitrary::ArbitraryAt<#entropy>>::arbitrary_at(#from, #writes)
                }
            }

            #[automatically_derived]
            impl #generics #krate::arbitrary::Generate for #implementor {
                fn generate(
                    #from: &mut #private::arbitrary::Unstructured<'_>,
                    #version: ::core::primitive::u32,
                ) -> #result<::core::result::Result<#private::Vec<::core::primitive::u8>, #krate::EncodeError>> {
                    let #value = <#elided as #krate::arbitrary::ArbitraryAt<'_>>::arbitrary_at(#from, #version)?;
                    let mut bytes = #private::Vec::new();
                    ::core::result::Result::Ok(
                        #krate::encode::Encode::encode_at(&#value, #version, &mut bytes).map(|()| bytes),
                    )
                }
            }
        }
    }
}

fn made_name(index: usize) -> proc_macro2::Ident {
    local(&format!("made{index}"))
}

/// An expression that makes the value of a row.
fn make(cx: &Context<'_>, index: usize) -> TokenStream {
    let row = cx.row(index);
    let (from, version) = (local("from"), local("version"));
    let inner = make_inner(cx, index);
    if !row.ty.optional {
        return inner;
    }
    let there = if row.keys.when.is_some() {
        condition(cx, index)
    } else if row.keys.tag.is_some() || !row.is_versioned() {
        quote!(#from.arbitrary::<::core::primitive::bool>()?)
    } else {
        quote!(true)
    };
    let in_version = cx.in_version(index, &quote!(#version));
    quote!(if #in_version && #there { ::core::option::Option::Some(#inner) } else { ::core::option::Option::None })
}

fn condition(cx: &Context<'_>, index: usize) -> TokenStream {
    let Some(condition) = &cx.row(index).keys.when else {
        return quote!(true);
    };
    let version = local("version");
    let bindings = cx.links.rows[index].when.iter().map(|&other| {
        let (name, row) = (&cx.row(other).name, cx.row(other));
        let value = match (&row.role, &row.ty.base) {
            (Role::Version, Base::Int(int)) => {
                let primitive = primitive(*int);
                quote!(#version as #primitive)
            }
            (role, _) if role.is_computed() => quote!(::core::default::Default::default()),
            (_, Base::Array(_)) => {
                let made = made_name(other);
                quote!(&#made)
            }
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
    let (from, version) = (local("from"), local("version"));
    let limit = limit(cx, index);
    match &row.ty.base {
        Base::Int(int) => {
            let primitive = primitive(*int);
            let least = row
                .keys
                .min
                .clone()
                .unwrap_or_else(|| quote!(<#primitive>::MIN));
            let greatest = match (&row.keys.max, row.keys.bits) {
                (Some(max), _) => max.clone(),
                (None, Some((low, high))) => {
                    let mask = u64::MAX >> (63 - (high - low));
                    quote!((#mask as #primitive))
                }
                (None, None) => quote!(<#primitive>::MAX),
            };
            quote!(#from.int_in_range::<#primitive>(#least..=#greatest)?)
        }
        Base::Bool => quote!(#from.arbitrary::<::core::primitive::bool>()?),
        Base::Array(len) => quote!({
            let mut bytes = [0; #len];
            #from.fill_buffer(&mut bytes)?;
            bytes
        }),
        Base::Slice => quote!(#private::generate::bytes(#from, #limit)?),
        Base::Bytes => quote!(#private::generate::bytes(#from, #limit)?.to_vec()),
        Base::Str => quote!(#private::generate::text(#from, #limit)?),
        Base::String => quote!(#private::generate::string(#from, #limit)?),
        Base::Seq(ty) => quote!(#private::generate::entries::<#ty>(#from, #limit, #version)?),
        Base::Path(ty) => {
            quote!(<#ty as #krate::arbitrary::ArbitraryAt<'_>>::arbitrary_at(#from, #version)?)
        }
    }
}

/// The longest that an open-ended row may be, as far as its length says.
fn limit(cx: &Context<'_>, index: usize) -> TokenStream {
    let link = &cx.links.rows[index];
    match link.len_by.or(link.count_by).map(|by| cx.row(by)) {
        Some(by) => match (&by.keys.max, &by.ty.base) {
            (Some(max), Base::Int(int)) => {
                let primitive = primitive(*int);
                quote!({ const __ONDISK_GREATEST: #primitive = #max; __ONDISK_GREATEST as ::core::primitive::u64 })
            }
            (None, Base::Int(int)) => {
                let greatest = u64::MAX >> (64 - u32::from(int.bytes) * 8 + u32::from(int.signed));
                quote!(#greatest)
            }
            _ => quote!(::core::primitive::u64::MAX),
        },
        None => quote!(::core::primitive::u64::MAX),
    }
}
