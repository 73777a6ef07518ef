//! What stands in a row: its type, and an expression for its value.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::names::{Context, mask, primitive, unsigned};
use crate::model::Base;

impl Context<'_> {
    /// What the getter of a row returns, for a row without `Option`.
    pub(super) fn shown(&self, row: usize) -> TokenStream {
        let krate = &self.krate;
        match &self.row(row).ty.base {
            Base::Int(int) => primitive(*int),
            Base::Bool => quote!(::core::primitive::bool),
            Base::Array(len) => quote!(&'__b [::core::primitive::u8; #len]),
            Base::Slice | Base::Bytes => quote!(&'__b [::core::primitive::u8]),
            Base::Str | Base::String => quote!(&'__b ::core::primitive::str),
            Base::Seq(ty) => {
                let ty = self.of_input(ty);
                quote!(#krate::Seq<'__b, #ty>)
            }
            Base::Path(ty) if self.row(row).is_bits() => ty.clone(),
            Base::Path(ty) => {
                let view = self.of_kind(&self.of_input(ty), "View");
                quote!(#view<'__b>)
            }
        }
    }

    /// The row may be absent.
    pub(super) fn may_be_absent(&self, row: usize) -> bool {
        let row = self.row(row);
        row.ty.optional || row.is_versioned()
    }

    /// The value of a row, as its getter returns it: from locals, or from the fields of `of`.
    pub(super) fn get(&self, row: usize, of: Option<&TokenStream>) -> TokenStream {
        let definition = self.row(row);
        let holder =
            |name: Ident| of.map_or_else(|| name.to_token_stream(), |of| quote!(#of.#name));
        if definition.is_bits() {
            let raw = self.get_bits(row, of);
            return match &definition.ty.base {
                Base::Bool => quote!((#raw != 0)),
                Base::Path(ty) => {
                    let from_raw = self.of_trait(ty, "Enumeration", "from_raw_any");
                    quote!(#from_raw(#raw))
                }
                Base::Int(int) => {
                    let primitive = primitive(*int);
                    quote!((#raw as #primitive))
                }
                _ => raw,
            };
        }
        if !self.is_in_run(row) {
            return holder(self.variable(row));
        }
        let run = holder(self.run(self.plan.piece_of[row]));
        let field = &definition.name;
        match &definition.ty.base {
            Base::Int(int) if int.bytes == 1 => quote!(#run.#field),
            Base::Int(_) => quote!(#run.#field.get()),
            Base::Path(ty) => {
                let look = self.of_trait(ty, "Fixed", "look");
                quote!(#look(&#run.#field))
            }
            _ => quote!((&#run.#field)),
        }
    }

    /// The bits of a row, as u64.
    pub(super) fn get_bits(&self, row: usize, of: Option<&TokenStream>) -> TokenStream {
        let bits = self.row(row).keys.bits.unwrap_or_default();
        let (low, mask) = (bits.0, mask(bits));
        let word = self.links.rows[row].word.unwrap_or(row);
        let get = self.get(word, of);
        let unsigned = match &self.row(word).ty.base {
            Base::Int(int) => unsigned(*int),
            _ => quote!(::core::primitive::u64),
        };
        quote!((((#get as #unsigned as ::core::primitive::u64) >> #low) & #mask))
    }
}
