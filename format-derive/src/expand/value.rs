//! The value: the struct as written, less the rows that are the writer's, with its table in the documentation.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Context;
use crate::model::{Item, Role};

/// The struct that users build and compare.
pub(super) fn expand(cx: &Context<'_>) -> TokenStream {
    let definition = cx.definition;
    let (attrs, vis, name) = (&definition.attrs, &definition.vis, &definition.name);
    let fields = definition
        .rows
        .iter()
        .filter(|row| !row.role.is_computed())
        .map(|row| {
            let (attrs, vis, name, ty) = (&row.attrs, &row.vis, &row.name, &row.written);
            quote!(#(#attrs)* #vis #name: #ty)
        });
    let table = table(cx);
    let generics = definition
        .lifetime
        .as_ref()
        .map(|lifetime| quote!(<#lifetime>));
    quote! {
        #(#attrs)*
        #[doc = #table]
        #vis struct #name #generics { #(#fields),* }
    }
}

/// The item without any `#[format]`, for when it cannot be expanded: other code that names it still compiles.
pub(crate) fn as_written(item: &Item) -> TokenStream {
    let Item::Struct(definition) = item else {
        return TokenStream::new();
    };
    let (attrs, vis, name) = (&definition.attrs, &definition.vis, &definition.name);
    let fields = definition.rows.iter().map(|row| {
        let (attrs, vis, name, ty) = (&row.attrs, &row.vis, &row.name, &row.written);
        quote!(#(#attrs)* #vis #name: #ty)
    });
    let generics = definition
        .lifetime
        .as_ref()
        .map(|lifetime| quote!(<#lifetime>));
    quote! {
        #(#attrs)*
        #[allow(dead_code, missing_docs)]
        #vis struct #name #generics { #(#fields),* }
    }
}

/// The rows as a table, for the struct's documentation.
fn table(cx: &Context<'_>) -> String {
    let mut out = String::from("\n\n# Bytes\n\n| row | type | |\n|---|---|---|\n");
    for row in &cx.definition.rows {
        let written = &row.written;
        let ty = quote!(#written)
            .to_string()
            .replace(' ', "")
            .replace("&'a", "&");
        let what = match &row.role {
            Role::Value if row.keys.bits.is_some() => "value, in bits",
            Role::Value => "value",
            Role::Keep => "reserved, kept",
            Role::Reserved => "reserved, 0",
            Role::Magic(_) => "magic",
            Role::MustBe(_) => "must be",
            Role::Version => "version",
            Role::Len(_) => "length",
            Role::Count(_) => "count",
            Role::Checksum(..) => "checksum",
            Role::Word => "word",
        };
        let doc = row.doc.replace('\n', " ").replace('|', "\\|");
        out.push_str(&format!(
            "| `{}` | `{ty}` | {what}{}{doc} |\n",
            row.name,
            if doc.is_empty() { "" } else { ". " }
        ));
    }
    out
}
