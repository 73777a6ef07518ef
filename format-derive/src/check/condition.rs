//! `when`: an expression over earlier rows.

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::diagnostic::Diagnostics;
use crate::model::{Base, Definition, Role, Row};

/// The rows that the condition of row `index` names. They are known where it is read, and are the same to a reader, a
/// writer and a description.
pub(super) fn names(
    definition: &Definition,
    index: usize,
    condition: &TokenStream,
    errors: &mut Diagnostics,
) -> Vec<usize> {
    let row = &definition.rows[index];
    let span = row.keys.span("when").unwrap_or_else(|| row.name.span());
    let rows = definition.rows.iter().enumerate();
    let named: Vec<_> = rows
        .filter(|(_, other)| mentions(condition.clone(), &other.name))
        .map(|(other, _)| other)
        .collect();
    for &other in &named {
        let other_row = &definition.rows[other];
        if other >= index {
            errors.at(
                span,
                format!(
                    "`{}` is not known yet where `{}` is read",
                    other_row.name, row.name
                ),
            );
        } else if !can_be_named(other_row) {
            errors.at(
                span,
                format!(
                    "a condition is over integers, bits and enums that are always there, and `{}` is none of them",
                    other_row.name
                ),
            );
        }
    }
    named.into_iter().filter(|&other| other < index).collect()
}

fn can_be_named(row: &Row) -> bool {
    let typed = match &row.ty.base {
        Base::Int(_) | Base::Bool => true,
        Base::Path(_) => !row.keys.nested,
        _ => false,
    };
    let known = !matches!(
        row.role,
        Role::Checksum(..) | Role::Reserved | Role::Magic(_)
    );
    typed && known && !row.ty.optional && !row.is_versioned()
}

/// Whether an expression names `row`.
fn mentions(tokens: TokenStream, row: &Ident) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *row,
        TokenTree::Group(group) => mentions(group.stream(), row),
        _ => false,
    })
}
