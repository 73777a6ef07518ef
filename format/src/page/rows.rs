//! The table of rows, as a specification has it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::words;
use super::words::cell;
use crate::describe::{Kind, Place, Presence, Role, Row, Type, Variant};

pub(super) fn layout(
    f: &mut fmt::Formatter<'_>,
    kind: &'static Kind,
    diagram: Option<&str>,
) -> fmt::Result {
    f.write_str("\n## Layout\n\n")?;
    if let Some(address) = diagram {
        writeln!(f, "![Bytes of {}]({address})\n", kind.name)?;
    }
    for (index, (versions, places)) in layouts(kind).into_iter().enumerate() {
        if index > 0 {
            f.write_str("\n")?;
        }
        if let Some(versions) = versions {
            writeln!(f, "{versions}:\n")?;
        }
        f.write_str("| offset | size | field | type | notes |\n|---|---|---|---|---|\n")?;
        for place in &places {
            let Place {
                offset, size, row, ..
            } = place;
            let notes = cell(&notes(kind, row));
            let ty = cell(&type_name(row));
            let mark = if row.in_value { "" } else { "*" };
            writeln!(
                f,
                "| {offset} | {size} | {mark}`{}`{mark} | {ty} | {notes} |",
                row.name
            )?;
        }
    }
    if kind.rows().iter().any(|row| !row.in_value) {
        f.write_str("\nFields in italics are the writer's: they are computed, never given.\n")?;
    }
    Ok(())
}

/// The layouts of a kind, each with the versions that have it, where they differ.
fn layouts(kind: &Kind) -> Vec<(Option<String>, Vec<Place>)> {
    let mut layouts: Vec<(u32, u32, Vec<Place>)> = Vec::new();
    let numbers = |places: &[Place]| places.iter().map(|place| place.number).collect::<Vec<_>>();
    for version in kind.read_range() {
        let places = kind.places(version);
        match layouts.last_mut() {
            Some((_, to, last)) if numbers(last) == numbers(&places) => *to = version,
            _ => layouts.push((version, version, places)),
        }
    }
    let several = layouts.len() > 1;
    let title = |from, to| several.then(|| format!("Version {}", words::range(from, to, "and")));
    layouts
        .into_iter()
        .map(|(from, to, places)| (title(from, to), places))
        .collect()
}

/// The type, with a link where it is a kind of its own.
fn type_name(row: &Row) -> String {
    let name = row.type_name();
    match row.ty {
        Type::Seq(kind) | Type::Of(kind) => {
            let kind = kind();
            let link = format!("[{0}]({1}.md)", kind.name, super::file_stem(kind));
            let name = name.replace(['[', ']'], "").replace(kind.name, &link);
            match row.ty {
                Type::Seq(_) => format!("entries of {name}"),
                _ => name,
            }
        }
        _ => name,
    }
}

fn notes(kind: &Kind, row: &Row) -> String {
    let name = |row: u16| kind.rows().get(usize::from(row)).map_or("", |row| row.name);
    let mut notes: Vec<String> = Vec::new();
    match row.role {
        Role::Value | Role::Word => {}
        Role::Keep => notes.push("not looked at, kept on a rewrite".to_string()),
        Role::Reserved => notes.push("written 0, ignored".to_string()),
        Role::Magic(bytes) => notes.push(words::bytes(bytes)),
        Role::MustBe(bytes) => notes.push(format!("must be {}", words::bytes(bytes))),
        Role::Version => notes.push(super::versions(kind).unwrap_or_default()),
        Role::Len(rows) => notes.push(format!("bytes of {}", words::spans(kind, &[rows]))),
        Role::Count(row) => notes.push(format!("number of `{}`", name(row))),
        Role::Checksum(algorithm, spans) => {
            notes.push(format!("{algorithm} over {}", words::spans(kind, spans)));
        }
    }
    match row.presence {
        Presence::Always => {}
        Presence::When { text, .. } => {
            notes.push(format!("only when `{}`", text.replace(" :: ", "::")));
        }
        Presence::Tag { fixed } => {
            let absent = if fixed { "0 and then zeros" } else { "0 alone" };
            notes.push(format!("behind a byte 1; when absent, {absent}"));
        }
        Presence::Null { len, null, bias } => {
            let bias = if bias == 0 {
                ""
            } else {
                ", which is the length plus 1 otherwise"
            };
            let null = match null {
                ..0 => format!("negative, written {null}"),
                null => null.to_string(),
            };
            notes.push(format!("absent when `{}` is {null}{bias}", name(len)));
        }
    }
    notes.extend(limits(row));
    notes.extend(row.rules.iter().map(|rule| (*rule).to_string()));
    let notes = notes.join("; ");
    match (notes.is_empty(), row.doc.trim()) {
        (_, "") => notes,
        (true, doc) => doc.to_string(),
        (false, doc) => format!("{notes}. {doc}"),
    }
}

fn limits(row: &Row) -> Option<String> {
    match (row.min, row.max) {
        (None, None) => None,
        (Some(min), None) => Some(format!("at least {min}")),
        (None, Some(max)) => Some(format!("at most {max}")),
        (Some(min), Some(max)) => Some(format!("{min} to {max}")),
    }
}

pub(super) fn variants(
    f: &mut fmt::Formatter<'_>,
    variants: &[Variant],
    open: bool,
) -> fmt::Result {
    f.write_str("\n## Values\n\n| value | name | notes |\n|---|---|---|\n")?;
    for variant in variants {
        let Variant {
            value,
            name,
            doc,
            since,
            until,
        } = variant;
        let versions = match (*since, *until) {
            (0 | 1, u32::MAX) => String::new(),
            (since, u32::MAX) => format!("From version {since} on. "),
            (0 | 1, until) => format!("Up to version {until}. "),
            (since, until) => format!("Versions {}. ", words::range(since, until, "and")),
        };
        writeln!(
            f,
            "| {value} | `{name}` | {} |",
            cell(&format!("{versions}{doc}"))
        )?;
    }
    let others = if open { "kept as they are" } else { "refused" };
    writeln!(f, "\nOther values are {others}.")
}

pub(super) fn text(f: &mut fmt::Formatter<'_>, lines: &[&str]) -> fmt::Result {
    f.write_str("\n## Grammar\n\n```text\n")?;
    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
    f.write_str("```\n")
}
