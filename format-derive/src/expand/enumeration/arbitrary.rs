//! Arbitrary values of an enum: those that a version has.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::quiet;
use super::{Context, range};

impl Context<'_> {
    pub(super) fn arbitrary(&self) -> TokenStream {
        let krate = &self.krate;
        let name = &self.definition.name;
        let variants = self.named.iter().map(|variant| {
            let ident = &variant.name;
            let (since, until) = range(variant);
            quote!((Self::#ident, #since, #until))
        });
        let quiet = quiet();
        quote! {
            #krate::__arbitrary! {
                #quiet
                impl<'__b> #krate::arbitrary::ArbitraryAt<'__b> for #name {
                    fn arbitrary_at(
                        __from: &mut #krate::__private::arbitrary::Unstructured<'__b>,
                        __version: ::core::primitive::u32,
                    ) -> #krate::__private::arbitrary::Result<Self> {
                        #krate::__private::generate::variant(__from, __version, &[#(#variants),*])
                    }
                }
            }
        }
    }
}
