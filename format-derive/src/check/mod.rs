//! What makes no sense in a definition, and what its rows have to do with each other.

mod enumeration;
mod links;
mod row;

pub(crate) use enumeration::enumeration;
pub(crate) use links::Links;

use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Door, Role};

/// Checks a struct and links its rows. The links are of use only when nothing was reported.
pub(crate) fn definition(definition: &Definition, errors: &mut Diagnostics) -> Links {
    for row in &definition.rows {
        visibility(definition, row, errors);
        row::roles_and_types(row, errors);
        row::presence(row, errors);
    }
    let links = links::resolve(definition, errors);
    for (index, row) in definition.rows.iter().enumerate() {
        row::lengths(definition, &links, index, row, errors);
    }
    versions(definition, errors);
    item_keys(definition, errors);
    links
}

fn visibility(definition: &Definition, row: &crate::model::Row, errors: &mut Diagnostics) {
    let span = row.name.span();
    if row.role.is_computed() {
        if definition.door == Door::Derive {
            errors.at(
                span,
                format!(
                    "a derive cannot take the computed row `{}` out of the value: \
                     put `#[format(..)]` above the derives instead of `derive(Format)`",
                    row.name
                ),
            );
        } else if row.is_public() {
            errors.at(
                span,
                format!(
                    "`{}` is computed, so it is the writer's: leave its `pub` away",
                    row.name
                ),
            );
        }
    } else if !row.is_public() {
        errors.at(
            span,
            format!(
                "a row without `pub` is the writer's, and nothing computes `{}`: say what it is for, or make it `pub`",
                row.name
            ),
        );
    }
}

fn versions(definition: &Definition, errors: &mut Diagnostics) {
    let keys = &definition.keys;
    let rows: Vec<_> = definition
        .rows
        .iter()
        .filter(|row| matches!(row.role, Role::Version))
        .collect();
    for row in rows.iter().skip(1) {
        errors.at(row.name.span(), "a kind has one version");
    }
    match (rows.first(), keys.reads) {
        (Some(row), None) => errors.at(
            row.name.span(),
            "a kind with a version says which it reads: `reads = 1..=1`",
        ),
        (None, Some(_)) => errors.at(
            keys.span("reads"),
            "no row is the version: mark one with `#[format(version)]`",
        ),
        _ => {}
    }
    if let (Some(row), Some(_)) = (rows.first(), &keys.version_of) {
        errors.at(
            row.name.span(),
            "a kind has a version row, or takes its version from another kind",
        );
    }
    let reads = keys.reads.unwrap_or((0, u32::MAX));
    let writes = keys.writes.unwrap_or(reads.1);
    if keys.writes.is_some() && (keys.reads.is_none() || writes < reads.0 || writes > reads.1) {
        errors.at(
            keys.span("writes"),
            "the version written must be one that is read",
        );
    }
    for (version, _) in &keys.gates {
        if keys.reads.is_none() || *version <= writes || *version > reads.1 {
            errors.at(
                keys.span("gate"),
                "a gate is for a version that is read and lies above the one written at first",
            );
        }
    }
    if keys.adopt && keys.gates.is_empty() {
        errors.at(
            keys.span("adopt"),
            "`adopt` needs a `gate` whose version it can adopt",
        );
    }
    let versioned = keys.reads.is_some() || keys.version_of.is_some();
    for row in definition.rows.iter().filter(|row| row.is_versioned()) {
        if !versioned {
            errors.at(
                row.keys
                    .span("since")
                    .or(row.keys.span("until"))
                    .unwrap_or_else(|| row.name.span()),
                "`since` and `until` need a version: a row with `version`, or `version_of = Kind`",
            );
        } else if let (Some((min, max)), Some(since)) = (keys.reads, row.keys.since)
            && (since <= min || since > max)
        {
            let span = row.keys.span("since").unwrap_or_else(|| row.name.span());
            errors.at(
                span,
                format!("versions {min} to {max} are read, so `since = {since}` divides nothing"),
            );
        }
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
    if let Some(order) = &keys.order {
        for name in order.first.iter().chain(&order.last) {
            if !definition.rows.iter().any(|row| row.name == *name) {
                errors.at(name.span(), format!("no row is called `{name}`"));
            }
        }
        for name in &order.last {
            if order.first.contains(name) {
                errors.at(
                    name.span(),
                    format!("the checks of `{name}` come first or last, not both"),
                );
            }
        }
    }
    if definition.rows.is_empty() && errors.is_empty() {
        errors.at(definition.name.span(), "a kind has at least one row");
    }
}
