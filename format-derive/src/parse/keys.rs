//! What every list of keys has in common: a keyword table that says what is allowed, one message a mistake, and going on
//! behind it.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitInt, Token};

use crate::diagnostic::Diagnostics;

/// A keyword and how it is written, for messages.
pub(super) struct Keyword {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
}

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
                    errors.at(
                        error.span(),
                        format!("expected a key; {place} takes {}", usages(table)),
                    );
                    skip_value(input)?;
                    continue;
                }
            };
            let Some(keyword) = table.iter().find(|keyword| key == keyword.name) else {
                errors.at(
                    key.span(),
                    format!("unknown key `{key}`; {place} takes {}", usages(table)),
                );
                skip_value(input)?;
                continue;
            };
            if seen.contains(&keyword.name) && !matches!(keyword.name, "check" | "gate") {
                errors.at(key.span(), format!("`{key}` is said twice"));
            }
            seen.push(keyword.name);
            if let Err(error) = parse(keyword.name, key.span(), input, errors) {
                errors.at(error.span(), format!("{error}; write `{}`", keyword.usage));
                skip_value(input)?;
                continue;
            }
            if !input.is_empty() && !input.peek(Token![,]) {
                errors.at(
                    input.span(),
                    format!(
                        "expected `,`; `{}` is written `{}`",
                        keyword.name, keyword.usage
                    ),
                );
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
    let usages: Vec<_> = table
        .iter()
        .map(|keyword| format!("`{}`", keyword.usage))
        .collect();
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
