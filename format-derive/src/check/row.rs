//! What a single row must say: its name, and a type that suits its role and its keys.

use super::links::Links;
use crate::diagnostic::Diagnostics;
use crate::expand::hygiene;
use crate::model::{Algorithm, Base, Definition, Expected, Int, Role, Row};

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

/// What says whether an optional row is there.
pub(super) fn presence(row: &Row, errors: &mut Diagnostics) {
    let span = row.name.span();
    let keys = &row.keys;
    if let (Some(_), Some(span)) = (&keys.when, keys.span("tag")) {
        errors.at(span, "a row is there by a condition, or by a tag");
    }
    for key in ["when", "tag"] {
        if let Some(span) = keys.span(key).filter(|_| !row.ty.optional) {
            errors.at(
                span,
                format!("a row with `{key}` may be absent: make it `Option<..>`"),
            );
        }
    }
    let has_zeros = matches!(row.ty.base, Base::Int(_) | Base::Array(_)) && keys.varint.is_none();
    if keys.tag == Some(true) && !has_zeros {
        errors.at(
            span,
            "`tag = fixed` is for integers and `[u8; N]`, whose zeros can take their place",
        );
    }
    if row.is_versioned() {
        if !row.role.is_computed() && !row.ty.optional {
            errors.at(
                span,
                "only some versions have this row: make it `Option<..>`",
            );
        }
        if row.is_bits() {
            errors.at(span, "bits are in every version of their word");
        }
        if matches!(
            row.role,
            Role::Len(_) | Role::Count(_) | Role::Word | Role::Version | Role::Magic(_)
        ) {
            errors.at(
                span,
                "a row that only some versions have cannot be the identity or the length of others",
            );
        }
    }
}

/// Whether the length of a row can be found, and says nothing twice.
pub(super) fn lengths(
    definition: &Definition,
    links: &Links,
    index: usize,
    row: &Row,
    errors: &mut Diagnostics,
) {
    let span = row.name.span();
    let link = &links.rows[index];
    let is_null = link.len_by.is_some_and(|len| {
        let keys = &definition.rows[len].keys;
        keys.null.is_some() || keys.bias.is_some()
    });
    let has_presence = row.keys.when.is_some() || row.keys.tag.is_some();
    let is_said = has_presence || is_null || row.is_versioned() || row.keys.are_unclear;
    if row.ty.optional && !is_said {
        errors.at(
            span,
            format!("nothing says when `{}` is there: `when = ..`, `tag`, `since = n`, or a length with `null`", row.name),
        );
    }
    if !row.ty.optional && is_null {
        errors.at(
            span,
            format!(
                "the length of `{}` can say null: make it `Option<..>`",
                row.name
            ),
        );
    }
    if is_null && has_presence {
        errors.at(
            span,
            "a row is absent by its length, or by a condition or a tag, not by both",
        );
    }
    if row.is_versioned() && (link.len_by.is_some() || link.count_by.is_some()) {
        errors.at(
            span,
            "all versions have the length of this row: put both in a kind of their own, which only some have",
        );
    }
    if link.len_by.is_some() && link.count_by.is_some() {
        errors.at(span, format!("`{}` has a length and a count", row.name));
    }
    if (row.keys.null.is_some() || row.keys.bias.is_some())
        && link
            .len_of
            .is_some_and(|(from, _)| links.rows[from].len_by != Some(index))
    {
        errors.at(
            span,
            "`null` and `bias` are for the length of one row of bytes, text or entries",
        );
    }
    let takes_rest =
        row.ty.base.is_open_ended() && link.len_by.is_none() && link.count_by.is_none();
    if takes_rest {
        if row.ty.optional {
            errors.at(
                span,
                format!("an optional row needs a length: `len({})`", row.name),
            );
        }
        super::rest::check(definition, links, index, errors);
    }
}
