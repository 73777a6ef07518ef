//! An enum that is an integer of its own is a kind of fixed size.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::names::{primitive, quiet};
use super::Context;
use crate::model::Int;

impl Context<'_> {
    pub(super) fn fixed(&self, int: Int) -> TokenStream {
        let krate = &self.krate;
        let name = &self.definition.name;
        let size = usize::from(int.bytes);
        let zerocopy = quote!(#krate::__private::zerocopy);
        let (layout, get, new) = self.layout(int);
        let quiet = quiet();
        quote! {
            #quiet
            impl #krate::format::Format for #name {
                type View<'__b> = #name;
                type Value<'__b> = #name;
                type Layout = #layout;
                type Versioned = #name;
                const KIND: &'static #krate::Kind = <#name as #krate::format::Enumeration>::KIND;
                const MIN: ::core::primitive::usize = #size;
                const SIZE: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::Some(#size);
                const DEPTH: ::core::primitive::usize = 0;

                #[inline]
                fn open<'__b, __E: #krate::Fail, const __LEVEL: ::core::primitive::u8>(
                    __input: &'__b [::core::primitive::u8],
                    __at: ::core::primitive::usize,
                    __cx: #krate::format::Cx,
                ) -> ::core::result::Result<(#name, ::core::primitive::usize), __E> {
                    let ::core::result::Result::Ok((__layout, _)) =
                        <#layout as #zerocopy::FromBytes>::ref_from_prefix(__input) else {
                        return ::core::result::Result::Err(#krate::__private::short::<__E>(
                            <Self as #krate::format::Format>::KIND,
                            ::core::primitive::u16::MAX,
                            __at,
                            #size as ::core::primitive::u64,
                            __input.len(),
                            __cx.closed,
                        ));
                    };
                    <Self as #krate::format::Fixed>::check::<__E, __LEVEL>(__layout, __at, __cx)?;
                    ::core::result::Result::Ok((<Self as #krate::format::Fixed>::look(__layout), #size))
                }

                fn value<'__b>(
                    __view: <Self as #krate::format::Format>::View<'__b>,
                ) -> <Self as #krate::format::Format>::Value<'__b> {
                    __view
                }
            }

            #quiet
            impl #krate::format::Fixed for #name {
                #[inline]
                fn check<__E: #krate::Fail, const __LEVEL: ::core::primitive::u8>(
                    __layout: &#layout,
                    __at: ::core::primitive::usize,
                    __cx: #krate::format::Cx,
                ) -> ::core::result::Result<(), __E> {
                    if __LEVEL >= #krate::format::WALK
                        && let ::core::result::Result::Err(__fault) =
                            <Self as #krate::format::Enumeration>::from_raw(#get as ::core::primitive::u64, __cx.version)
                    {
                        return ::core::result::Result::Err(<__E as #krate::Fail>::fail(|| {
                            #krate::Error::new(
                                <Self as #krate::format::Format>::KIND, ::core::primitive::u16::MAX, __at, __fault,
                            )
                        }));
                    }
                    ::core::result::Result::Ok(())
                }

                #[inline]
                fn look(__layout: &#layout) -> #name {
                    <#name as #krate::format::Enumeration>::from_raw_any(#get as ::core::primitive::u64)
                }

                #[inline]
                fn lay<'__b>(
                    __value: &<Self as #krate::format::Format>::Value<'__b>,
                    __version: ::core::primitive::u32,
                ) -> ::core::result::Result<#layout, #krate::EncodeError> {
                    match <#name as #krate::format::Enumeration>::to_raw(*__value, __version) {
                        ::core::result::Result::Ok(__raw) => ::core::result::Result::Ok(#new),
                        ::core::result::Result::Err(__fault) => ::core::result::Result::Err(
                            #krate::EncodeError::new(
                                <Self as #krate::format::Format>::KIND, ::core::primitive::u16::MAX, __fault,
                            ),
                        ),
                    }
                }
            }

            #krate::__alloc! {
                #quiet
                impl #krate::encode::Encode for #name {
                    fn encoded_len_at(&self, _: ::core::primitive::u32) -> ::core::primitive::usize { #size }

                    fn encode_at(
                        &self,
                        __version: ::core::primitive::u32,
                        __out: &mut #krate::__private::Vec<::core::primitive::u8>,
                    ) -> ::core::result::Result<(), #krate::EncodeError> {
                        let __layout = <Self as #krate::format::Fixed>::lay(self, __version)?;
                        __out.extend_from_slice(#zerocopy::IntoBytes::as_bytes(&__layout));
                        ::core::result::Result::Ok(())
                    }

                    fn rewrite<'__b>(
                        __view: <Self as #krate::format::Format>::View<'__b>,
                        __version: ::core::primitive::u32,
                        __out: &mut #krate::__private::Vec<::core::primitive::u8>,
                    ) -> ::core::result::Result<(), #krate::EncodeError> {
                        #krate::encode::Encode::encode_at(&__view, __version, __out)
                    }
                }
            }
        }
    }

    /// The type that holds the number, and how it is read from `__layout` and made of `__raw`.
    fn layout(&self, int: Int) -> (TokenStream, TokenStream, TokenStream) {
        let krate = &self.krate;
        let primitive = primitive(int);
        if int.bytes == 1 {
            let new = quote!(__raw as #primitive);
            return (primitive, quote!(*__layout), new);
        }
        let name = format_ident!("{}", int.name().to_uppercase());
        let order = if self.definition.le {
            quote!(little_endian)
        } else {
            quote!(big_endian)
        };
        let layout = quote!(#krate::__private::zerocopy::byteorder::#order::#name);
        let new = quote!(<#layout>::new(__raw as #primitive));
        (layout, quote!(__layout.get()), new)
    }
}
