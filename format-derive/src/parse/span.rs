//! Rows as an argument: `a`, `..a`, `a..`, `a..b`, `a..=b`, joined by commas.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Token};

use super::keys;
use crate::model::{Piece, Pieces};

pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Pieces> {
    keys::in_parens(input, |inner, span| {
        let mut pieces = Vec::new();
        while !inner.is_empty() {
            pieces.push(piece(inner)?);
            if inner.is_empty() {
                break;
            }
            inner.parse::<Token![,]>()?;
        }
        if pieces.is_empty() {
            let message = "expected rows: `a`, `..a`, `a..`, `a..b` or `a..=b`";
            return Err(syn::Error::new(span, message));
        }
        Ok(Pieces { pieces, span })
    })
}

fn piece(input: ParseStream<'_>) -> syn::Result<Piece> {
    let row = |input: ParseStream<'_>| -> syn::Result<Option<Ident>> {
        if input.peek(Ident::peek_any) {
            input.call(Ident::parse_any).map(Some)
        } else {
            Ok(None)
        }
    };
    let from = row(input)?;
    if input.peek(Token![..=]) {
        input.parse::<Token![..=]>()?;
        let to = Some(input.call(Ident::parse_any)?);
        return Ok(Piece {
            from,
            to,
            inclusive: true,
        });
    }
    if input.peek(Token![..]) {
        input.parse::<Token![..]>()?;
        let to = row(input)?;
        return Ok(Piece {
            from,
            to,
            inclusive: false,
        });
    }
    match from {
        Some(row) => Ok(Piece {
            from: Some(row.clone()),
            to: Some(row),
            inclusive: true,
        }),
        None => Err(input.error("expected a row or a range of rows")),
    }
}
