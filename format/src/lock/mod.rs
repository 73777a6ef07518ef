//! The layout lock: what every released kind looks like in every version, as text that is kept beside the tests.
//!
//! A layout once released never changes; what must change becomes a new version. So a block that was written once has to
//! come out the same for ever, and new blocks may only be added.
//!
//! ```text
//! SegmentHeader version 3
//! 0  | 4 | magic      | [u8; 4] | magic 464c5347
//! 4  | 2 | version    | u16     | version
//! 24 | 4 | header_crc | u32     | CRC-32 over ..header_crc
//! ```

mod compare;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::describe::{Kind, Place, Presence, Role, Row, Shape, Trailing, Variant};

pub use compare::{Comparison, compare};

/// The lock of these kinds: a block for each and for each of its versions.
#[must_use]
pub fn lock(kinds: &[&'static Kind]) -> String {
    let blocks: Vec<String> = kinds
        .iter()
        .flat_map(|kind| kind.read_range().map(|version| block(kind, version)))
        .collect();
    blocks.join("\n")
}

/// The block of a kind in a version.
#[must_use]
pub fn block(kind: &'static Kind, version: u32) -> String {
    let mut out = title(kind, version);
    out.push('\n');
    match kind.shape {
        Shape::Rows(_) => table(&mut out, kind, &kind.places(version)),
        Shape::Enum {
            bytes,
            variants,
            open,
        } => {
            let _ = writeln!(
                out,
                "{bytes} bytes{}",
                if open { ", other values kept" } else { "" }
            );
            for variant in variants {
                let versions = versions_of(variant);
                let _ = writeln!(out, "{} | {}{versions}", variant.value, variant.name);
            }
        }
        Shape::Text { lines, .. } => {
            for line in lines {
                let _ = writeln!(out, "text | {line}");
            }
        }
    }
    if kind.trailing == Trailing::Ignore {
        out.push_str("bytes behind it are ignored\n");
    }
    out
}

/// The versions of a value that not all have.
fn versions_of(variant: &Variant) -> String {
    let mut versions = String::new();
    if variant.since > 0 {
        let _ = write!(versions, " | since {}", variant.since);
    }
    if variant.until < u32::MAX {
        let _ = write!(versions, " | until {}", variant.until);
    }
    versions
}

fn title(kind: &Kind, version: u32) -> String {
    match (&kind.versions, kind.version_of) {
        (Some(_), _) => format!("{} version {version}", kind.name),
        (None, Some(of)) => format!("{} in {} version {version}", kind.name, of().name),
        (None, None) => kind.name.to_string(),
    }
}

fn table(out: &mut String, kind: &Kind, places: &[Place]) {
    let rows: Vec<[String; 5]> = places
        .iter()
        .map(|place| {
            [
                place.offset.to_string(),
                place.size.to_string(),
                place.row.name.to_string(),
                place.row.type_name(),
                meaning(kind, place.row),
            ]
        })
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..4).map(width).collect();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:<width$} | ");
        }
        line.push_str(&row[4]);
        out.push_str(line.trim_end().trim_end_matches('|').trim_end());
        out.push('\n');
    }
}

/// What a row's bytes mean to the layout.
fn meaning(kind: &Kind, row: &Row) -> String {
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
    };
    let name = |row: u16| kind.rows().get(usize::from(row)).map_or("", |row| row.name);
    let role = match row.role {
        Role::Value | Role::Word => String::new(),
        Role::Keep => "kept".to_string(),
        Role::Reserved => "reserved".to_string(),
        Role::Magic(bytes) => format!("magic {}", hex(bytes)),
        Role::MustBe(bytes) => format!("must be {}", hex(bytes)),
        Role::Version => "version".to_string(),
        Role::Len(rows) => format!("length of {}", kind.spans(&[rows])),
        Role::Count(row) => format!("count of {}", name(row)),
        Role::Checksum(algorithm, spans) => format!("{algorithm} over {}", kind.spans(spans)),
    };
    let presence = match row.presence {
        Presence::Always => String::new(),
        Presence::When { text, .. } => format!("when {}", text.replace(" :: ", "::")),
        Presence::Tag { fixed: false } => "behind a tag".to_string(),
        Presence::Tag { fixed: true } => "behind a tag, zeros when absent".to_string(),
        Presence::Null { len, null, bias } => {
            format!("null when {} is {null}, bias {bias}", name(len))
        }
    };
    match (role.as_str(), presence.as_str()) {
        ("", _) => presence,
        (_, "") => role,
        _ => format!("{role}, {presence}"),
    }
}

#[cfg(test)]
mod tests;
