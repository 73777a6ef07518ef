//! From tokens to the model. Mistakes are collected and parsing goes on, so that one run reports them all.

mod enumeration;
mod item_keys;
mod keys;
mod row_keys;
mod span;
mod types;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Data, DeriveInput, Expr, Fields, GenericParam, Lit, Meta};

use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Door, Item, Row};

/// Parses an annotated item. `None` when nothing can be made of it at all.
pub(crate) fn item(
    door: Door,
    keys: TokenStream,
    item: TokenStream,
    errors: &mut Diagnostics,
) -> Option<Item> {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => {
            errors.syn(&error);
            return None;
        }
    };
    match &input.data {
        Data::Enum(data) => {
            if door == Door::Attribute {
                errors.at(
                    input.ident.span(),
                    "an enum takes `#[derive(Format)]`, with `#[format(..)]` below it",
                );
            }
            Some(Item::Enum(enumeration::parse(&input, data, keys, errors)))
        }
        Data::Struct(data) => {
            let definition = definition(door, &input, &data.fields, keys, errors);
            Some(Item::Struct(Box::new(definition)))
        }
        Data::Union(data) => {
            errors.at(
                data.union_token.span,
                "a union cannot be a kind: say which rows are there with `when`",
            );
            None
        }
    }
}

fn definition(
    door: Door,
    input: &DeriveInput,
    fields: &Fields,
    keys: TokenStream,
    errors: &mut Diagnostics,
) -> Definition {
    let mut lifetime = None;
    for param in &input.generics.params {
        match param {
            GenericParam::Lifetime(param) if lifetime.is_none() && param.bounds.is_empty() => {
                lifetime = Some(param.lifetime.clone());
            }
            GenericParam::Lifetime(param) => {
                errors.at(
                    param.lifetime.span(),
                    "a kind has at most one lifetime, without bounds: that of its input",
                );
            }
            GenericParam::Type(param) => {
                errors.at(
                    param.ident.span(),
                    "a kind cannot be generic: its layout must be known when it is defined",
                );
            }
            GenericParam::Const(param) => {
                errors.at(
                    param.ident.span(),
                    "a kind cannot be generic: its layout must be known when it is defined",
                );
            }
        }
    }
    if let Some(clause) = &input.generics.where_clause {
        errors.at(clause.where_token.span, "a kind cannot have a where clause");
    }
    let mut item_keys = item_keys::parse(keys, errors);
    for attribute in format_attributes(&input.attrs) {
        item_keys::parse_attribute(attribute, &mut item_keys, errors);
    }
    let rows = match fields {
        Fields::Named(fields) => fields
            .named
            .iter()
            .map(|field| row(field, errors))
            .collect(),
        Fields::Unnamed(_) | Fields::Unit => {
            errors.at(
                input.ident.span(),
                "a kind needs named fields, one a row: `struct Name { row: type, .. }`",
            );
            Vec::new()
        }
    };
    Definition {
        door,
        name: input.ident.clone(),
        vis: input.vis.clone(),
        attrs: without_format(&input.attrs),
        doc: doc_of(&input.attrs),
        lifetime,
        keys: item_keys,
        rows,
    }
}

fn row(field: &syn::Field, errors: &mut Diagnostics) -> Row {
    for attribute in &field.attrs {
        if is_conditional(attribute) {
            errors.at(
                attribute.path().segments[0].ident.span(),
                "a row cannot be conditional: the layout must be the same in every build; use `since` and versions",
            );
        }
    }
    let (role, keys) = row_keys::parse(&field.attrs, errors);
    #[expect(clippy::unwrap_used, reason = "named fields have names")]
    let name = field.ident.clone().unwrap();
    Row {
        name,
        vis: field.vis.clone(),
        attrs: without_format(&field.attrs),
        doc: doc_of(&field.attrs),
        ty: types::parse(&field.ty, errors),
        written: field.ty.clone(),
        role,
        keys,
    }
}

/// A row that is not in every build, or is another one in some.
fn is_conditional(attribute: &Attribute) -> bool {
    fn mentions(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(ident) => ident == "format" || ident == "cfg",
            TokenTree::Group(group) => mentions(group.stream()),
            _ => false,
        })
    }
    let path = attribute.path();
    path.is_ident("cfg")
        || (path.is_ident("cfg_attr")
            && matches!(&attribute.meta, Meta::List(list) if mentions(list.tokens.clone())))
}

fn is_format(attribute: &Attribute) -> bool {
    attribute.path().is_ident("format")
}

fn format_attributes(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| is_format(attribute))
}

/// What stands in the parentheses of `#[format(..)]`.
fn tokens_of(attribute: &Attribute, errors: &mut Diagnostics) -> TokenStream {
    match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        other => {
            errors.syn(&syn::Error::new_spanned(other, "expected `#[format(..)]`"));
            TokenStream::new()
        }
    }
}

fn without_format(attributes: &[Attribute]) -> Vec<Attribute> {
    let others = attributes.iter().filter(|attribute| !is_format(attribute));
    others.cloned().collect()
}

/// The item without any `#[format]`, for when it cannot be expanded: other code that names it still compiles.
pub(crate) fn as_written(item: TokenStream) -> TokenStream {
    let Ok(mut input) = syn::parse2::<DeriveInput>(item.clone()) else {
        return item;
    };
    let strip = |fields: &mut Fields| {
        for field in fields {
            field.attrs.retain(|attribute| !is_format(attribute));
        }
    };
    input.attrs.retain(|attribute| !is_format(attribute));
    match &mut input.data {
        Data::Struct(data) => strip(&mut data.fields),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                variant.attrs.retain(|attribute| !is_format(attribute));
                strip(&mut variant.fields);
            }
        }
        Data::Union(_) => {}
    }
    quote::quote!(#[allow(dead_code, missing_docs)] #input)
}

/// The doc comment, lines joined as they were written, one leading space taken off each.
fn doc_of(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
    let lines: Vec<_> = lines
        .map(|line| {
            line.strip_prefix(' ')
                .unwrap_or(&line)
                .trim_end()
                .to_owned()
        })
        .collect();
    lines.join("\n").trim().to_owned()
}
