//! The rows of two lengths lie in one another, or apart.

use super::links::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Role};

pub(super) fn check(definition: &Definition, links: &Links, errors: &mut Diagnostics) {
    let bounds = links.bounds();
    for (index, &(from, to, len)) in bounds.iter().enumerate() {
        let name = &definition.rows[len].name;
        let span = match &definition.rows[len].role {
            Role::Len(pieces) => pieces.span,
            _ => name.span(),
        };
        for &(start, end, other) in &bounds[..index] {
            let other = &definition.rows[other].name;
            if (start, end) == (from, to) {
                errors.at(span, format!("these rows have a length already: `{other}`"));
            } else if start < from && from < end && end < to
                || from < start && start < to && to < end
            {
                errors.at(
                    span,
                    format!(
                        "the rows of `{name}` and of `{other}` overlap: one must hold the other"
                    ),
                );
            }
        }
    }
}
