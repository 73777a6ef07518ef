//! Integers that are written: within their limits, and such as their type or bits can hold.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::{Context, mask, primitive};
use crate::model::Int;

impl Context<'_> {
    /// A length or count that fits its type, its bits and its limits.
    pub(super) fn computed_number(&self, index: usize, int: Int) -> TokenStream {
        let krate = &self.krate;
        let keys = &self.row(index).keys;
        let primitive = primitive(int);
        let clash = self.refuse(
            index,
            &quote!(#krate::Fault::Refused {
                rule: "a length that says null is not that of a row which is there",
                found: __length as ::core::primitive::u64,
            }),
        );
        let computed = self.total(index, Some(&clash));
        let greatest = match keys.bits {
            Some(bits) => mask(bits),
            None => u64::MAX >> (64 - u32::from(int.bits()) + u32::from(int.signed)),
        };
        let greatest = match &keys.max {
            Some(max) => self.constant(index, max),
            None => quote!(#greatest),
        };
        let refuse = self.refuse(
            index,
            &quote!(#krate::Fault::TooLarge {
                found: __total as ::core::primitive::u64, limit: #greatest as ::core::primitive::u64,
            }),
        );
        let least = keys.min.as_ref().map(|min| {
            let limit = self.constant(index, min);
            let refuse = self.refuse(
                index,
                &quote!(#krate::Fault::TooSmall {
                    found: __total as ::core::primitive::i64, limit: #limit as ::core::primitive::i64,
                }),
            );
            quote!(if (__total as ::core::primitive::i128) < #limit as ::core::primitive::i128 { #refuse; })
        });
        let mut checks = quote! {
            if (__total as ::core::primitive::i128) > #greatest as ::core::primitive::i128 { #refuse; }
            #least
        };
        if self.says_null(index) {
            let null = keys.null.unwrap_or(0);
            checks = quote!(if __total != #null { #checks });
        }
        quote!({
            let __total = #computed;
            #checks
            __total as #primitive
        })
    }

    /// A given integer within its limits.
    pub(super) fn limited(&self, index: usize, given: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let keys = &self.row(index).keys;
        let mut checks = TokenStream::new();
        if let Some(min) = &keys.min {
            let limit = self.constant(index, min);
            let refuse = self.refuse(
                index,
                &quote!(#krate::Fault::TooSmall {
                    found: __number as ::core::primitive::i64, limit: #limit as ::core::primitive::i64,
                }),
            );
            checks.extend(quote!(if __number < #limit { #refuse; }));
        }
        let too_large = |limit: &TokenStream| {
            self.refuse(
                index,
                &quote!(#krate::Fault::TooLarge {
                    found: __number as ::core::primitive::u64, limit: #limit as ::core::primitive::u64,
                }),
            )
        };
        if let Some(max) = &keys.max {
            let limit = self.constant(index, max);
            let refuse = too_large(&limit);
            checks.extend(quote!(if __number > #limit { #refuse; }));
        }
        if let Some(bits) = keys.bits {
            let mask = mask(bits);
            let refuse = too_large(&quote!(#mask));
            checks.extend(quote!(if __number as ::core::primitive::u64 > #mask { #refuse; }));
        }
        if checks.is_empty() {
            return given.clone();
        }
        quote!({ let __number = #given; #checks __number })
    }
}
