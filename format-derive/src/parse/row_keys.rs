//! Keys on a row: at most one role, then modifiers.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Lit, LitInt, Token};

use super::keys::{self, Keyword};
use super::{span, tokens_of};
use crate::diagnostic::Diagnostics;
use crate::model::{Algorithm, Expected, Role, RowKeys, Varint};

const TABLE: &[Keyword] = &[
    ("magic", "`magic = b\"..\"`"),
    ("version", "`version`"),
    ("must_be", "`must_be = 0`"),
    ("reserved", "`reserved` or `reserved = keep`"),
    ("len", "`len(rows)`"),
    ("count", "`count(row)`"),
    ("crc32", "`crc32(rows)`"),
    ("crc32c", "`crc32c(rows)`"),
    ("crc64", "`crc64(rows)`"),
    ("word", "`word`"),
    ("bits", "`bits = 0..=28`"),
    ("min", "`min = value`"),
    ("max", "`max = value`"),
    ("when", "`when = condition`"),
    ("tag", "`tag` or `tag = fixed`"),
    ("null", "`null = -1`"),
    ("bias", "`bias = 1`"),
    ("since", "`since = 2`"),
    ("until", "`until = 1`"),
    ("varint", "`varint`"),
    ("uvarint", "`uvarint`"),
    ("le", "`le`"),
    ("nested", "`nested`"),
    ("check", "`check = path`"),
];

/// Parses the `#[format(..)]` attributes of a row.
pub(super) fn parse(attributes: &[Attribute], errors: &mut Diagnostics) -> (Role, RowKeys) {
    let mut role = None;
    let mut keys = RowKeys::default();
    for attribute in attributes
        .iter()
        .filter(|attribute| super::is_format(attribute))
    {
        let before = errors.count();
        keys::list(
            tokens_of(attribute, errors),
            TABLE,
            "a row",
            errors,
            |name, span, input, errors| {
                keys.spans.push((name, span));
                match parse_role(name, input)? {
                    Some(found) if role.is_none() => role = Some(found),
                    Some(_) => errors.at(
                        span,
                        format!("a row has one role; `{name}` is a second one"),
                    ),
                    None => modifier(name, input, &mut keys)?,
                }
                Ok(())
            },
        );
        keys.are_unclear |= errors.count() > before;
    }
    (role.unwrap_or(Role::Value), keys)
}

fn parse_role(name: &str, input: ParseStream<'_>) -> syn::Result<Option<Role>> {
    Ok(Some(match name {
        "magic" => Role::Magic(magic(input)?),
        "version" => Role::Version,
        "must_be" => Role::MustBe(keys::value(input)?),
        "reserved" if input.peek(Token![=]) => {
            keys::word(input, "keep", "reserved bytes are written 0, or kept")?;
            Role::Keep
        }
        "reserved" => Role::Reserved,
        "len" => Role::Len(span::parse(input)?),
        "count" => Role::Count(keys::in_parens(input, |inner, _| {
            inner.call(Ident::parse_any)
        })?),
        "crc32" => Role::Checksum(Algorithm::Crc32, span::parse(input)?),
        "crc32c" => Role::Checksum(Algorithm::Crc32c, span::parse(input)?),
        "crc64" => Role::Checksum(Algorithm::Crc64, span::parse(input)?),
        "word" => Role::Word,
        _ => return Ok(None),
    }))
}

fn magic(input: ParseStream<'_>) -> syn::Result<Expected> {
    if input.peek(Token![=]) && input.peek2(Lit) {
        let ahead = input.fork();
        ahead.parse::<Token![=]>()?;
        if let Lit::ByteStr(bytes) = ahead.parse::<Lit>()? {
            input.parse::<Token![=]>()?;
            input.parse::<Lit>()?;
            return Ok(Expected::Bytes(bytes.value()));
        }
    }
    keys::value(input).map(Expected::Number)
}

fn modifier(name: &str, input: ParseStream<'_>, keys: &mut RowKeys) -> syn::Result<()> {
    match name {
        "bits" => keys.bits = Some(bits(input)?),
        "min" => keys.min = Some(keys::value(input)?),
        "max" => keys.max = Some(keys::value(input)?),
        "when" => keys.when = Some(keys::value(input)?),
        "tag" if input.peek(Token![=]) => {
            keys::word(
                input,
                "fixed",
                "a tagged row takes its bytes only when it is there, or `fixed`",
            )?;
            keys.tag = Some(true);
        }
        "tag" => keys.tag = Some(false),
        "null" => keys.null = Some(signed(input)?),
        "bias" => keys.bias = Some(keys::number(input)?),
        "since" => keys.since = Some(keys::number(input)?),
        "until" => keys.until = Some(keys::number(input)?),
        "varint" => keys.varint = Some(Varint::ZigZag),
        "uvarint" => keys.varint = Some(Varint::Unsigned),
        "le" => keys.le = true,
        "nested" => keys.nested = true,
        "check" => keys.checks.push(keys::path(input)?),
        _ => {}
    }
    Ok(())
}

fn signed(input: ParseStream<'_>) -> syn::Result<i64> {
    input.parse::<Token![=]>()?;
    let negative = input.parse::<Option<Token![-]>>()?.is_some();
    let number: i64 = input.parse::<LitInt>()?.base10_parse()?;
    Ok(if negative { -number } else { number })
}

fn bits(input: ParseStream<'_>) -> syn::Result<(u8, u8)> {
    input.parse::<Token![=]>()?;
    let low: LitInt = input.parse()?;
    let first = low.base10_parse()?;
    if !input.peek(Token![..=]) {
        return Ok((first, first));
    }
    input.parse::<Token![..=]>()?;
    let high: LitInt = input.parse()?;
    let last = high.base10_parse()?;
    if last < first {
        return Err(syn::Error::new(high.span(), "the low bit comes first"));
    }
    Ok((first, last))
}
