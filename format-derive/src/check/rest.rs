//! A row without a length takes what is left.

use super::links::Links;
use crate::diagnostic::Diagnostics;
use crate::model::Definition;

/// Nothing behind the row may depend on where it ends, unless the end is known: that of a bound, or of a whole input.
pub(super) fn check(
    definition: &Definition,
    links: &Links,
    index: usize,
    errors: &mut Diagnostics,
) {
    let name = &definition.rows[index].name;
    let bound_end = links.innermost_bound(index).map(|bound| bound.1);
    let last = bound_end.unwrap_or(definition.rows.len());
    let behind = index + 1..last;
    if bound_end.is_some() && !behind.is_empty() {
        errors.at(
            name.span(),
            format!("`{name}` takes what its bound leaves, so no row of that bound can follow it"),
        );
        return;
    }
    if bound_end.is_none() && !behind.is_empty() && !definition.keys.is_whole() {
        errors.at(
            name.span(),
            format!("`{name}` takes the rest, so rows behind it need the end: say `whole`, or give it `len` or `count`"),
        );
        return;
    }
    if !behind.is_empty() && definition.keys.trailing_ignore {
        errors.at(
            name.span(),
            format!("`{name}` takes the rest, so rows behind it need the end, which `trailing = ignore` leaves open"),
        );
        return;
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
            || row.is_versioned()
            || row.keys.varint.is_some()
            || row.keys.nested
            || link.count_by.is_some()
        {
            errors.at(
                row.name.span(),
                format!("behind `{name}`, which takes the rest, a row is found from the end: it needs a fixed size or `len`"),
            );
        } else if let Some((from, to)) = link.len_of
            && links.rows[from].len_by != Some(other)
            && to > from
        {
            errors.at(
                row.name.span(),
                format!("behind `{name}`, which takes the rest, a length is that of one row"),
            );
        }
    }
}
