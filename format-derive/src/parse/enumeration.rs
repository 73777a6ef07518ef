//! Enums: a number with named values.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{DataEnum, DeriveInput, Fields, LitInt, Token};

use super::keys::{self, Keyword};
use super::{tokens_of, types};
use crate::diagnostic::Diagnostics;
use crate::model::{Enumeration, Held, Repr, Variant};

const TABLE: &[Keyword] = &[
    ("u8", "`u8`"),
    ("u16", "`u16`"),
    ("u32", "`u32`"),
    ("u64", "`u64`"),
    ("i8", "`i8`"),
    ("i16", "`i16`"),
    ("i32", "`i32`"),
    ("i64", "`i64`"),
    ("bits", "`bits = 3`"),
    ("le", "`le`"),
    ("crate", "`crate = path`"),
];

const VARIANT: &[Keyword] = &[
    ("since", "`since = 2`"),
    ("until", "`until = 1`"),
    ("other", "`other`"),
];

pub(super) fn parse(
    input: &DeriveInput,
    data: &DataEnum,
    keys: TokenStream,
    errors: &mut Diagnostics,
) -> Enumeration {
    if let Some(param) = input.generics.params.first() {
        errors.syn(&syn::Error::new_spanned(
            param,
            "an enum of numbers cannot be generic",
        ));
    }
    let mut out = Enumeration {
        name: input.ident.clone(),
        doc: super::doc_of(&input.attrs),
        has_repr: input.attrs.iter().any(|attr| attr.path().is_ident("repr")),
        repr: None,
        le: false,
        krate: None,
        variants: data
            .variants
            .iter()
            .map(|variant| variant_of(variant, errors))
            .collect(),
        span: input.ident.span(),
    };
    item_keys(keys, &mut out, errors);
    for attribute in super::format_attributes(&input.attrs) {
        let tokens = tokens_of(attribute, errors);
        item_keys(tokens, &mut out, errors);
    }
    out
}

fn item_keys(tokens: TokenStream, out: &mut Enumeration, errors: &mut Diagnostics) {
    keys::list(
        tokens,
        TABLE,
        "an enum",
        errors,
        |name, span, input, errors| {
            let repr = match name {
                "bits" => Some(Repr::Bits(bits(input)?)),
                "le" => {
                    out.le = true;
                    None
                }
                "crate" => {
                    out.krate = Some(keys::path(input)?);
                    None
                }
                int => types::int(int).map(Repr::Int),
            };
            if repr.is_some() && out.repr.is_some() {
                errors.at(span, "an enum is held by one integer or by bits");
            }
            out.repr = out.repr.or(repr);
            Ok(())
        },
    );
}

fn bits(input: ParseStream<'_>) -> syn::Result<u8> {
    input.parse::<Token![=]>()?;
    let number: LitInt = input.parse()?;
    match number.base10_parse() {
        Ok(bits @ 1..=32) => Ok(bits),
        _ => Err(syn::Error::new(number.span(), "1 to 32 bits")),
    }
}

fn variant_of(variant: &syn::Variant, errors: &mut Diagnostics) -> Variant {
    let mut out = Variant {
        name: variant.ident.clone(),
        doc: super::doc_of(&variant.attrs),
        value: variant
            .discriminant
            .as_ref()
            .map(|(_, value)| value.to_token_stream()),
        since: None,
        until: None,
        other: false,
        holds: held(&variant.fields),
    };
    for attribute in super::format_attributes(&variant.attrs) {
        keys::list(
            tokens_of(attribute, errors),
            VARIANT,
            "a variant",
            errors,
            |name, _, input, _| {
                match name {
                    "since" => out.since = Some(keys::number(input)?),
                    "until" => out.until = Some(keys::number(input)?),
                    _ => out.other = true,
                }
                Ok(())
            },
        );
    }
    out
}

fn held(fields: &Fields) -> Held {
    match fields {
        Fields::Unit => Held::Nothing,
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields
            .unnamed
            .first()
            .and_then(|field| types::int_of(&field.ty))
            .map_or(Held::Else, Held::Int),
        Fields::Unnamed(_) | Fields::Named(_) => Held::Else,
    }
}
