//! An enum: a number with named values, in bits or as an integer of its own.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{input_lifetime, local, unraw};
use crate::model::{Enumeration, Repr, Variant};

/// Everything that an enum becomes.
pub(crate) fn expand(definition: &Enumeration) -> TokenStream {
    let krate = definition.krate.clone().unwrap_or_else(|| quote!(::ondisk));
    let named: Vec<_> = definition
        .variants
        .iter()
        .filter(|variant| !variant.other)
        .collect();
    let enumeration = enumeration(definition, &named, &krate);
    let arbitrary = arbitrary(definition, &named, &krate);
    let fixed = match definition.repr {
        Some(Repr::Int(int)) => fixed(definition, int, &krate),
        _ => TokenStream::new(),
    };
    quote!(#enumeration #arbitrary #fixed)
}

fn range(variant: &Variant) -> (u32, u32) {
    (
        variant.since.unwrap_or(0),
        variant.until.unwrap_or(u32::MAX),
    )
}

fn enumeration(definition: &Enumeration, named: &[&Variant], krate: &TokenStream) -> TokenStream {
    let name = &definition.name;
    let kind = kind(definition, named, krate);
    let first = &named[0].name;
    let (raw, version) = (local("raw"), local("version"));
    let values = named.iter().map(|variant| &variant.value);
    let consts: Vec<_> = named
        .iter()
        .map(|variant| format_ident!("__ONDISK_{}", unraw(&variant.name).to_uppercase()))
        .collect();
    let from = named.iter().zip(&consts).map(|(variant, value)| {
        let ident = &variant.name;
        match range(variant) {
            (0, u32::MAX) => quote!(#value => ::core::result::Result::Ok(Self::#ident)),
            (since, until) => {
                let there = in_range(&version, since, until);
                quote! {
                    #value if #there => ::core::result::Result::Ok(Self::#ident),
                    #value => ::core::result::Result::Err(#krate::Fault::NotInVersion {
                        found: #raw, version: #version, since: #since, until: #until,
                    })
                }
            }
        }
    });
    let from_any = named.iter().zip(&consts).map(|(variant, value)| {
        let ident = &variant.name;
        quote!(#value => Self::#ident)
    });
    let to = named.iter().zip(&consts).map(|(variant, value)| {
        let ident = &variant.name;
        match range(variant) {
            (0, u32::MAX) => quote!(Self::#ident => ::core::result::Result::Ok(#value)),
            (since, until) => {
                let there = in_range(&version, since, until);
                quote! {
                    Self::#ident if #there => ::core::result::Result::Ok(#value),
                    Self::#ident => ::core::result::Result::Err(#krate::Fault::NotInVersion {
                        found: #value, version: #version, since: #since, until: #until,
                    })
                }
            }
        }
    });
    let other = definition.variants.iter().find(|variant| variant.other);
    let (from_other, from_any_other, to_other) = match other {
        Some(variant) => {
            let ident = &variant.name;
            (
                quote!(_ => ::core::result::Result::Ok(Self::#ident(#raw as _))),
                quote!(_ => Self::#ident(#raw as _)),
                quote!(, Self::#ident(other) => ::core::result::Result::Ok(other as ::core::primitive::u64)),
            )
        }
        None => (
            quote!(_ => ::core::result::Result::Err(#krate::Fault::Unknown { found: #raw })),
            quote!(_ => Self::#first),
            TokenStream::new(),
        ),
    };
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction, unused_variables)]
        const _: () = {
            #(const #consts: ::core::primitive::u64 = #values;)*

            impl #krate::format::Enumeration for #name {
                const FIRST: Self = Self::#first;
                const KIND: &'static #krate::Kind = #kind;

                #[inline]
                fn from_raw(
                    #raw: ::core::primitive::u64,
                    #version: ::core::primitive::u32,
                ) -> ::core::result::Result<Self, #krate::Fault> {
                    match #raw { #(#from,)* #from_other }
                }

                #[inline]
                fn from_raw_any(#raw: ::core::primitive::u64) -> Self {
                    match #raw { #(#from_any,)* #from_any_other }
                }

                #[inline]
                fn to_raw(
                    self,
                    #version: ::core::primitive::u32,
                ) -> ::core::result::Result<::core::primitive::u64, #krate::Fault> {
                    match self { #(#to),* #to_other }
                }
            }
        };
    }
}

fn in_range(version: &proc_macro2::Ident, since: u32, until: u32) -> TokenStream {
    match (since, until) {
        (since, u32::MAX) => quote!(#since <= #version),
        (0, until) => quote!(#version <= #until),
        (since, until) => quote!(#since <= #version && #version <= #until),
    }
}

fn kind(definition: &Enumeration, named: &[&Variant], krate: &TokenStream) -> TokenStream {
    let (name, doc) = (unraw(&definition.name), &definition.doc);
    let open = definition.variants.iter().any(|variant| variant.other);
    let bytes = match definition.repr {
        Some(Repr::Int(int)) => int.bytes,
        _ => 0,
    };
    let size = usize::from(bytes);
    let variants = named.iter().map(|variant| {
        let (name, doc, value) = (unraw(&variant.name), &variant.doc, &variant.value);
        let (since, until) = range(variant);
        quote!(#krate::describe::Variant { name: #name, doc: #doc, value: #value, since: #since, until: #until })
    });
    let endian = if definition.le {
        quote!(Little)
    } else {
        quote!(Big)
    };
    quote! {
        &#krate::Kind {
            name: #name,
            module: ::core::module_path!(),
            doc: #doc,
            shape: #krate::describe::Shape::Enum { bytes: #bytes, variants: &[#(#variants),*], open: #open },
            file: ::core::option::Option::None,
            head_of: ::core::option::Option::None,
            whole: false,
            class: ::core::option::Option::None,
            endian: #krate::describe::Endian::#endian,
            versions: ::core::option::Option::None,
            version_of: ::core::option::Option::None,
            trailing: #krate::describe::Trailing::Refuse,
            canonical: true,
            size: ::core::option::Option::Some(#size),
            min: #size,
            steps: &[],
        }
    }
}

/// An enum that is an integer of its own is a kind of fixed size.
fn fixed(definition: &Enumeration, int: crate::model::Int, krate: &TokenStream) -> TokenStream {
    let name = &definition.name;
    let life = input_lifetime();
    let primitive = super::names::primitive(int);
    let size = usize::from(int.bytes);
    let zerocopy = quote!(#krate::__private::zerocopy);
    let (layout, get, new) = if int.bytes == 1 {
        (
            primitive.clone(),
            quote!(*layout),
            quote!(raw as #primitive),
        )
    } else {
        let upper = format_ident!("{}", int.name().to_uppercase());
        let order = if definition.le {
            quote!(little_endian)
        } else {
            quote!(big_endian)
        };
        let layout = quote!(#zerocopy::byteorder::#order::#upper);
        (
            layout.clone(),
            quote!(layout.get()),
            quote!(<#layout>::new(raw as #primitive)),
        )
    };
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction)]
        const _: () = {
            impl #krate::format::Format for #name {
                type View<#life> = #name;
                type Value<#life> = #name;
                type Versioned = #name;
                const KIND: &'static #krate::Kind = <#name as #krate::format::Enumeration>::KIND;
                const MIN: ::core::primitive::usize = #size;
                const SIZE: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::Some(#size);
                const DEPTH: ::core::primitive::usize = 0;

                fn open<#life, E: #krate::Fail, const LEVEL: ::core::primitive::u8>(
                    input: &#life [::core::primitive::u8],
                    at: ::core::primitive::usize,
                    cx: #krate::format::Cx,
                ) -> ::core::result::Result<(#name, ::core::primitive::usize), E> {
                    let ::core::result::Result::Ok((layout, _)) =
                        <#layout as #zerocopy::FromBytes>::ref_from_prefix(input) else {
                        return ::core::result::Result::Err(#krate::__private::short::<E>(
                            <Self as #krate::format::Format>::KIND, 0, at, #size as ::core::primitive::u64, input.len(), cx.closed,
                        ));
                    };
                    <Self as #krate::format::Fixed>::check::<E, LEVEL>(layout, at, cx)?;
                    ::core::result::Result::Ok((<Self as #krate::format::Fixed>::look(layout), #size))
                }

                fn value<#life>(view: <Self as #krate::format::Format>::View<#life>) -> <Self as #krate::format::Format>::Value<#life> { view }
            }

            impl #krate::format::Fixed for #name {
                type Layout = #layout;

                fn check<E: #krate::Fail, const LEVEL: ::core::primitive::u8>(
                    layout: &#layout,
                    at: ::core::primitive::usize,
                    cx: #krate::format::Cx,
                ) -> ::core::result::Result<(), E> {
                    if LEVEL >= #krate::format::WALK
                        && let ::core::result::Result::Err(fault) =
                            <Self as #krate::format::Enumeration>::from_raw(#get as ::core::primitive::u64, cx.version)
                    {
                        return ::core::result::Result::Err(<E as #krate::Fail>::fail(|| {
                            #krate::Error::new(<Self as #krate::format::Format>::KIND, 0, at, fault)
                        }));
                    }
                    ::core::result::Result::Ok(())
                }

                fn look(layout: &#layout) -> #name {
                    <#name as #krate::format::Enumeration>::from_raw_any(#get as ::core::primitive::u64)
                }

                fn lay<#life>(value: &<Self as #krate::format::Format>::Value<#life>, version: ::core::primitive::u32) -> ::core::result::Result<#layout, #krate::EncodeError> {
                    match <#name as #krate::format::Enumeration>::to_raw(*value, version) {
                        ::core::result::Result::Ok(raw) => ::core::result::Result::Ok(#new),
                        ::core::result::Result::Err(fault) => ::core::result::Result::Err(
                            #krate::EncodeError::new(<Self as #krate::format::Format>::KIND, 0, fault),
                        ),
                    }
                }
            }

            #krate::__alloc! {
                impl #krate::encode::Encode for #name {
                    fn encoded_len_at(&self, _: ::core::primitive::u32) -> ::core::primitive::usize { #size }

                    fn encode_at(
                        &self,
                        version: ::core::primitive::u32,
                        out: &mut #krate::__private::Vec<::core::primitive::u8>,
                    ) -> ::core::result::Result<(), #krate::EncodeError> {
                        let layout = <Self as #krate::format::Fixed>::lay(self, version)?;
                        out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&layout));
                        ::core::result::Result::Ok(())
                    }

                    fn rewrite<#life>(
                        view: <Self as #krate::format::Format>::View<#life>,
                        version: ::core::primitive::u32,
                        out: &mut #krate::__private::Vec<::core::primitive::u8>,
                    ) -> ::core::result::Result<(), #krate::EncodeError> {
                        #krate::encode::Encode::encode_at(&view, version, out)
                    }
                }
            }
        };
    }
}

fn arbitrary(definition: &Enumeration, named: &[&Variant], krate: &TokenStream) -> TokenStream {
    let name = &definition.name;
    let life = input_lifetime();
    let variants = named.iter().map(|variant| {
        let ident = &variant.name;
        let (since, until) = range(variant);
        quote!((Self::#ident, #since, #until))
    });
    quote! {
        #krate::__arbitrary! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic, clippy::restriction)]
            impl<#life> #krate::arbitrary::ArbitraryAt<#life> for #name {
                fn arbitrary_at(
                    from: &mut #krate::__private::arbitrary::Unstructured<#life>,
                    version: ::core::primitive::u32,
                ) -> #krate::__private::arbitrary::Result<Self> {
                    let all = [#(#variants),*];
                    let in_version = |of: &&(Self, ::core::primitive::u32, ::core::primitive::u32)| {
                        of.1 <= version && version <= of.2
                    };
                    let known = all.iter().filter(in_version).count();
                    let chosen = from.choose_index(known.max(1))?;
                    ::core::result::Result::Ok(
                        all.iter().filter(in_version).nth(chosen).map_or(
                            <Self as #krate::format::Enumeration>::FIRST, |of| of.0,
                        ),
                    )
                }
            }
        }
    }
}
