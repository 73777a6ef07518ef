//! The value: the struct as written, less the rows that are the writer's, with its table in the documentation.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::names::{Context, unraw};
use crate::model::{Role, Row};

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

/// The rows as a table, for the struct's documentation.
fn table(cx: &Context<'_>) -> String {
    let mut out = String::from("\n\n# Bytes\n\n| row | type | |\n|---|---|---|\n");
    for row in &cx.definition.rows {
        let doc = row.doc.replace('\n', " ").replace('|', "\\|");
        let (name, ty, what) = (unraw(&row.name), type_text(cx, row), purpose(row));
        let dot = if doc.is_empty() { "" } else { ". " };
        out.push_str(&format!("| `{name}` | `{ty}` | {what}{dot}{doc} |\n"));
    }
    out
}

/// The type as written, without what only the compiler needs.
fn type_text(cx: &Context<'_>, row: &Row) -> String {
    let text = row.written.to_token_stream().to_string().replace(' ', "");
    match &cx.definition.lifetime {
        Some(lifetime) => text
            .replace(&format!("&{lifetime}"), "&")
            .replace(&format!("<{lifetime}>"), ""),
        None => text,
    }
}

fn purpose(row: &Row) -> &'static str {
    match &row.role {
        Role::Value if row.is_bits() => "value, in bits",
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
    }
}
