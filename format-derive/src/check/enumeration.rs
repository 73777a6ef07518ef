//! What an enum must say.

use crate::diagnostic::Diagnostics;
use crate::model::{Enumeration, Repr};

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
    if !definition.variants.iter().any(|variant| variant.is_unit) {
        errors.at(
            definition.span,
            "an enum of numbers has at least one variant with a value",
        );
    }
    for variant in &definition.variants {
        let span = variant.name.span();
        match (variant.other, variant.is_unit) {
            (true, _) if !variant.holds_one => {
                errors.at(
                    span,
                    format!(
                        "`other` keeps the number: `#[format(other)] {}(u8)`",
                        variant.name
                    ),
                );
            }
            (false, false) => errors.at(span, "a variant is a number with a name, without fields"),
            (false, true) if variant.value.is_none() => {
                errors.at(
                    span,
                    format!(
                        "on disk nothing is implied: write `{} = number`",
                        variant.name
                    ),
                );
            }
            _ => {}
        }
        if let (Some(since), Some(until)) = (variant.since, variant.until)
            && until < since
        {
            errors.at(span, "no version has it: `until` lies below `since`");
        }
    }
    for second in definition
        .variants
        .iter()
        .filter(|variant| variant.other)
        .skip(1)
    {
        errors.at(second.name.span(), "one variant can keep the other numbers");
    }
}
