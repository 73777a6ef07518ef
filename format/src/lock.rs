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

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::describe::{Kind, Place, Presence, Role, Row, Shape, Trailing, Variant};

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
            let there = |of: &&Variant| (of.since..=of.until).contains(&version);
            for variant in variants.iter().filter(there) {
                let _ = writeln!(out, "{} | {}", variant.value, variant.name);
            }
        }
        Shape::Text { lines } => {
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

/// What became of a released lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What changed in released layouts, in words. None of it may.
    pub broken: Vec<String>,
    /// Layouts that are new and not released yet.
    pub added: Vec<String>,
}

/// Compares the lock as released with the lock as it is now.
#[must_use]
pub fn compare(released: &str, now: &str) -> Comparison {
    let (old, new) = (blocks(released), blocks(now));
    let mut comparison = Comparison::default();
    for (title, old) in &old {
        match new.iter().find(|(name, _)| name == title) {
            Some((_, new)) => differences(title, old, new, &mut comparison.broken),
            None => comparison.broken.push(format!("{title} is gone")),
        }
    }
    let is_new = |title: &&str| !old.iter().any(|(name, _)| name == title);
    let added = new.iter().map(|(title, _)| *title).filter(is_new);
    comparison.added = added.map(ToString::to_string).collect();
    comparison
}

/// The blocks of a lock: title and lines. Lines that begin with `#` are comments.
fn blocks(lock: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in lock
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.starts_with('#'))
    {
        match blocks.last_mut() {
            _ if line.is_empty() => open = false,
            Some((_, lines)) if open => lines.push(line),
            _ => {
                blocks.push((line, Vec::new()));
                open = true;
            }
        }
    }
    blocks
}

/// A line of a block, by its cells.
struct Cells<'a>(Vec<&'a str>);

impl<'a> Cells<'a> {
    fn of(line: &'a str) -> Self {
        Self(line.split(" | ").map(str::trim).collect())
    }

    /// The cell that says which line it is: the name of a row or of an enum's value, or all of a sentence.
    fn name(&self) -> &'a str {
        match *self.0 {
            [_, _, name, ..] | [_, name] | [name] => name,
            [] => "",
        }
    }

    fn labels(&self) -> &'static [&'static str] {
        match self.0.len() {
            0..=2 => &["value", "name"],
            _ => &["offset", "size", "name", "type", "meaning"],
        }
    }
}

fn differences(title: &str, old: &[&str], new: &[&str], out: &mut Vec<String>) {
    let old: Vec<Cells<'_>> = old.iter().map(|line| Cells::of(line)).collect();
    let new: Vec<Cells<'_>> = new.iter().map(|line| Cells::of(line)).collect();
    for was in &old {
        let name = was.name();
        let Some(is) = new.iter().find(|is| is.name() == name) else {
            out.push(format!("{title}: `{name}` is gone"));
            continue;
        };
        for (column, label) in was.labels().iter().enumerate() {
            let cell = |of: &Cells<'_>| of.0.get(column).map_or("", |cell| cell).to_string();
            let (was, is) = (cell(was), cell(is));
            if was != is {
                out.push(format!(
                    "{title}: {label} of `{name}` was `{was}`, is `{is}`"
                ));
            }
        }
    }
    for is in new.iter().map(Cells::name) {
        if !old.iter().any(|was| was.name() == is) {
            out.push(format!("{title}: `{is}` is new"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::samples::{ENTRY, FRAME, NOTE, OBJECT};

    #[test]
    fn a_block_says_where_everything_is() {
        assert_eq!(
            block(&FRAME, 0),
            "\
Frame
0        | 2      | word     | u16
0        |        | op       | bits 13..=15: Op
0        |        | len      | bits 0..=12: u16 | length of payload
2        | 4      | head_crc | u32              | CRC-32 over ..head_crc
6        | 4      | crc      | u32              | CRC-32 over ..crc, tag..
10       | 0 or 2 | tag      | Tag              | when op == Op::Tagged
10 + tag | len    | payload  | bytes
"
        );
    }

    #[test]
    fn only_additions_are_allowed() {
        let released = lock(&[&OBJECT, &FRAME]);
        assert_eq!(compare(&released, &released), Comparison::default());
        let now = lock(&[&OBJECT, &FRAME, &NOTE]);
        let added = compare(&released, &now);
        assert_eq!(added.broken, [""; 0]);
        assert_eq!(added.added, ["Note"]);
        assert_eq!(compare(&now, &released).broken, ["Note is gone"]);
    }

    #[test]
    fn changes_are_said_in_words() {
        let released = lock(&[&OBJECT, &ENTRY]);
        let now =
            released
                .replacen("| the rest", "| 16", 1)
                .replacen("over ..crc", "over runs..crc", 1);
        assert_eq!(
            compare(&released, &now).broken,
            [
                "Object version 1: size of `runs` was `the rest`, is `16`",
                "Object version 1: meaning of `crc` was `CRC-32 over ..crc`, is `CRC-32 over runs..crc`",
            ]
        );
        let released = "# a comment\nOp\n0 bytes\n0 | Plain\n1 | Tagged\n";
        let now = "Op\n0 bytes\n0 | Plain\n2 | Tagged\n3 | Other";
        assert_eq!(
            compare(released, now).broken,
            [
                "Op: value of `Tagged` was `1`, is `2`",
                "Op: `Other` is new"
            ]
        );
    }
}
