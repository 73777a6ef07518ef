//! The checks of a reader in words, and what they cannot see.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::words::{self, cell};
use crate::coverage::{Guard, uncovered};
use crate::describe::{Check, Kind, Role, Row, Shape, Step, Type};

pub(super) fn in_order(f: &mut fmt::Formatter<'_>, kind: &'static Kind) -> fmt::Result {
    if kind.steps.is_empty() {
        return Ok(());
    }
    f.write_str("\n## Checks, in order\n\nThe first that fails decides; nothing behind it is looked at.\n\n")?;
    for (number, step) in kind.steps.iter().enumerate() {
        writeln!(f, "{}. {}", number + 1, in_words(kind, step))?;
    }
    Ok(())
}

fn in_words(kind: &'static Kind, step: &Step) -> String {
    let row = kind.rows().get(usize::from(step.row));
    let name = row.map_or("it", |row| row.name);
    match (step.check, row) {
        (Check::Short, _) => match kind.size {
            Some(size) => format!("All {size} bytes are there."),
            None => format!("The {} bytes that are always there, are there.", kind.min),
        },
        (Check::Length, _) => "The input is exactly as long as its fields say.".to_string(),
        (Check::Rule(rule), None) => format!("{}.", capitalized(rule)),
        (Check::Rule(rule), Some(_)) => format!("`{name}`: {rule}."),
        (Check::Trailing, _) => "Nothing is left behind the last field.".to_string(),
        (Check::UsedUp, _) => format!("The length in `{name}` is used up."),
        (Check::Count, _) => {
            format!("So many entries as `{name}` says can fit the bytes that are there.")
        }
        (Check::Fits, _) => format!("`{name}` is there in full."),
        (Check::Utf8, _) => format!("`{name}` is UTF-8."),
        (Check::Entries, Some(row)) => format!(
            "Each entry of `{name}` passes the checks of {}.",
            kind_of(row)
        ),
        (
            Check::Magic,
            Some(Row {
                role: Role::Magic(bytes),
                ..
            }),
        ) => {
            format!("`{name}` is {}.", words::bytes(bytes))
        }
        (
            Check::MustBe,
            Some(Row {
                role: Role::MustBe(bytes),
                ..
            }),
        ) => {
            format!("`{name}` is {}.", words::bytes(bytes))
        }
        (Check::Version, _) => match &kind.versions {
            Some(of) => format!("`{name}` is {}.", words::range(of.min, of.max, "or")),
            None => format!("`{name}` is known."),
        },
        (
            Check::Checksum(algorithm),
            Some(Row {
                role: Role::Checksum(_, spans),
                ..
            }),
        ) => {
            format!(
                "`{name}` is the {algorithm} over {}.",
                words::spans(kind, spans)
            )
        }
        (Check::Limit, Some(row)) => match (row.min, row.max) {
            (Some(min), Some(max)) => format!("`{name}` is {min} to {max}."),
            (Some(min), None) => format!("`{name}` is at least {min}."),
            (None, Some(max)) => format!("`{name}` is at most {max}."),
            (None, None) => format!("`{name}` is within its limits."),
        },
        (
            Check::Known,
            Some(Row {
                ty: Type::Of(of), ..
            }),
        ) => match of().shape {
            Shape::Enum { .. } => {
                format!("`{name}` is a {} that this version has.", of().name)
            }
            Shape::Rows(_) | Shape::Text { .. } => {
                format!("`{name}` passes the checks of {}.", of().name)
            }
        },
        (check, _) => format!("`{name}`: {check:?}."),
    }
}

fn kind_of(row: &Row) -> &'static str {
    match row.ty {
        Type::Seq(kind) | Type::Of(kind) => kind().name,
        _ => "its kind",
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

pub(super) fn not_covered(f: &mut fmt::Formatter<'_>, kind: &'static Kind) -> fmt::Result {
    f.write_str("\n## What no checksum covers\n\n")?;
    let sums = kind
        .rows()
        .iter()
        .any(|row| matches!(row.role, Role::Checksum(..)));
    let uncovered = uncovered(kind);
    if uncovered.is_empty() {
        return f.write_str("Every byte is covered.\n");
    }
    if !sums {
        f.write_str("It has no checksum of its own; where it is part of another kind, that one may cover it.\n\n")?;
    }
    f.write_str("| field | a wrong value there |\n|---|---|\n")?;
    for row in &uncovered {
        let then = match row.guard {
            Guard::Every => "is refused, whatever it is".to_string(),
            Guard::Some => "is refused where it breaks a check, and believed otherwise".to_string(),
            Guard::Nested(of) => format!("is met by the checks of {}, or believed", of.name),
            Guard::Unread => "has no effect: nothing reads it".to_string(),
            Guard::Nothing => "is believed".to_string(),
        };
        writeln!(f, "| `{}` | {} |", row.row.name, cell(&then))?;
    }
    Ok(())
}
