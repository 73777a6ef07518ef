//! The macro without a compiler: what it says about mistakes, in which order it checks, what it writes.

mod expanded;
mod mistakes;

use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::diagnostic::Diagnostics;
use crate::model::Door;

/// Takes `#[format(..)]` off an item, as the compiler does before it calls the attribute.
fn door(item: &str) -> (Door, TokenStream, TokenStream) {
    let mut item: syn::DeriveInput = syn::parse_str(item).unwrap();
    let derives = item.attrs.iter().position(|attr| {
        attr.path().is_ident("derive") && attr.to_token_stream().to_string().contains("Format")
    });
    if let Some(derive) = derives {
        item.attrs.remove(derive);
        return (Door::Derive, TokenStream::new(), item.into_token_stream());
    }
    let attribute = item
        .attrs
        .iter()
        .position(|attr| attr.path().is_ident("format"));
    let attribute = item.attrs.remove(attribute.expect("a macro is called"));
    let keys = match attribute.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    (Door::Attribute, keys, item.into_token_stream())
}

/// What is said about an item.
fn messages(item: &str) -> Vec<String> {
    let (door, keys, item) = door(item);
    let mut errors = Diagnostics::default();
    let expanded = crate::compile(door, keys, item, &mut errors);
    assert_eq!(expanded.is_some(), errors.is_empty());
    errors
        .messages()
        .into_iter()
        .map(ToOwned::to_owned)
        .collect()
}

/// What an item becomes, as it would be written.
fn expand(item: &str) -> String {
    let (door, keys, item) = door(item);
    let expanded = crate::run(door, keys, item);
    prettyplease::unparse(&syn::parse2(expanded).unwrap())
}
