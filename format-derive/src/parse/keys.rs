//! What every list of keys has in common: a keyword table that says what is allowed, one message a mistake, and going on
//! behind it.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitInt, Token, parenthesized};

use crate::diagnostic::Diagnostics;

/// A keyword, and how it is written, for messages.
pub(super) type Keyword = (&'static str, &'static str);

/// Reads `key, key = value, key(..)`, calls `parse` behind each known key, and reports the others with what is allowed.
pub(super) fn list(
    tokens: TokenStream,
    table: &'static [Keyword],
    place: &str,
    errors: &mut Diagnostics,
    mut parse: impl FnMut(&'static str, Span, ParseStream<'_>, &mut Diagnostics) -> syn::Result<()>,
) {
    let mut seen: Vec<&'static str> = Vec::new();
    let outcome = (|input: ParseStream<'_>| {
        while !input.is_empty() {
            let key = match input.call(Ident::parse_any) {
                Ok(key) => key,
                Err(error) => {
                    let message = format!("expected a key; {place} takes {}", usages(table));
                    errors.at(error.span(), message);
                    skip_value(input)?;
                    continue;
                }
            };
            let Some(&(name, usage)) = table.iter().find(|(name, _)| key == name) else {
                let message = format!("unknown key `{key}`; {place} takes {}", usages(table));
                errors.at(key.span(), message);
                skip_value(input)?;
                continue;
            };
            if seen.contains(&name) && !matches!(name, "check" | "gate") {
                errors.at(key.span(), format!("`{key}` is said twice"));
            }
            seen.push(name);
            if let Err(error) = parse(name, key.span(), input, errors) {
                errors.at(error.span(), format!("{error}; write {usage}"));
            } else if !input.is_empty() && !input.peek(Token![,]) {
                let message = format!("expected `,`; `{name}` is written {usage}");
                errors.at(input.span(), message);
            }
            skip_value(input)?;
        }
        Ok(())
    })
    .parse2(tokens);
    if let Err(error) = outcome {
        errors.syn(&error);
    }
}

/// Drops what is left of a key, and the comma behind it.
fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            break;
        }
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

fn usages(table: &[Keyword]) -> String {
    let usages: Vec<_> = table.iter().map(|(_, usage)| *usage).collect();
    usages.join(", ")
}

/// `= value` as tokens up to the next comma.
pub(super) fn value(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    input.parse::<Token![=]>()?;
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() {
        return Err(input.error("expected a value"));
    }
    Ok(tokens)
}

/// `= path`.
pub(super) fn path(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    input.parse::<Token![=]>()?;
    let path = input.call(syn::Path::parse_mod_style)?;
    Ok(quote::quote!(#path))
}

/// `= number`.
pub(super) fn number<N>(input: ParseStream<'_>) -> syn::Result<N>
where
    N: core::str::FromStr<Err: core::fmt::Display>,
{
    input.parse::<Token![=]>()?;
    input.parse::<LitInt>()?.base10_parse()
}

/// What stands in parentheses. Nothing is left of it, so that a mistake in it is told once.
pub(super) fn in_parens<T>(
    input: ParseStream<'_>,
    parse: impl FnOnce(ParseStream<'_>, Span) -> syn::Result<T>,
) -> syn::Result<T> {
    let inner;
    let parens = parenthesized!(inner in input);
    let mut result = parse(&inner, parens.span.join());
    if result.is_ok() && !inner.is_empty() {
        result = Err(inner.error("expected `)`"));
    }
    inner.parse::<TokenStream>()?;
    result
}

/// `= word`, where only one word makes sense.
pub(super) fn word(input: ParseStream<'_>, only: &str, otherwise: &str) -> syn::Result<()> {
    input.parse::<Token![=]>()?;
    let word = input.call(Ident::parse_any)?;
    if word == only {
        return Ok(());
    }
    Err(syn::Error::new(word.span(), otherwise))
}
