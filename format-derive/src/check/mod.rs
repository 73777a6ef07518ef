//! What makes no sense in a definition, and what its rows have to do with each other.

mod bounds;
mod condition;
mod enumeration;
mod links;
mod presence;
mod rest;
mod row;
mod sums;
mod versions;

pub(crate) use enumeration::enumeration;
pub(crate) use links::Links;

use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Door, Row};

/// The most rows that a kind may have: a walk over an instance keeps a position for each.
const MOST_ROWS: usize = 64;

/// Checks a struct and links its rows. The links are of use only when nothing was reported.
pub(crate) fn definition(definition: &Definition, errors: &mut Diagnostics) -> Links {
    for row in &definition.rows {
        visibility(definition, row, errors);
        row::name(row, errors);
        row::role(row, errors);
        row::keys(row, errors);
        presence::reasons(row, errors);
    }
    let links = links::resolve(definition, errors);
    bounds::check(definition, &links, errors);
    sums::check(definition, &links, errors);
    for (index, row) in definition.rows.iter().enumerate() {
        presence::lengths(definition, &links, index, row, errors);
    }
    versions::check(definition, errors);
    item_keys(definition, errors);
    links
}

fn visibility(definition: &Definition, row: &Row, errors: &mut Diagnostics) {
    let (name, span) = (&row.name, row.name.span());
    if row.role.is_computed() {
        if definition.door == Door::Derive {
            errors.at(
                span,
                format!(
                    "a derive cannot take the computed row `{name}` out of the value: \
                     put `#[format(..)]` above the derives instead of `derive(Format)`"
                ),
            );
        } else if row.is_public() {
            errors.at(
                span,
                format!("`{name}` is computed, so it is the writer's: leave its `pub` away"),
            );
        }
    } else if !row.is_public() && !row.keys.are_unclear {
        errors.at(
            span,
            format!(
                "a row without `pub` is the writer's, and nothing computes `{name}`: \
                 say what it is for, or make it `pub`"
            ),
        );
    }
}

fn item_keys(definition: &Definition, errors: &mut Diagnostics) {
    let keys = &definition.keys;
    if keys.trailing_ignore && !keys.is_whole() {
        errors.at(
            keys.span("trailing"),
            "`trailing` is about a whole input: say `file = \"..\"` or `whole` too",
        );
    }
    if keys.head_of.is_some() && keys.is_whole() {
        errors.at(
            keys.span("head_of"),
            "a kind is a whole file or the head of one",
        );
    }
    order(definition, errors);
    if definition.rows.is_empty() && errors.is_empty() {
        errors.at(definition.name.span(), "a kind has at least one row");
    }
    if let Some(row) = definition.rows.get(MOST_ROWS) {
        errors.at(
            row.name.span(),
            format!("a kind has at most {MOST_ROWS} rows: put some in a kind of their own"),
        );
    }
}

fn order(definition: &Definition, errors: &mut Diagnostics) {
    let Some(order) = &definition.keys.order else {
        return;
    };
    let names: Vec<_> = order.first.iter().chain(&order.last).collect();
    for (index, name) in names.iter().enumerate() {
        if !definition.rows.iter().any(|row| row.name == **name) {
            errors.at(name.span(), format!("no row is called `{name}`"));
        }
        if names[..index].contains(name) {
            errors.at(
                name.span(),
                format!("the checks of `{name}` have one turn, not two"),
            );
        }
    }
}
