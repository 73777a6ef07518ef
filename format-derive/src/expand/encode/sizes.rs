//! How many bytes rows take when they are written, and what lengths and counts say of it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::Context;
use crate::model::{Base, Varint};

impl Context<'_> {
    /// The bytes that a variable row takes when it is written.
    pub(super) fn written_len(&self, index: usize) -> TokenStream {
        let row = self.row(index);
        let there = self.in_version(index, &quote!(__version));
        if row.role.is_computed() {
            let size = if row.keys.varint.is_some() {
                let total = self.total(index, None);
                self.len_of_present(index, &total)
            } else {
                self.inner_size(index)
            };
            return quote!(if #there { #size } else { 0usize });
        }
        let given = self.given(index);
        if !row.ty.optional {
            return self.len_of_present(index, &self.by_reference(index, given));
        }
        let tag = usize::from(row.keys.tag.is_some());
        if row.keys.tag == Some(true) {
            let size = self.inner_size(index);
            return quote!(if #there { 1 + #size } else { 0usize });
        }
        let present = if matches!(row.ty.base, Base::Int(_)) {
            quote!((*__present))
        } else {
            quote!(__present)
        };
        let size = self.len_of_present(index, &present);
        quote!(match &#given {
            ::core::option::Option::Some(__present) => #tag + #size,
            ::core::option::Option::None => if #there { #tag } else { 0usize },
        })
    }

    /// A value of a row as the writer handles it: instances of other kinds and entries by reference.
    pub(super) fn by_reference(&self, index: usize, given: TokenStream) -> TokenStream {
        match self.row(index).ty.base {
            Base::Path(_) | Base::Seq(_) => quote!((&#given)),
            _ => given,
        }
    }

    /// The bytes of the value of a row that is there.
    fn len_of_present(&self, index: usize, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let encoded_len = self.of_encode(index, "encoded_len_at");
        let version = self.version_inside(index);
        match &row.ty.base {
            Base::Int(_) if row.keys.varint.is_some() => {
                let raw = self.varint_raw(index, value);
                quote!(#krate::varint::len(#raw))
            }
            Base::Slice | Base::Bytes | Base::Str | Base::String => quote!(#value.len()),
            Base::Seq(_) => quote!({
                let mut __sum = 0usize;
                for __entry in #value {
                    __sum += #encoded_len(__entry, #version);
                }
                __sum
            }),
            Base::Path(_) => quote!(#encoded_len(#value, #version)),
            _ => self.inner_size(index),
        }
    }

    /// A varint's number, from its value.
    pub(super) fn varint_raw(&self, index: usize, given: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let Base::Int(int) = row.ty.base else {
            return quote!(0u64);
        };
        let bits = u32::from(int.bits());
        match row.keys.varint {
            Some(Varint::ZigZag) => {
                quote!(#krate::varint::zigzag(#given as ::core::primitive::i64, #bits))
            }
            _ => quote!((#given as ::core::primitive::u64)),
        }
    }

    /// A length or count, before it is fitted to its type. `is_null` is what happens to a row whose length would say
    /// null.
    pub(super) fn total(&self, index: usize, is_null: Option<&TokenStream>) -> TokenStream {
        let link = &self.links.rows[index];
        if let Some(entries) = link.count_of {
            let given = self.given(entries);
            return if self.row(entries).ty.optional {
                quote!(#given.as_ref().map_or(0, |__entries| __entries.len()))
            } else {
                quote!(#given.len())
            };
        }
        let Some((from, to)) = link.len_of else {
            return quote!(0usize);
        };
        if self.links.rows[from].len_by == Some(index) && self.row(from).ty.optional {
            return self.total_of_optional(index, from, is_null);
        }
        let rows = (from..to).filter(|&row| !self.row(row).is_bits());
        let sizes = rows.map(|row| {
            if self.is_in_run(row) {
                self.inner_size(row)
            } else {
                self.written_len(row)
            }
        });
        quote!((0usize #(+ #sizes)*))
    }

    /// The length of a row that may be absent, as its length row says it.
    fn total_of_optional(
        &self,
        index: usize,
        of: usize,
        is_null: Option<&TokenStream>,
    ) -> TokenStream {
        let keys = &self.row(index).keys;
        let given = self.given(of);
        let (null, bias) = (keys.null.unwrap_or(0), i64::from(keys.bias.unwrap_or(0)));
        let size = self.len_of_present(of, &quote!(__present));
        let clash = is_null
            .filter(|_| self.says_null(index) && null >= bias)
            .map(|is_null| quote!(if __length == #null { #is_null; }));
        quote!((match &#given {
            ::core::option::Option::Some(__present) => {
                let __length = #size as ::core::primitive::i64 + #bias;
                #clash
                __length
            }
            ::core::option::Option::None => #null,
        }))
    }
}
