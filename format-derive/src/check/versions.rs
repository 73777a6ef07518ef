//! Versions: which are read and written, what they need, and which rows they have.

use crate::diagnostic::Diagnostics;
use crate::model::{Definition, Role, Row};

pub(super) fn check(definition: &Definition, errors: &mut Diagnostics) {
    source(definition, errors);
    written(definition, errors);
    for row in definition.rows.iter().filter(|row| row.is_versioned()) {
        range(definition, row, errors);
    }
}

/// A version row with a range, or another kind's version.
fn source(definition: &Definition, errors: &mut Diagnostics) {
    let keys = &definition.keys;
    let is_version = |row: &&Row| matches!(row.role, Role::Version);
    let mut rows = definition.rows.iter().filter(is_version);
    let first = rows.next();
    for row in rows {
        errors.at(row.name.span(), "a kind has one version");
    }
    match (first, keys.reads) {
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
    if let (Some(row), Some(_)) = (first, &keys.version_of) {
        errors.at(
            row.name.span(),
            "a kind has a version row, or takes its version from another kind",
        );
    }
}

fn written(definition: &Definition, errors: &mut Diagnostics) {
    let keys = &definition.keys;
    let (min, max) = keys.reads.unwrap_or((0, u32::MAX));
    let writes = keys.writes.unwrap_or(max);
    if keys.writes.is_some() && (keys.reads.is_none() || writes < min || writes > max) {
        errors.at(
            keys.span("writes"),
            "the version written must be one that is read",
        );
    }
    for (index, (version, _)) in keys.gates.iter().enumerate() {
        if keys.reads.is_none() || *version <= writes || *version > max {
            errors.at(
                keys.span("gate"),
                "a gate is for a version that is read and lies above the one written at first",
            );
        }
        if keys.gates[..index]
            .iter()
            .any(|(other, _)| other == version)
        {
            errors.at(
                keys.span("gate"),
                format!("version {version} has a gate already"),
            );
        }
    }
    if keys.adopt && keys.gates.is_empty() {
        errors.at(
            keys.span("adopt"),
            "`adopt` needs a `gate` whose version it can adopt",
        );
    }
}

/// The versions that a row says it is in divide those that are read.
fn range(definition: &Definition, row: &Row, errors: &mut Diagnostics) {
    let keys = &definition.keys;
    let span = |key| row.keys.span(key).unwrap_or_else(|| row.name.span());
    if keys.reads.is_none() && keys.version_of.is_none() {
        let key = if row.keys.since.is_some() {
            "since"
        } else {
            "until"
        };
        errors.at(
            span(key),
            "`since` and `until` need a version: a row with `version`, or `version_of = Kind`",
        );
        return;
    }
    if let (Some(since), Some(until)) = (row.keys.since, row.keys.until)
        && until < since
    {
        errors.at(
            span("until"),
            "no version has it: `until` lies below `since`",
        );
    }
    let Some((min, max)) = keys.reads else { return };
    if let Some(since) = row.keys.since
        && (since <= min || since > max)
    {
        let message =
            format!("versions {min} to {max} are read, so `since = {since}` divides nothing");
        errors.at(span("since"), message);
    }
    if let Some(until) = row.keys.until
        && (until < min || until >= max)
    {
        let message =
            format!("versions {min} to {max} are read, so `until = {until}` divides nothing");
        errors.at(span("until"), message);
    }
}
