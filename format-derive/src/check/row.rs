//! What a single row must say.

use proc_macro2::Span;

use super::links::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Algorithm, Base, Definition, Expected, Role, Row};

/// The type that a role or an encoding needs.
pub(super) fn roles_and_types(row: &Row, errors: &mut Diagnostics) {
    let span = row.name.span();
    let int = match (&row.ty.base, row.ty.optional) {
        (Base::Int(int), false) => Some(*int),
        _ => None,
    };
    let mut needs = |ok: bool, what: &str| {
        if !ok {
            errors.at(span, format!("`{}` must be {what}", row.name));
        }
    };
    match &row.role {
        Role::Magic(Expected::Bytes(_)) => needs(
            matches!(row.ty.base, Base::Array(_)),
            "a `[u8; N]` for these bytes",
        ),
        Role::Magic(Expected::Number(_)) => needs(int.is_some(), "an integer for this number"),
        Role::MustBe(_) => needs(int.is_some() && row.keys.varint.is_none(), "an integer"),
        Role::Version => {
            let fits = int.is_some_and(|int| int.bytes <= 4) && row.keys.varint.is_none();
            needs(
                fits && row.keys.bits.is_none(),
                "an integer of at most 4 bytes to be the version",
            );
        }
        Role::Len(_) | Role::Count(_) => {
            needs(int.is_some(), "an integer to be a length or a count")
        }
        Role::Word => needs(
            int.is_some() && row.keys.varint.is_none(),
            "an integer to have bits",
        ),
        Role::Checksum(algorithm, _) => {
            let bytes = if *algorithm == Algorithm::Crc64 { 8 } else { 4 };
            let fits = int.is_some_and(|int| int.bytes == bytes && !int.signed);
            needs(
                fits,
                if bytes == 8 {
                    "u64 to hold this checksum"
                } else {
                    "u32 to hold this checksum"
                },
            );
        }
        Role::Keep | Role::Reserved => {
            needs(
                int.is_some() || matches!(row.ty.base, Base::Array(_)),
                "an integer or `[u8; N]` to be reserved",
            );
        }
        Role::Value => {}
    }
    if matches!(row.ty.base, Base::Bool) && row.keys.bits.is_none() {
        errors.at(
            span,
            "a `bool` is one bit of a word: say `bits = n`; a byte of its own is an enum",
        );
    }
    let mut misplaced = |key: &str, ok: bool, why: &str| {
        if let Some(span) = row.keys.span(key).filter(|_| !ok) {
            errors.at(span, why);
        }
    };
    let is_int = matches!(row.ty.base, Base::Int(_));
    misplaced("min", is_int, "`min` is for integers");
    misplaced("max", is_int, "`max` is for integers");
    misplaced(
        "varint",
        is_int && row.keys.bits.is_none(),
        "`varint` is for integers of their own",
    );
    misplaced(
        "uvarint",
        is_int && row.keys.bits.is_none(),
        "`uvarint` is for integers of their own",
    );
    misplaced(
        "le",
        is_int && row.keys.varint.is_none(),
        "`le` is for integers; an enum says it itself",
    );
    misplaced(
        "nested",
        matches!(row.ty.base, Base::Path(_)) && !row.ty.optional,
        "`nested` is for a kind in place",
    );
    let in_word =
        matches!(row.ty.base, Base::Int(_) | Base::Bool | Base::Path(_)) && !row.ty.optional;
    misplaced("bits", in_word, "bits hold an integer, a `bool` or an enum");
    let is_len = matches!(row.role, Role::Len(_));
    misplaced(
        "null",
        is_len,
        "`null` is for the length of an `Option` row",
    );
    misplaced(
        "bias",
        is_len,
        "`bias` is for the length of an `Option` row",
    );
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
    if keys.tag == Some(true) && !matches!(row.ty.base, Base::Int(_) | Base::Array(_)) {
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
        if keys.bits.is_some() {
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

/// Whether the length of a row can be found.
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
    if row.ty.optional
        && row.keys.when.is_none()
        && row.keys.tag.is_none()
        && !is_null
        && !row.is_versioned()
    {
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
    if link.len_by.is_some() && link.count_by.is_some() {
        errors.at(span, format!("`{}` has a length and a count", row.name));
    }
    if !row.ty.base.is_open_ended() {
        return;
    }
    let takes_rest = link.len_by.is_none() && link.count_by.is_none();
    if takes_rest {
        if row.ty.optional {
            errors.at(
                span,
                format!("an optional row needs a length: `len({})`", row.name),
            );
        }
        rest(definition, links, index, span, errors);
    }
}

/// An open-ended row takes what is left: nothing behind it may depend on where it ends, unless the end is known.
fn rest(
    definition: &Definition,
    links: &Links,
    index: usize,
    span: Span,
    errors: &mut Diagnostics,
) {
    let name = &definition.rows[index].name;
    let bound_end = links.innermost_bound(index).map(|bound| bound.1);
    let last = bound_end.unwrap_or(definition.rows.len());
    let behind = index + 1..last;
    if bound_end.is_some() && !behind.is_empty() {
        errors.at(
            span,
            format!("`{name}` takes what its bound leaves, so no row of that bound can follow it"),
        );
    } else if bound_end.is_none() && !behind.is_empty() && !definition.keys.is_whole() {
        errors.at(
            span,
            format!("`{name}` takes the rest, so rows behind it need the end: say `whole`, or give it `len` or `count`"),
        );
    }
    for other in behind {
        let row = &definition.rows[other];
        let link = &links.rows[other];
        if row.ty.base.is_open_ended() && link.len_by.is_none() && link.count_by.is_none() {
            errors.at(
                row.name.span(),
                format!("only one row can take the rest, and `{name}` does"),
            );
        } else if row.ty.optional
            || row.keys.varint.is_some()
            || row.keys.nested
            || link.count_by.is_some()
        {
            errors.at(
                row.name.span(),
                format!("behind `{name}`, which takes the rest, a row is found from the end: it needs a fixed size or `len`"),
            );
        }
    }
}
