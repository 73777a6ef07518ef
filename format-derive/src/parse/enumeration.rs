//! Enums: a number with named values.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{DataEnum, DeriveInput, Fields, LitInt, Meta, Token};

use super::keys::{self, Keyword};
use super::types;
use crate::diagnostic::Diagnostics;
use crate::model::{Enumeration, Repr, Variant};

const TABLE: &[Keyword] = &[
    Keyword {
        name: "u8",
        usage: "u8",
    },
    Keyword {
        name: "u16",
        usage: "u16",
    },
    Keyword {
        name: "u32",
        usage: "u32",
    },
    Keyword {
        name: "u64",
        usage: "u64",
    },
    Keyword {
        name: "i8",
        usage: "i8",
    },
    Keyword {
        name: "i16",
        usage: "i16",
    },
    Keyword {
        name: "i32",
        usage: "i32",
    },
    Keyword {
        name: "i64",
        usage: "i64",
    },
    Keyword {
        name: "bits",
        usage: "bits = 3",
    },
    Keyword {
        name: "le",
        usage: "le",
    },
    Keyword {
        name: "crate",
        usage: "crate = path",
    },
];

const VARIANT: &[Keyword] = &[
    Keyword {
        name: "since",
        usage: "since = 2",
    },
    Keyword {
        name: "until",
        usage: "until = 1",
    },
    Keyword {
        name: "other",
        usage: "other",
    },
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
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| super::is_format(attribute))
    {
        match &attribute.meta {
            Meta::List(list) => item_keys(list.tokens.clone(), &mut out, errors),
            other => errors.syn(&syn::Error::new_spanned(other, "expected `#[format(..)]`")),
        }
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
    match number.base10_parse()? {
        bits @ 1..=32 => Ok(bits),
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
        holds_one: matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1),
        is_unit: matches!(variant.fields, Fields::Unit),
    };
    for attribute in variant
        .attrs
        .iter()
        .filter(|attribute| super::is_format(attribute))
    {
        let Meta::List(list) = &attribute.meta else {
            errors.syn(&syn::Error::new_spanned(
                &attribute.meta,
                "expected `#[format(..)]`",
            ));
            continue;
        };
        keys::list(
            list.tokens.clone(),
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
