//! Checksums are computed in row order: none covers itself, or one that is computed after it.

use super::links::Links;
use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Role};

pub(super) fn check(definition: &Definition, links: &Links, errors: &mut Diagnostics) {
    for (index, row) in definition.rows.iter().enumerate() {
        let Role::Checksum(_, pieces) = &row.role else {
            continue;
        };
        let covers = |other: usize| {
            let mut spans = links.rows[index].spans.iter();
            spans.any(|&(from, to)| from <= other && other < to)
        };
        if covers(index) {
            errors.at(
                pieces.span,
                format!("the checksum `{}` cannot cover itself", row.name),
            );
        }
        let rows = definition.rows.iter().enumerate();
        for (_, later) in rows.filter(|(other, later)| {
            *other > index && matches!(later.role, Role::Checksum(..)) && covers(*other)
        }) {
            errors.at(
                pieces.span,
                format!(
                    "`{}` covers the checksum `{}`, which is computed after it: checksums are computed in row order",
                    row.name, later.name
                ),
            );
        }
    }
}
