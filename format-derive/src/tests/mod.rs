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

/// What cannot be expanded is emitted as it was written, less the keys, so that nothing else fails because of it.
#[test]
fn a_wrong_item_is_still_there() {
    let cases = [
        (
            "struct K<T> { #[format(le)] pub a: T, b: u8 }",
            "struct K < T > { pub a : T , b : u8 }",
        ),
        ("enum E { #[format(other)] A(u8) }", "enum E { A (u8) }"),
        ("union U { a: u8 }", "union U { a : u8 }"),
        ("fn f() {}", "fn f () {}"),
    ];
    for (item, emitted) in cases {
        let item: TokenStream = item.parse().unwrap();
        let expanded = crate::run(Door::Attribute, TokenStream::new(), item).to_string();
        let (expanded, emitted) = (expanded.replace(' ', ""), emitted.replace(' ', ""));
        assert!(expanded.contains(&emitted), "{expanded}");
        assert!(expanded.contains("compile_error!"), "{expanded}");
    }
}

/// What an item becomes, as it would be written.
fn expand(item: &str) -> String {
    let (door, keys, item) = door(item);
    let expanded = crate::run(door, keys, item);
    prettyplease::unparse(&syn::parse2(expanded).unwrap())
}
