//! The magic, the version, and what must be.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::names::{Context, primitive, unsigned};
use crate::model::{Base, Expected, Role};

impl Context<'_> {
    /// The check of a magic, a version, or what must be.
    pub(in super::super) fn identity(&self, index: usize) -> TokenStream {
        match &self.row(index).role {
            Role::Magic(expected) => self.magic(index, expected),
            Role::MustBe(expected) => self.must_be(index, expected),
            Role::Version => self.version_range(index),
            _ => TokenStream::new(),
        }
    }

    fn magic(&self, index: usize, expected: &Expected) -> TokenStream {
        let (krate, zerocopy) = (&self.krate, self.zerocopy());
        let get = self.get(index, None);
        let bytes = self.expected_bytes(index, expected);
        let (run, field) = (self.run(self.plan.piece_of[index]), &self.row(index).name);
        let fail = self.fail(
            index,
            &quote!(#krate::Fault::Magic {
                expected: #krate::Bytes8::of(const { #bytes }),
                found: #krate::Bytes8::of(#zerocopy::IntoBytes::as_bytes(&#run.#field)),
            }),
        );
        let same = match expected {
            Expected::Bytes(bytes) => {
                let bytes = Literal::byte_string(bytes);
                quote!(*#get == *#bytes)
            }
            Expected::Number(number) => {
                let number = self.constant(index, number);
                quote!(#get == #number)
            }
        };
        quote!(if !(#same) { #fail; })
    }

    fn must_be(&self, index: usize, expected: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let get = self.get(index, None);
        let number = self.constant(index, expected);
        let unsigned = match self.row(index).ty.base {
            Base::Int(int) => unsigned(int),
            _ => quote!(::core::primitive::u64),
        };
        let fail = self.fail(
            index,
            &quote!(#krate::Fault::MustBe {
                expected: #number as #unsigned as ::core::primitive::u64,
                found: __found as #unsigned as ::core::primitive::u64,
            }),
        );
        let check = quote!(if __found != #number { #fail; });
        if self.may_be_absent(index) {
            quote!(if let ::core::option::Option::Some(__found) = #get { #check })
        } else {
            quote!({ let __found = #get; #check })
        }
    }

    fn version_range(&self, index: usize) -> TokenStream {
        let krate = &self.krate;
        let (min, max) = self.definition.keys.reads.unwrap_or((0, 0));
        let fail = self.fail(
            index,
            &quote!(#krate::Fault::Version { found: __cx.version, min: #min, max: #max }),
        );
        let range = match (min, max) {
            (0, max) => quote!(__cx.version <= #max),
            (min, max) if min == max => quote!(__cx.version == #min),
            (min, max) => quote!(#min <= __cx.version && __cx.version <= #max),
        };
        quote!(if !(#range) { #fail; })
    }

    /// The bytes that a magic must be, as a constant expression.
    pub(in super::super) fn expected_bytes(
        &self,
        index: usize,
        expected: &Expected,
    ) -> TokenStream {
        match expected {
            Expected::Bytes(bytes) => {
                let bytes = Literal::byte_string(bytes);
                quote!(#bytes)
            }
            Expected::Number(number) => self.number_bytes(index, number),
        }
    }

    /// The stored bytes of a constant of a row's type, as a constant expression.
    pub(in super::super) fn number_bytes(&self, index: usize, number: &TokenStream) -> TokenStream {
        let Base::Int(int) = self.row(index).ty.base else {
            return quote!(&[]);
        };
        let (primitive, order) = (primitive(int), self.to_bytes(index));
        quote!(&<#primitive>::#order(#number))
    }

    /// A constant of the type of an integer row.
    pub(in super::super) fn constant(&self, index: usize, number: &TokenStream) -> TokenStream {
        let Base::Int(int) = self.row(index).ty.base else {
            return quote!((#number));
        };
        let primitive = primitive(int);
        quote!(const { let __number: #primitive = #number; __number })
    }
}
