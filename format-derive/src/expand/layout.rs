//! The `#[repr(C)]` structs of the runs.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Context, unraw};
use crate::model::Base;

pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let runs = cx
        .plan
        .pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.is_run);
    runs.map(|(index, piece)| run(cx, index, &piece.rows))
        .collect()
}

fn run(cx: &Context<'_>, piece: usize, rows: &[usize]) -> TokenStream {
    let zerocopy = cx.zerocopy();
    let path = zerocopy.to_string().replace(' ', "");
    let name = cx.layout_name(piece);
    let vis = &cx.definition.vis;
    let fields = rows.iter().map(|&index| {
        let row = cx.row(index);
        let field = &row.name;
        let doc = if row.doc.is_empty() {
            format!("`{}`, as stored.", unraw(field))
        } else {
            row.doc.clone()
        };
        let ty = match &row.ty.base {
            Base::Int(int) => cx.stored(index, *int),
            Base::Array(len) => quote!([::core::primitive::u8; #len]),
            Base::Path(ty) => cx.of_kind(ty, "Layout"),
            _ => quote!(()),
        };
        quote!(#[doc = #doc] pub #field: #ty)
    });
    let doc = format!(
        "The fixed bytes of [`{}`] as they are stored.",
        unraw(&cx.definition.name)
    );
    quote! {
        #[doc = #doc]
        #[derive(
            #zerocopy::FromBytes, #zerocopy::IntoBytes, #zerocopy::KnownLayout, #zerocopy::Immutable,
            #zerocopy::Unaligned, ::core::clone::Clone, ::core::marker::Copy,
        )]
        #[zerocopy(crate = #path)]
        #[repr(C)]
        #vis struct #name { #(#fields),* }
    }
}
