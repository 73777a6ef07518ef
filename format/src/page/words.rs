//! Small words that several parts of a page use.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::describe::{Kind, Row, Rows};

/// A range of versions; `both` joins two of them.
pub(super) fn range(min: u32, max: u32, both: &str) -> String {
    match max.saturating_sub(min) {
        0 => format!("{min}"),
        1 => format!("{min} {both} {max}"),
        _ => format!("{min} to {max}"),
    }
}

/// Text in a cell of a table: on one line, and no bar in it.
pub(super) fn cell(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// The first sentence of a doc comment.
pub(super) fn summary(doc: &str) -> String {
    let first = cell(doc.split("\n\n").next().unwrap_or_default());
    match first.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}."),
        None => first,
    }
}

/// Bytes in hex, and as text where they are text.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let mut out = String::from("`");
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out.push('`');
    if !bytes.is_empty() && bytes.iter().all(u8::is_ascii_graphic) {
        let _ = write!(out, " \"{}\"", bytes.escape_ascii());
    }
    out
}

/// Spans of rows in words: `a` to `b`, then `c`.
pub(super) fn spans(kind: &Kind, spans: &[Rows]) -> String {
    let rows = kind.rows();
    let name = |row: u16| rows.get(usize::from(row)).map_or("", |row| row.name);
    let words: Vec<String> = spans
        .iter()
        .map(
            |span| match (bytes_of(rows, *span), span.to.saturating_sub(1)) {
                (Some(bytes), _) => bytes,
                (None, last) if last == span.from => format!("`{}`", name(last)),
                (None, last) if usize::from(last) + 1 == rows.len() => match span.from {
                    0 => "all of it".to_string(),
                    from => format!("`{}` to the end", name(from)),
                },
                (None, last) => format!("`{}` to `{}`", name(span.from), name(last)),
            },
        )
        .collect();
    words.join(", then ")
}

/// A span whose bytes are the same in every instance.
fn bytes_of(rows: &[Row], span: Rows) -> Option<String> {
    let first = rows.get(usize::from(span.from))?.offset?;
    let covered = rows.get(usize::from(span.from)..usize::from(span.to))?;
    let last = covered.iter().rev().find(|row| row.bits.is_none())?;
    let end = last.offset? + last.size?;
    Some(format!("bytes {first}..{end}"))
}
