//! Locals that no name of the user's can meet.
//!
//! Generated code writes its locals, generic parameters and constants with two underscores in front, which no row may
//! have. In the end they get the hygiene of a macro's own names, as `macro_rules` gives it, so that not even a constant
//! called the same is taken for a pattern.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The expansion with its own names made its own.
pub(crate) fn own(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(mut ident) if is_own(&ident.to_string()) => {
                ident.set_span(ident.span().resolved_at(Span::mixed_site()));
                TokenTree::Ident(ident)
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), own(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            tree => tree,
        })
        .collect()
}

/// Whether a name is one of the macro's.
pub(crate) fn is_own(name: &str) -> bool {
    name.starts_with("__")
}
