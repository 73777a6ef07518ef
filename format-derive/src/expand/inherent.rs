//! What users call on a kind without importing anything.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, quiet};

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (generics, implementor) = cx.implementor();
    let vis = &cx.definition.vis;
    let (reader, writer) = (reader(cx), writer(cx));
    let quiet = quiet();
    quote! {
        #quiet
        #[allow(dead_code)]
        impl #generics #implementor {
            /// The description of this kind.
            #vis const KIND: &'static #krate::Kind = <Self as #krate::format::Format>::KIND;
            /// The least number of bytes.
            #vis const MIN: ::core::primitive::usize = <Self as #krate::format::Format>::MIN;
            /// The number of bytes, if every instance has the same.
            #vis const SIZE: ::core::option::Option<::core::primitive::usize> = <Self as #krate::format::Format>::SIZE;

            #reader
            #writer
        }
    }
}

/// What readers need.
fn reader(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let (vis, view) = (&cx.definition.vis, cx.view_name());
    let (parameter, version) = match cx.definition.keys.version_of {
        Some(_) => (quote!(, version: ::core::primitive::u32), quote!(version)),
        None => (TokenStream::new(), quote!(0)),
    };
    let result = |ok: TokenStream| quote!(::core::result::Result<#ok, #krate::Error>);
    let (result_view, result_prefix) = (
        result(quote!(#view<'_>)),
        result(quote!((#view<'_>, &[::core::primitive::u8]))),
    );
    let view = quote! {
        /// Makes every check on `bytes`, which must be exactly one of this kind.
        ///
        /// # Errors
        /// The first check that fails, at its position.
        #[inline]
        #vis fn view(bytes: &[::core::primitive::u8] #parameter) -> #result_view {
            #krate::format::open_whole::<Self, { #krate::format::FULL }>(bytes, #version)
        }
    };
    if cx.definition.keys.is_whole() {
        return view;
    }
    quote! {
        #view

        /// Makes every check on the front of `bytes`, and returns the view and what lies behind it.
        ///
        /// # Errors
        /// The first check that fails, at its position.
        #[inline]
        #vis fn view_prefix(bytes: &[::core::primitive::u8] #parameter) -> #result_prefix {
            #krate::format::open_prefix::<Self, { #krate::format::FULL }>(bytes, #version)
        }

        /// Makes the checks that are needed to step over the front of `bytes`: identity, head, lengths.
        ///
        /// # Errors
        /// The first check that fails, at its position.
        #[inline]
        #vis fn walk_prefix(bytes: &[::core::primitive::u8] #parameter) -> #result_prefix {
            #krate::format::open_prefix::<Self, { #krate::format::WALK }>(bytes, #version)
        }

        /// The instances in `bytes`, one behind another.
        #[inline]
        #vis fn stream(bytes: &[::core::primitive::u8] #parameter) -> #krate::Stream<'_, Self> {
            #krate::Stream::new(bytes, #version)
        }
    }
}

/// What writers need.
fn writer(cx: &Context<'_>) -> TokenStream {
    let krate = &cx.krate;
    let vis = &cx.definition.vis;
    let keys = &cx.definition.keys;
    let versioned = keys.version_of.clone().unwrap_or_else(|| quote!(Self));
    let has_version = keys.reads.is_some() || keys.version_of.is_some();
    let own = keys.reads.is_some().then(|| quote! {
        /// The version written by default under `levels`.
        #[must_use]
        #vis fn write_version(levels: &#krate::FeatureLevels<'_>) -> #krate::WriteVersion<Self> {
            #krate::WriteVersion::default_under(levels)
        }

        /// Exactly `version`, if `levels` allow it.
        ///
        /// # Errors
        /// A version that no build writes, or whose feature is not finalized.
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
            #vis fn encode(
                &self,
                #parameter
                out: &mut #krate::__private::Vec<::core::primitive::u8>,
            ) -> ::core::result::Result<(), #krate::EncodeError> {
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
