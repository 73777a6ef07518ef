//! What stands in a row: enums, limits, text, and rules in code.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::Context;
use crate::model::Base;
use crate::plan::refuses_negative;

impl Context<'_> {
    /// The checks of a row's value that follow from its type and limits.
    pub(in super::super) fn value_checks(&self, index: usize) -> TokenStream {
        let get = self.get(index, None);
        if !self.may_be_absent(index) {
            return self.typed_checks(index, &get);
        }
        let inner = self.typed_checks(index, &quote!(__present));
        if inner.is_empty() {
            return inner;
        }
        quote!(if let ::core::option::Option::Some(__present) = #get { #inner })
    }

    /// Checks that follow from the type and the limits.
    fn typed_checks(&self, index: usize, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        match &row.ty.base {
            Base::Path(ty) if row.is_bits() => {
                let raw = self.get_bits(index, None);
                let from_raw = self.of_trait(ty, "Enumeration", "from_raw");
                let fail = self.fail(index, &quote!(__fault));
                quote! {
                    if let ::core::result::Result::Err(__fault) = #from_raw(#raw, __cx.version) { #fail; }
                }
            }
            Base::Path(ty) if self.is_in_run(index) => {
                let run = self.run(self.plan.piece_of[index]);
                let (field, position) = (&row.name, self.position(index));
                let (check, in_row) = (self.of_trait(ty, "Fixed", "check"), self.in_row(index));
                quote! {
                    #check::<__E, __LEVEL>(&#run.#field, __at.saturating_add(#position), __cx.nested(true))#in_row?;
                }
            }
            base if base.is_text() => {
                let fail = self.fail(
                    index,
                    &quote!(#krate::Fault::Utf8 {
                        valid_up_to: __error.valid_up_to() as ::core::primitive::u64,
                    }),
                );
                quote! {
                    if let ::core::result::Result::Err(__error) = ::core::str::from_utf8(#value) { #fail; }
                }
            }
            Base::Int(_) => self.limits(index, value),
            _ => TokenStream::new(),
        }
    }

    fn limits(&self, index: usize, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let keys = &row.keys;
        let mut out = TokenStream::new();
        let too_small = |limit: &TokenStream| {
            self.fail(index, &quote!(#krate::Fault::TooSmall {
                found: #value as ::core::primitive::i64, limit: #limit as ::core::primitive::i64,
            }))
        };
        if let Some(min) = &keys.min {
            let limit = self.constant(index, min);
            let fail = too_small(&limit);
            out.extend(quote!(if #value < #limit { #fail; }));
        }
        if refuses_negative(row) {
            let fail = too_small(&quote!(0));
            out.extend(quote!(if #value < 0 { #fail; }));
        }
        if let Some(max) = &keys.max {
            let limit = self.constant(index, max);
            let fail = self.fail(index, &quote!(#krate::Fault::TooLarge {
                found: #value as ::core::primitive::u64, limit: #limit as ::core::primitive::u64,
            }));
            out.extend(quote!(if #value > #limit { #fail; }));
        }
        if self.says_null(index) && !out.is_empty() {
            // A number that says null is no length, so no limit is about it.
            let is_null = self.is_null(index);
            return quote!(if !#is_null { #out });
        }
        out
    }

    /// Says which row a refused enum stands in.
    pub(in super::super) fn in_row(&self, index: usize) -> TokenStream {
        let (krate, number) = (&self.krate, self.number(index));
        quote!(.map_err(|__error: __E| {
            <__E as #krate::Fail>::in_row(__error, <Self as #krate::format::Format>::KIND, #number)
        }))
    }

    /// The checks of a row's value that the definition adds in code.
    pub(in super::super) fn value_rules(&self, index: usize) -> TokenStream {
        let (row, value) = (self.row(index), self.get(index, None));
        if row.keys.checks.is_empty() {
            return TokenStream::new();
        }
        let fail = self.fail(index, &quote!(__fault));
        let value = if row.ty.base.is_text() {
            self.as_text(index, &value)
        } else {
            value
        };
        let head = self.plan.has_head().then(|| {
            let run = self.run(0);
            quote!(, #run)
        });
        let calls = row.keys.checks.iter().map(|check| {
            quote!(if let ::core::result::Result::Err(__fault) = #check(#value #head) { #fail; })
        });
        quote!(#(#calls)*)
    }
}
