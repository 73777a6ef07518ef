//! What is written for the rows of a run.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::names::{Context, primitive, unsigned};
use crate::model::{Base, Expected, Role};

impl Context<'_> {
    /// The layout of a run, filled in; checksums are 0.
    pub(super) fn lay_run(&self, piece: usize) -> TokenStream {
        let layout = self.layout_name(piece);
        let fields = self.plan.pieces[piece].rows.iter().map(|&index| {
            let row = self.row(index);
            let field = &row.name;
            let written = self.written(index);
            match &row.ty.base {
                Base::Int(int) if int.bytes > 1 => {
                    let stored = self.stored(index, *int);
                    quote!(#field: <#stored>::new(#written))
                }
                _ => quote!(#field: #written),
            }
        });
        quote!(#layout { #(#fields),* })
    }

    /// The value of a row of fixed size, checked against what its reader takes.
    pub(super) fn written(&self, index: usize) -> TokenStream {
        let row = self.row(index);
        match (&row.role, &row.ty.base) {
            (Role::Value | Role::Keep, Base::Path(ty)) => {
                let (lay, given) = (self.of_trait(ty, "Fixed", "lay"), self.given(index));
                let in_row = self.refused_in_row(index);
                let version = self.version_inside(index);
                quote!(#lay(&#given, #version)#in_row?)
            }
            (Role::Value | Role::Keep, Base::Int(_)) => self.limited(index, &self.given(index)),
            (Role::Value | Role::Keep, _) => self.given(index),
            (Role::Reserved | Role::Checksum(..), Base::Array(len)) => quote!([0; #len]),
            (Role::Reserved | Role::Checksum(..), _) => quote!(0),
            (Role::Magic(Expected::Bytes(bytes)), _) => {
                let bytes = Literal::byte_string(bytes);
                quote!(*#bytes)
            }
            (Role::Magic(Expected::Number(number)) | Role::MustBe(number), _) => {
                self.constant(index, number)
            }
            (Role::Version, Base::Int(int)) => {
                let primitive = primitive(*int);
                quote!(__version as #primitive)
            }
            (Role::Len(_) | Role::Count(_), Base::Int(int)) => self.computed_number(index, *int),
            (Role::Word, Base::Int(int)) => {
                let (packed, unsigned, primitive) =
                    (self.packed(index), unsigned(*int), primitive(*int));
                quote!((#packed as #unsigned as #primitive))
            }
            (Role::Version | Role::Len(_) | Role::Count(_) | Role::Word, _) => quote!(0),
        }
    }

    /// A word as u64, from the rows that are its bits.
    fn packed(&self, word: usize) -> TokenStream {
        let bits = self
            .rows()
            .filter(|(index, _)| self.links.rows[*index].word == Some(word));
        let parts = bits.map(|(index, row)| {
            let (low, _) = row.keys.bits.unwrap_or_default();
            let raw = match (&row.role, &row.ty.base) {
                (Role::Value, Base::Path(ty)) => {
                    let (to_raw, given) = (
                        self.of_trait(ty, "Enumeration", "to_raw"),
                        self.given(index),
                    );
                    let refuse = self.refuse(index, &quote!(__fault));
                    quote!(match #to_raw(#given, __version) {
                        ::core::result::Result::Ok(__raw) => __raw,
                        ::core::result::Result::Err(__fault) => { #refuse }
                    })
                }
                _ => {
                    let written = self.written(index);
                    quote!((#written as ::core::primitive::u64))
                }
            };
            quote!((#raw << #low))
        });
        quote!((0u64 #(| #parts)*))
    }
}
