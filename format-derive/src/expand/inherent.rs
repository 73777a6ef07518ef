//! What users call on a kind without importing anything.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Context;

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let (any, view) = (cx.value_type(&quote!('static)), cx.view_name());
    let vis = &cx.definition.vis;
    let keys = &cx.definition.keys;
    let (whole, of) = (keys.is_whole(), keys.version_of.is_some());
    let parameter = of.then(|| quote!(, version: ::core::primitive::u32));
    let version = if of { quote!(version) } else { quote!(0) };
    let reader = if of {
        quote!(#krate::format::open_of)
    } else {
        quote!(#krate::format)
    };
    let result = |ok: TokenStream| quote!(::core::result::Result<#ok, #krate::Error>);
    let (result_view, result_prefix) = (
        result(quote!(#view<'_>)),
        result(quote!((#view<'_>, &[::core::primitive::u8]))),
    );
    let prefix = (!whole).then(|| {
        quote! {
            /// Makes every check on the front of `bytes`, and returns the view and what lies behind it.
            ///
            /// # Errors
            /// The first check that fails, at its position.
            #[inline]
            #vis fn view_prefix(bytes: &[::core::primitive::u8] #parameter) -> #result_prefix {
                #reader::open_prefix::<Self, { #krate::format::FULL }>(bytes, #version)
            }

            /// Makes the checks that are needed to step over the front of `bytes`: identity, head, lengths.
            ///
            /// # Errors
            /// The first check that fails, at its position.
            #[inline]
            #vis fn walk_prefix(bytes: &[::core::primitive::u8] #parameter) -> #result_prefix {
                #reader::open_prefix::<Self, { #krate::format::WALK }>(bytes, #version)
            }

            /// The instances in `bytes`, one behind another.
            #[inline]
            #vis fn stream(bytes: &[::core::primitive::u8] #parameter) -> #krate::Stream<'_, Self> {
                #krate::Stream::new(bytes, #version)
            }
        }
    });
    let writer = writer(cx);
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, clippy::restriction, dead_code)]
        impl #generics #implementor {
            /// The description of this kind.
            #vis const KIND: &'static #krate::Kind = <Self as #krate::format::Format>::KIND;
            /// The least number of bytes.
            #vis const MIN: ::core::primitive::usize = <Self as #krate::format::Format>::MIN;
            /// The number of bytes, if every instance has the same.
            #vis const SIZE: ::core::option::Option<::core::primitive::usize> = <Self as #krate::format::Format>::SIZE;

            /// Makes every check on `bytes`, which must be exactly one of this kind.
            ///
            /// # Errors
            /// The first check that fails, at its position.
            #[inline]
            #vis fn view(bytes: &[::core::primitive::u8] #parameter) -> #result_view {
                #reader::open_whole::<Self, { #krate::format::FULL }>(bytes, #version)
            }

            #prefix
            #writer
        }

        const _: () = {
            // What the reader relies on, seen by `cargo check`: names and sizes of the definition hold together.
            ::core::assert!(<#any as #krate::format::Format>::DEPTH < 64, "kinds are nested too deep");
        };
    }
}

/// What writers need.
fn writer(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let vis = &cx.definition.vis;
    let keys = &cx.definition.keys;
    let versioned = keys.version_of.clone().unwrap_or_else(|| quote!(Self));
    let has_version = keys.reads.is_some() || keys.version_of.is_some();
    let result = quote!(::core::result::Result<(), #krate::EncodeError>);
    let out = quote!(out: &mut #krate::__private::Vec<::core::primitive::u8>);
    let own = keys.reads.is_some().then(|| quote! {
        /// The version written by default under `levels`.
        #[must_use]
        #vis fn write_version(levels: &#krate::FeatureLevels<'_>) -> #krate::WriteVersion<Self> {
            #krate::WriteVersion::default_under(levels)
        }

        /// Exactly `version`, if `levels` allow it.
        ///
        /// # Errors
        /// A version that is not read either, or whose feature is not finalized.
        #vis fn write_at(
            version: ::core::primitive::u32,
            levels: &#krate::FeatureLevels<'_>,
        ) -> ::core::result::Result<#krate::WriteVersion<Self>, #krate::GateError> {
            #krate::WriteVersion::at(version, levels)
        }
    });
    let (parameter, version) = if has_version {
        (
            quote!(version: #krate::WriteVersion<#versioned>,),
            quote!(version.get()),
        )
    } else {
        (TokenStream::new(), quote!(0))
    };
    quote! {
        #own
        #krate::__alloc! {
            /// Appends the bytes of the value. On an error `out` is as it was.
            ///
            /// # Errors
            /// A value that would not read back as what it is.
            #[inline]
            #vis fn encode(&self, #parameter #out) -> #result {
                #krate::encode::Encode::encode_at(self, #version, out)
            }

            /// Exactly the bytes that [`encode`](Self::encode) appends.
            #[must_use]
            #vis fn encoded_len(&self, #parameter) -> ::core::primitive::usize {
                #krate::encode::Encode::encoded_len_at(self, #version)
            }
        }
    }
}
