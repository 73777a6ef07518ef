//! The specification page of a kind, as Markdown, and its byte diagram, as SVG.
//!
//! Everything on it comes from the description, so a page says what the code does. The vectors are the caller's.

mod checks;
mod diagram;
mod rows;
mod words;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::describe::{Class, Endian, Gate, Kind, Shape, Trailing};

pub use diagram::Diagram;

use words::cell;

/// A page; show it with `Display`.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    kind: &'static Kind,
    diagram: Option<&'a str>,
    vectors: &'a [Vector],
}

/// Bytes and what a reader makes of them, for the page.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub note: String,
    /// The bytes, in hex, grouped as its author likes.
    pub bytes: String,
    /// What a reader makes of them, in words.
    pub outcome: String,
}

impl<'a> Page<'a> {
    /// The page of `kind`.
    #[must_use]
    pub const fn new(kind: &'static Kind) -> Self {
        Self {
            kind,
            diagram: None,
            vectors: &[],
        }
    }

    /// Shows the diagram that lies at this address.
    #[must_use]
    pub const fn with_diagram(self, address: &'a str) -> Self {
        Self {
            diagram: Some(address),
            ..self
        }
    }

    /// Lists these vectors.
    #[must_use]
    pub const fn with_vectors(self, vectors: &'a [Vector]) -> Self {
        Self { vectors, ..self }
    }
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind;
        writeln!(f, "# {}\n", kind.name)?;
        if !kind.doc.is_empty() {
            writeln!(f, "{}\n", kind.doc.trim())?;
        }
        facts(f, kind)?;
        match kind.shape {
            Shape::Rows(_) => {
                rows::layout(f, kind, self.diagram)?;
                checks::in_order(f, kind)?;
                checks::not_covered(f, kind)?;
            }
            Shape::Enum { variants, open, .. } => rows::variants(f, variants, open)?,
            Shape::Text { lines, .. } => rows::text(f, lines)?,
        }
        vectors(f, self.vectors)
    }
}

/// The name of a kind's page, without an ending: `SegmentHeader` is `segment-header`.
#[must_use]
pub fn file_stem(kind: &Kind) -> String {
    let mut stem = String::new();
    for (index, char) in kind.name.chars().enumerate() {
        if char.is_ascii_uppercase() && index > 0 {
            stem.push('-');
        }
        stem.push(char.to_ascii_lowercase());
    }
    stem
}

/// What a kind is, in one sentence.
#[must_use]
pub fn summary(kind: &Kind) -> String {
    words::summary(kind.doc)
}

fn facts(f: &mut fmt::Formatter<'_>, kind: &Kind) -> fmt::Result {
    let mut facts: Vec<(&str, String)> = Vec::new();
    match (kind.file, kind.head_of) {
        (Some(file), _) => facts.push(("file", format!("`{file}`"))),
        (None, Some(file)) => facts.push(("begins the file", format!("`{file}`"))),
        (None, None) => {}
    }
    match kind.class {
        Some(Class::Authoritative) => {
            facts.push((
                "class",
                "authoritative: nothing else can rebuild it".to_string(),
            ));
        }
        Some(Class::Derived) => {
            facts.push((
                "class",
                "derived: it can be rebuilt, or done without".to_string(),
            ));
        }
        None => {}
    }
    if let Some(versions) = versions(kind) {
        facts.push(("versions", versions));
    }
    let bytes = match (kind.size, kind.min) {
        (Some(bytes), _) => format!("{bytes}"),
        (None, least) => format!("{least} or more"),
    };
    match kind.shape {
        Shape::Rows(_) => facts.push(("bytes", bytes)),
        Shape::Enum { bytes: 0, .. } => facts.push(("stored in", "bits of a word".to_string())),
        Shape::Enum { bytes: 1, .. } => facts.push(("stored in", "1 byte".to_string())),
        Shape::Enum { bytes, .. } => facts.push(("stored in", format!("{bytes} bytes"))),
        Shape::Text { .. } => facts.push(("encoding", "text".to_string())),
    }
    if matches!((&kind.shape, kind.endian), (Shape::Rows(_), Endian::Little)) {
        facts.push(("byte order", "little-endian".to_string()));
    }
    if kind.whole && kind.trailing == Trailing::Ignore {
        facts.push(("bytes behind it", "ignored".to_string()));
    }
    if kind.canonical {
        facts.push(("canonical", "equal values have equal bytes".to_string()));
    }
    f.write_str("| | |\n|---|---|\n")?;
    facts
        .iter()
        .try_for_each(|(what, is)| writeln!(f, "| {what} | {} |", cell(is)))
}

fn versions(kind: &Kind) -> Option<String> {
    let Some(versions) = &kind.versions else {
        let of = kind.version_of?();
        return Some(format!(
            "those of {}: it has no version of its own",
            of.name
        ));
    };
    let mut words = words::range(versions.min, versions.max, "and");
    let _ = write!(words, " read, {} written", versions.writes);
    for Gate { version, feature } in versions.gates {
        let _ = match feature.level {
            0 => write!(words, "; {version} only where the writer asks for it"),
            _ => write!(words, "; writing {version} needs {feature}"),
        };
    }
    Some(words)
}

fn vectors(f: &mut fmt::Formatter<'_>, vectors: &[Vector]) -> fmt::Result {
    if vectors.is_empty() {
        return Ok(());
    }
    f.write_str(
        "\n## Vectors\n\n| vector | bytes | what a reader makes of them |\n|---|---|---|\n",
    )?;
    for Vector {
        name,
        note,
        bytes,
        outcome,
    } in vectors
    {
        let outcome = match note.as_str() {
            "" => outcome.to_string(),
            note => format!("{note}: {outcome}"),
        };
        writeln!(f, "| {name} | `{bytes}` | {} |", cell(&outcome))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
