//! What an enum must say.

use crate::diagnostic::Diagnostics;
use crate::model::{Enumeration, Held, Repr, Variant};

/// Checks an enum.
pub(crate) fn enumeration(definition: &Enumeration, errors: &mut Diagnostics) {
    match definition.repr {
        None => errors.at(
            definition.span,
            "say what holds the number: `#[format(u8)]` (or another integer), or `#[format(bits = 3)]` for bits of a word",
        ),
        Some(Repr::Int(int)) if int.signed => {
            errors.at(definition.span, "the number of an enum is unsigned: take u8, u16, u32 or u64");
        }
        Some(_) => {}
    }
    let has_values = definition.variants.iter().any(|variant| !variant.other);
    if !has_values {
        errors.at(
            definition.span,
            "an enum of numbers has at least one variant with a value",
        );
    }
    for variant in &definition.variants {
        if variant.other {
            other(definition, variant, errors);
        } else {
            named(variant, errors);
        }
    }
    let others = definition.variants.iter().filter(|variant| variant.other);
    for second in others.skip(1) {
        errors.at(second.name.span(), "one variant can keep the other numbers");
    }
}

fn named(variant: &Variant, errors: &mut Diagnostics) {
    let (name, span) = (&variant.name, variant.name.span());
    if variant.holds != Held::Nothing {
        errors.at(span, "a variant is a number with a name, without fields");
    } else if variant.value.is_none() {
        errors.at(
            span,
            format!("on disk nothing is implied: write `{name} = number`"),
        );
    }
    if let (Some(since), Some(until)) = (variant.since, variant.until)
        && until < since
    {
        errors.at(span, "no version has it: `until` lies below `since`");
    }
}

/// The variant that keeps numbers without a name.
fn other(definition: &Enumeration, variant: &Variant, errors: &mut Diagnostics) {
    let (name, span) = (&variant.name, variant.name.span());
    let bits = definition.repr.map_or(8, Repr::bits);
    let (int, wider) = match bits {
        0..=8 => ("u8", "u16"),
        9..=16 => ("u16", "u32"),
        17..=32 => ("u32", "u64"),
        _ => ("u64", "u64"),
    };
    if !matches!(variant.holds, Held::Int(held) if !held.signed && held.bits() >= bits) {
        errors.at(
            span,
            format!("`other` keeps the number: `#[format(other)] {name}({int})`"),
        );
    }
    if variant.value.is_some() {
        errors.at(
            span,
            "`other` stands for all numbers without a name, so it has none",
        );
    }
    if variant.since.is_some() || variant.until.is_some() {
        errors.at(
            span,
            "numbers without a name are not of some versions alone",
        );
    }
    if !definition.has_repr {
        errors.at(
            span,
            format!("Rust wants to be told which integer numbers an enum with fields: add `#[repr({wider})]`"),
        );
    }
}
