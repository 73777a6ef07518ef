//! Keys on the item.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, LitInt, LitStr, Token};

use super::keys::{self, Keyword};
use super::tokens_of;
use crate::diagnostic::Diagnostics;
use crate::model::{Class, ItemKeys, Order};

const TABLE: &[Keyword] = &[
    ("file", "`file = \"name\"`"),
    ("head_of", "`head_of = \"name\"`"),
    ("whole", "`whole`"),
    ("reads", "`reads = 1..=2`"),
    ("writes", "`writes = 1`"),
    ("gate", "`gate(2 = FEATURE)`"),
    ("adopt", "`adopt`"),
    ("version_of", "`version_of = Kind`"),
    ("order", "`order(first, .., last)`"),
    ("trailing", "`trailing = ignore`"),
    ("check", "`check = path`"),
    ("le", "`le`"),
    ("authoritative", "`authoritative`"),
    ("derived", "`derived`"),
    ("canonical", "`canonical`"),
    ("arbitrary", "`arbitrary = path`"),
    ("crate", "`crate = path`"),
];

/// Parses what stands in `#[format(..)]` above a struct.
pub(super) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> ItemKeys {
    let mut keys = ItemKeys::default();
    parse_into(tokens, &mut keys, errors);
    keys
}

/// Parses a further `#[format(..)]`.
pub(super) fn parse_attribute(
    attribute: &Attribute,
    keys: &mut ItemKeys,
    errors: &mut Diagnostics,
) {
    let tokens = tokens_of(attribute, errors);
    parse_into(tokens, keys, errors);
}

fn parse_into(tokens: TokenStream, keys: &mut ItemKeys, errors: &mut Diagnostics) {
    keys::list(
        tokens,
        TABLE,
        "a kind",
        errors,
        |name, span, input, errors| one(name, span, input, keys, errors),
    );
}

fn one(
    name: &'static str,
    span: Span,
    input: ParseStream<'_>,
    keys: &mut ItemKeys,
    errors: &mut Diagnostics,
) -> syn::Result<()> {
    keys.spans.push((name, span));
    match name {
        "file" => keys.file = Some(text(input)?),
        "head_of" => keys.head_of = Some(text(input)?),
        "whole" => keys.whole = true,
        "reads" => keys.reads = Some(range(input)?),
        "writes" => keys.writes = Some(keys::number(input)?),
        "gate" => keys.gates.push(gate(input)?),
        "adopt" => keys.adopt = true,
        "version_of" => keys.version_of = Some(kind(input)?),
        "order" => keys.order = Some(order(input)?),
        "trailing" => {
            keys::word(
                input,
                "ignore",
                "bytes behind the last row are refused unless ignored",
            )?;
            keys.trailing_ignore = true;
        }
        "check" => keys.checks.push(keys::path(input)?),
        "le" => keys.le = true,
        "authoritative" | "derived" => {
            if keys.class.is_some() {
                errors.at(span, "a file is either `authoritative` or `derived`");
            }
            keys.class = Some(if name == "derived" {
                Class::Derived
            } else {
                Class::Authoritative
            });
        }
        "canonical" => keys.canonical = true,
        "arbitrary" => keys.arbitrary = Some(keys::path(input)?),
        "crate" => keys.krate = Some(keys::path(input)?),
        _ => {}
    }
    Ok(())
}

fn text(input: ParseStream<'_>) -> syn::Result<String> {
    input.parse::<Token![=]>()?;
    Ok(input.parse::<LitStr>()?.value())
}

fn kind(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    input.parse::<Token![=]>()?;
    let ty: syn::TypePath = input.parse()?;
    Ok(quote::quote!(#ty))
}

fn range(input: ParseStream<'_>) -> syn::Result<(u32, u32)> {
    input.parse::<Token![=]>()?;
    let first: LitInt = input.parse()?;
    let min = first.base10_parse()?;
    if !input.peek(Token![..=]) {
        return Ok((min, min));
    }
    input.parse::<Token![..=]>()?;
    let last: LitInt = input.parse()?;
    let max = last.base10_parse()?;
    if max < min {
        return Err(syn::Error::new(
            last.span(),
            "the range of versions is empty",
        ));
    }
    Ok((min, max))
}

fn gate(input: ParseStream<'_>) -> syn::Result<(u32, TokenStream)> {
    keys::in_parens(input, |inner, _| {
        let version: LitInt = inner.parse()?;
        Ok((version.base10_parse()?, keys::path(inner)?))
    })
}

fn order(input: ParseStream<'_>) -> syn::Result<Order> {
    keys::in_parens(input, |inner, span| {
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut rest = false;
        while !inner.is_empty() {
            if inner.peek(Token![..]) {
                let dots: Token![..] = inner.parse()?;
                if rest {
                    let message = "`..` stands for the rest, once";
                    return Err(syn::Error::new_spanned(dots, message));
                }
                rest = true;
            } else {
                let row = inner.call(Ident::parse_any)?;
                if rest { &mut last } else { &mut first }.push(row);
            }
            if !inner.is_empty() {
                inner.parse::<Token![,]>()?;
            }
        }
        if !rest {
            let message = "`..` must stand for the checks in the default order";
            return Err(syn::Error::new(span, message));
        }
        Ok(Order { first, last })
    })
}
