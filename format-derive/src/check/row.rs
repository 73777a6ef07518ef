//! What a single row must say: its name, and a type that suits its role and its keys.

use crate::diagnostic::Diagnostics;
use crate::expand::hygiene;
use crate::model::{Algorithm, Base, Expected, Int, Role, Row};

/// Names that generated code needs for itself.
pub(super) fn name(row: &Row, errors: &mut Diagnostics) {
    let name = row.name.to_string();
    if hygiene::is_own(&name) {
        errors.at(
            row.name.span(),
            "names with two underscores in front are the macro's own",
        );
    }
    if name == "to_value" {
        errors.at(
            row.name.span(),
            "`to_value` makes a value of a view: give the row another name",
        );
    }
}

/// The type that a role needs.
pub(super) fn role(row: &Row, errors: &mut Diagnostics) {
    let int = match (&row.ty.base, row.ty.optional) {
        (Base::Int(int), false) => Some(*int),
        _ => None,
    };
    // Stored as it is, in bytes of its own.
    let plain = int.filter(|_| row.keys.varint.is_none() && !row.is_bits());
    let is_array = matches!(row.ty.base, Base::Array(_)) && !row.ty.optional;
    let (ok, what) = match &row.role {
        Role::Magic(Expected::Bytes(bytes)) => {
            // A length that is no literal is compared by the compiler.
            let suits = match &row.ty.base {
                Base::Array(len) => literal(len).is_none_or(|len| len == bytes.len()),
                _ => false,
            };
            let what = format!("`[u8; {}]` to hold these bytes", bytes.len());
            (is_array && suits, what)
        }
        Role::Magic(Expected::Number(_)) => (plain.is_some(), "an integer of its own".to_owned()),
        Role::MustBe(_) => (
            int.is_some() && row.keys.varint.is_none(),
            "an integer to have one value".to_owned(),
        ),
        Role::Version => (
            plain.is_some_and(|int| int.bytes <= 4),
            "an integer of its own, of at most 4 bytes, to be the version".to_owned(),
        ),
        Role::Len(_) | Role::Count(_) => (
            int.is_some(),
            "an integer to be a length or a count".to_owned(),
        ),
        Role::Word => (
            plain.is_some(),
            "an integer of its own to have bits".to_owned(),
        ),
        Role::Checksum(algorithm, _) => {
            let bytes = if *algorithm == Algorithm::Crc64 { 8 } else { 4 };
            let needed = Int {
                bytes,
                signed: false,
            };
            let what = format!("{} of its own to hold this checksum", needed.name());
            (plain == Some(needed), what)
        }
        Role::Keep | Role::Reserved => (
            int.is_some() || is_array,
            "an integer or `[u8; N]` to be reserved".to_owned(),
        ),
        Role::Value => (true, String::new()),
    };
    if !ok {
        errors.at(row.name.span(), format!("`{}` must be {what}", row.name));
    }
    if matches!(row.ty.base, Base::Bool) && !row.is_bits() {
        errors.at(
            row.name.span(),
            "a `bool` is one bit of a word: say `bits = n`; a byte of its own is an enum",
        );
    }
}

/// Keys that the type or the role leaves no sense.
pub(super) fn keys(row: &Row, errors: &mut Diagnostics) {
    let int = match row.ty.base {
        Base::Int(int) => Some(int),
        _ => None,
    };
    let signed = int.is_some_and(|int| int.signed);
    let own = int.is_some() && !row.is_bits();
    let has_limits = matches!(row.role, Role::Value | Role::Len(_) | Role::Count(_));
    let is_len = matches!(row.role, Role::Len(_));
    let has_rules = !matches!(
        row.role,
        Role::Magic(_) | Role::Reserved | Role::Keep | Role::Checksum(..) | Role::Word
    );
    let in_word = matches!(row.ty.base, Base::Int(_) | Base::Bool | Base::Path(_));
    let table = [
        ("min", int.is_some(), "`min` is for integers"),
        ("max", int.is_some(), "`max` is for integers"),
        (
            "min",
            has_limits,
            "limits are for values, lengths and counts",
        ),
        (
            "max",
            has_limits,
            "limits are for values, lengths and counts",
        ),
        (
            "check",
            has_rules,
            "a check is for values, lengths, counts and what must be",
        ),
        ("varint", own, "`varint` is for integers of their own"),
        ("uvarint", own, "`uvarint` is for integers of their own"),
        (
            "varint",
            !own || signed,
            "`varint` is zig-zag, for signed integers: take `uvarint`",
        ),
        (
            "uvarint",
            !own || !signed,
            "`uvarint` is for unsigned integers: take `varint`",
        ),
        (
            "le",
            own && row.keys.varint.is_none(),
            "`le` is for integers; an enum says it itself",
        ),
        (
            "nested",
            row.is_kind() && !row.ty.optional,
            "`nested` is for a kind in place",
        ),
        (
            "bits",
            in_word && !row.ty.optional,
            "bits hold an integer, a `bool` or an enum",
        ),
        (
            "bits",
            !signed,
            "bits have no sign: take an unsigned integer",
        ),
        (
            "null",
            is_len,
            "`null` is for the length of an `Option` row",
        ),
        (
            "bias",
            is_len,
            "`bias` is for the length of an `Option` row",
        ),
        (
            "bias",
            row.keys.bias != Some(0),
            "a length without a bias says null with `null = n`",
        ),
        (
            "null",
            int.is_none_or(|int| can_hold(int, row.keys.null)),
            "the length row cannot hold this number",
        ),
        (
            "uvarint",
            !row.keys.spans.iter().any(|(key, _)| *key == "varint"),
            "a varint is signed or not, not both",
        ),
    ];
    for (key, ok, why) in table {
        if let Some(span) = row.keys.span(key).filter(|_| !ok) {
            errors.at(span, why);
        }
    }
    if let (Some((low, high)), Base::Int(int)) = (row.keys.bits, &row.ty.base)
        && high - low >= int.bits()
        && let Some(span) = row.keys.span("bits")
    {
        let message = format!(
            "`{}` has {} bits, fewer than {}",
            int.name(),
            int.bits(),
            high - low + 1
        );
        errors.at(span, message);
    }
    if let (Some((low, high)), Base::Bool) = (row.keys.bits, &row.ty.base)
        && low != high
        && let Some(span) = row.keys.span("bits")
    {
        errors.at(span, "a `bool` is one bit");
    }
}

/// A number that is written out.
fn literal(number: &proc_macro2::TokenStream) -> Option<usize> {
    number.to_string().trim_end_matches("usize").parse().ok()
}

fn can_hold(int: Int, number: Option<i64>) -> bool {
    let Some(number) = number.map(i128::from) else {
        return true;
    };
    let (least, greatest) = if int.signed {
        (
            -(1i128 << (int.bits() - 1)),
            (1i128 << (int.bits() - 1)) - 1,
        )
    } else {
        (0, (1i128 << int.bits()) - 1)
    };
    least <= number && number <= greatest
}
