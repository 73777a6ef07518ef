//! What is appended for a row of variable size.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::{Context, primitive};
use crate::model::{Base, Role};

impl Context<'_> {
    /// Appends a variable row.
    pub(super) fn write_variable(&self, index: usize) -> TokenStream {
        let row = self.row(index);
        let there = self.in_version(index, &quote!(__version));
        if row.role.is_computed() {
            let written = self.written(index);
            let put = self.put(index, &quote!((#written)));
            return quote!(if #there { #put });
        }
        let given = self.given(index);
        if row.ty.optional {
            return self.write_optional(index, &given, &there);
        }
        let given = self.by_reference(index, given);
        self.put(index, &self.checked(index, given))
    }

    /// Appends a row that may be absent. What the version does not have cannot be written; what it has, is there by a
    /// condition, a tag, a length, or always.
    fn write_optional(
        &self,
        index: usize,
        given: &TokenStream,
        there: &TokenStream,
    ) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let present = if matches!(row.ty.base, Base::Int(_)) {
            quote!((*__present))
        } else {
            quote!(__present)
        };
        let put = self.put(index, &self.checked(index, present));
        let must_not = self.refuse(index, &quote!(#krate::Fault::Presence { expected: false }));
        let must = self.refuse(index, &quote!(#krate::Fault::Presence { expected: true }));
        let condition = self.given_condition(index);
        let allowed = condition.clone().unwrap_or_else(|| quote!(true));
        let (tag, absent) = match row.keys.tag {
            Some(fixed) => {
                let zeros = fixed.then(|| {
                    let size = self.inner_size(index);
                    quote!(__out.resize(__out.len() + #size, 0);)
                });
                (
                    quote!(__out.push(1);),
                    quote!(if #there { __out.push(0); #zeros }),
                )
            }
            None => {
                let is_null = self.links.rows[index]
                    .len_by
                    .is_some_and(|len| self.says_null(len));
                let needed = condition.unwrap_or_else(|| {
                    let needed = row.is_versioned() && !is_null;
                    quote!(#needed)
                });
                (TokenStream::new(), quote!(if #there && #needed { #must; }))
            }
        };
        quote! {
            match &#given {
                ::core::option::Option::Some(__present) => {
                    if !(#there && #allowed) { #must_not; }
                    #tag
                    #put
                }
                ::core::option::Option::None => { #absent }
            }
        }
    }

    /// The condition of a row, over the value being written.
    fn given_condition(&self, index: usize) -> Option<TokenStream> {
        let condition = self.row(index).keys.when.as_ref()?;
        let bindings = self.links.rows[index].when.iter().map(|&other| {
            let (name, row) = (&self.row(other).name, self.row(other));
            let value = match &row.role {
                Role::Value | Role::Keep => self.given(other),
                _ => self.written(other),
            };
            quote!(let #name = #value;)
        });
        Some(quote!({ #(#bindings)* #condition }))
    }

    /// An integer of the value within its limits; anything else as it is.
    fn checked(&self, index: usize, value: TokenStream) -> TokenStream {
        match self.row(index).ty.base {
            Base::Int(_) => self.limited(index, &value),
            _ => value,
        }
    }

    /// Appends a value that is there.
    fn put(&self, index: usize, value: &TokenStream) -> TokenStream {
        let krate = &self.krate;
        let row = self.row(index);
        let (encode, version) = (
            self.of_encode(index, "encode_at"),
            self.version_inside(index),
        );
        match &row.ty.base {
            Base::Int(_) if row.keys.varint.is_some() => {
                let raw = self.varint_raw(index, &quote!(__varint));
                quote! {
                    let __varint = #value;
                    let (__bytes, __used) = #krate::varint::write(#raw);
                    __out.extend_from_slice(__bytes.get(..__used).unwrap_or(&[]));
                }
            }
            Base::Int(int) => {
                let (order, primitive) = (self.to_bytes(index), primitive(*int));
                quote!(__out.extend_from_slice(&<#primitive>::#order(#value));)
            }
            Base::Array(_) | Base::Slice | Base::Bytes => {
                quote!(__out.extend_from_slice(&#value[..]);)
            }
            Base::Str | Base::String => quote!(__out.extend_from_slice(#value.as_bytes());),
            Base::Seq(_) => {
                quote!(for __entry in #value { #encode(__entry, #version, __out)?; })
            }
            Base::Path(_) => {
                let in_row = self.refused_in_row(index);
                quote!(#encode(#value, #version, __out)#in_row?;)
            }
            Base::Bool => TokenStream::new(),
        }
    }
}
