//! The macros of [ondisk]: from an annotated struct to everything that a file format needs.
//!
//! One way through: `parse` reads the item into a `model`, `check` refuses what makes no sense, `plan` lays the
//! rows out in pieces and puts the checks in order, `expand` writes the code. Every mistake in a definition is
//! reported, each on its own span, and the item is always emitted again so that nothing else fails because of it.
//!
//! [ondisk]: https://docs.rs/ondisk
#![forbid(unsafe_code)]

mod check;
mod diagnostic;
mod expand;
mod model;
mod parse;
mod plan;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;

use diagnostic::Diagnostics;
use model::Door;

/// Makes an enum, or a struct whose rows are all in the value, a kind.
///
/// The language of structs is that of [`macro@format`]; a struct with computed rows (a magic, a version, a length, a
/// checksum) takes that attribute instead, since a derive cannot take rows out of the value.
///
/// # Keys on an enum
///
/// | key | meaning |
/// |---|---|
/// | `u8`, `u16`, `u32`, `u64` | an integer of its own holds the number |
/// | `bits = 3` | so many bits of a word hold it |
/// | `le` | little-endian |
/// | `crate = path` | where the runtime is |
///
/// On a variant, which says its number: `since = n`, `until = n`, the versions that have it; `other` on a last one with a
/// field, `Other(u8)`, keeps numbers without a name, which are refused otherwise.
#[proc_macro_derive(Format, attributes(format))]
pub fn derive(item: TokenStream) -> TokenStream {
    run(Door::Derive, Tokens::new(), item.into()).into()
}

/// Makes a struct a kind: one field a row, in the order of the bytes.
///
/// A row with `pub` is in the value; a row without is the writer's, who computes it. Stand it above the derives, so that
/// they see the value and not the rows.
///
/// # Keys on the item
///
/// | key | meaning |
/// |---|---|
/// | `file = ".."`, `whole` | the input is exactly one of it; with the pattern of its file name, or without a name |
/// | `head_of = ".."` | it heads the files of that name pattern |
/// | `reads = a..=b`, `writes = n` | versions read, and the one written at first (`b` if not said) |
/// | `gate(v = FEATURE)`, `adopt` | writing version `v` needs that feature; once finalized it is also the default |
/// | `version_of = Kind` | no version of its own: the caller hands in that kind's |
/// | `order(a, .., b)` | the checks of `a` come first, those of `b` last |
/// | `trailing = ignore` | bytes behind the last row, a torn last entry too, are left alone |
/// | `check = path` | `fn(&XView<'_>) -> Result<(), Fault>`, after all other checks |
/// | `le` | little-endian; also on a row |
/// | `authoritative`, `derived` | what the loss of the file means |
/// | `canonical` | equal values have equal bytes |
/// | `arbitrary = path` | `fn(X) -> X` that makes an arbitrary value obey the checks in code |
/// | `crate = path` | where the runtime is |
///
/// # Keys on a row
///
/// | key | meaning |
/// |---|---|
/// | `magic = b".."`, `magic = 2` | must be this; identity |
/// | `version` | the version |
/// | `must_be = n` | must be this |
/// | `reserved`, `reserved = keep` | written 0 and not read; or kept on a rewrite |
/// | `len(rows)` | byte length of rows, which it also bounds |
/// | `count(row)` | number of entries |
/// | `crc32(rows)`, `crc32c(rows)`, `crc64(rows)` | checksum; `..a` up to `a`, `a..` from `a` on, `a..b`, `a..=b`, `a`, joined by commas |
/// | `word`, then `bits = 29..=31` | an integer whose bits are the rows behind it |
/// | `min = n`, `max = n` | limits |
/// | `when = expr` | an `Option` row: there if and only if, over earlier rows |
/// | `tag`, `tag = fixed` | an `Option` row with a byte 0 or 1 before it; `fixed`: zeros where it is absent |
/// | `null = -1`, `bias = 1` | on a length: the number that says null; what is added to a length |
/// | `since = n`, `until = n` | the versions that have the row |
/// | `varint`, `uvarint`, `le` | encoding |
/// | `nested` | a kind of variable size in place |
/// | `check = path` | `fn(T, &XLayout) -> Result<(), Fault>`, with the head; `fn(T)` where the first row varies |
#[proc_macro_attribute]
pub fn format(keys: TokenStream, item: TokenStream) -> TokenStream {
    run(Door::Attribute, keys.into(), item.into()).into()
}

/// The whole way, on token streams that need no compiler.
fn run(door: Door, keys: Tokens, item: Tokens) -> Tokens {
    let mut errors = Diagnostics::default();
    let expanded = compile(door, keys, item.clone(), &mut errors);
    let errors = errors.into_tokens();
    match (door, expanded) {
        (_, Some(expanded)) => expand::hygiene::own(expanded),
        (Door::Attribute, None) => {
            let item = parse::as_written(item);
            quote!(#item #errors)
        }
        (Door::Derive, None) => errors,
    }
}

/// The expansion, unless there are mistakes.
fn compile(door: Door, keys: Tokens, item: Tokens, errors: &mut Diagnostics) -> Option<Tokens> {
    match &parse::item(door, keys, item, errors)? {
        model::Item::Enum(definition) => {
            check::enumeration(definition, errors);
            errors
                .is_empty()
                .then(|| expand::enumeration::expand(definition))
        }
        model::Item::Struct(definition) => {
            let links = check::definition(definition, errors);
            if !errors.is_empty() {
                return None;
            }
            let plan = plan::Plan::new(definition, &links, errors);
            errors
                .is_empty()
                .then(|| expand::definition(definition, &links, &plan))
        }
    }
}
