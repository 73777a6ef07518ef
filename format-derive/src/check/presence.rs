//! What says whether a row is there, and how long it is: one thing each.

use super::links::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Base, Definition, Role, Row};

/// What says whether an optional row is there.
pub(super) fn reasons(row: &Row, errors: &mut Diagnostics) {
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
