//! The fields of an instance in words, as the walk finds them: those at the top a line each, an entry of a list in one line.

use std::io::{self, Write};

use ondisk::describe::{Presence, Role};
use ondisk::walk::{Field, Instance, Value, Visitor};

use crate::output::{Out, Tone, words};

/// A walk that is shown.
pub(super) struct Fields<'o, 'w> {
    out: &'o mut Out<'w>,
    /// Entries of each list that are shown.
    limit: u64,
    /// The row whose instances come next.
    row: &'static str,
    open: Vec<Level>,
    /// What writing failed with.
    failed: io::Result<()>,
}

struct Level {
    /// What has been found of an entry, until its line is written.
    line: Option<String>,
    hidden: bool,
    index: Option<usize>,
}

impl<'o, 'w> Fields<'o, 'w> {
    pub(super) fn new(out: &'o mut Out<'w>, limit: u64) -> Self {
        Self {
            out,
            limit,
            row: "",
            open: Vec::new(),
            failed: Ok(()),
        }
    }

    /// What writing came to.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failed
    }

    fn write(&mut self, write: impl FnOnce(&mut Out<'w>) -> io::Result<()>) {
        if self.failed.is_ok() {
            self.failed = write(self.out);
        }
    }

    /// Writes the line of the innermost instance, if that is still to be done.
    fn flush(&mut self) {
        let depth = self.open.len();
        let Some(level) = self.open.last_mut() else {
            return;
        };
        let Some(line) = level.line.take().filter(|_| !level.hidden) else {
            return;
        };
        let indent = 2 * depth.saturating_sub(1);
        self.write(|out| writeln!(out, "{:indent$}{line}", ""));
    }
}

impl<'a> Visitor<'a> for Fields<'_, '_> {
    fn enter(&mut self, instance: &Instance) {
        self.flush();
        let outer = self.open.last().is_some_and(|level| level.hidden);
        let beyond = instance
            .index
            .is_some_and(|index| index as u64 >= self.limit);
        let line = (!self.open.is_empty()).then(|| match instance.index {
            Some(index) => format!("{}[{index}]", self.row),
            None => self.row.to_owned(),
        });
        self.open.push(Level {
            line,
            hidden: outer || beyond,
            index: instance.index,
        });
    }

    fn field(&mut self, field: &Field<'a>) {
        if let Value::Kind(_) | Value::Entries { .. } = field.value {
            self.row = field.row.name;
        }
        let top = self.open.len() == 1;
        let Some(level) = self.open.last_mut() else {
            return;
        };
        if level.hidden || !(field.row.since..=field.row.until).contains(&field.version) {
            return;
        }
        let Some(value) = show(field) else { return };
        match &mut level.line {
            Some(line) => {
                let gap = if line.ends_with(']') || !line.contains(' ') {
                    "  "
                } else {
                    ", "
                };
                line.push_str(&format!("{gap}{} {value}", field.row.name));
            }
            None if top => {
                let name = format!("{:<18}", field.row.name);
                let name = self.out.paint.tone(Tone::Quiet, name).to_string();
                self.write(|out| writeln!(out, "  {name} {value}"));
            }
            // Behind a list; what came before stands above it.
            None => {}
        }
    }

    fn leave(&mut self, instance: &Instance) {
        self.flush();
        let left = self.open.pop();
        let last_shown = left
            .and_then(|level| level.index)
            .is_some_and(|index| index as u64 == self.limit);
        if last_shown && !self.open.last().is_some_and(|level| level.hidden) {
            let (indent, kind) = (2 * self.open.len(), instance.kind.name);
            self.write(|out| {
                writeln!(
                    out,
                    "{:indent$}… and more entries of {kind}, see --limit",
                    ""
                )
            });
        }
    }
}

/// The value of a field; none for what the writer computes, and for what the lines that follow say.
fn show(field: &Field<'_>) -> Option<String> {
    match field.row.role {
        Role::Value | Role::Keep => {}
        _ => return None,
    }
    Some(match field.value {
        Value::Kind(_) | Value::Entries { .. } | Value::Tag(true) => return None,
        Value::Tag(false) => "none".to_owned(),
        Value::Absent if matches!(field.row.presence, Presence::Tag { .. }) => return None,
        Value::Absent => "none".to_owned(),
        Value::Uint(number) if field.row.name.ends_with("_micros") => {
            format!("{number} ({})", crate::output::time::instant(number))
        }
        Value::Uint(number) if field.row.name.ends_with("_millis") && number > 0 => {
            format!(
                "{number} ({})",
                crate::output::time::instant(number.saturating_mul(1000))
            )
        }
        Value::Uint(number) if field.row.name.contains("checksum") => format!("{number:08x}"),
        Value::Uint(number) => number.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Bytes(bytes) => words::glimpse(bytes),
        Value::Text(text) => words::quoted(text.as_bytes()),
        Value::NotText(bytes) => format!("{} (no UTF-8)", words::quoted(bytes)),
        Value::Variant {
            known: Some(known), ..
        } => known.name.to_owned(),
        Value::Variant {
            raw,
            of,
            known: None,
        } => format!("{raw} (no {})", of.name),
    })
}
