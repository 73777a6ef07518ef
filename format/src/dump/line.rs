//! The lines of a dump, collected while walking: a checksum is judged only behind all that it covers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::ops::Range;

use super::{Dump, value};
use crate::describe::Role;
use crate::error::Error;
use crate::walk::{Field, Instance, Value, Visitor, judge};

/// Bytes shown of a field.
const MOST_BYTES: usize = 8;
/// The widest column of names.
const MOST_NAME: usize = 40;

/// A line: the bytes of a field, or a remark about the line above.
enum Line {
    Field {
        range: Range<usize>,
        name: String,
        value: String,
        bits: Option<(u8, u8)>,
    },
    Remark(String),
}

/// Where in nested instances the walk is.
struct Level {
    row: &'static str,
    index: Option<usize>,
    /// Line of each checksum row.
    sums: Vec<(usize, usize)>,
    hidden: bool,
}

pub(super) struct Lines<'d, 'a> {
    dump: &'d Dump<'a>,
    lines: Vec<Line>,
    path: Vec<Level>,
    /// The row whose instances come next.
    row: &'static str,
    /// Everything before it was shown.
    shown: usize,
    error: Option<Error>,
}

impl<'d, 'a> Lines<'d, 'a> {
    pub fn new(dump: &'d Dump<'a>) -> Self {
        Self {
            dump,
            lines: Vec::new(),
            path: Vec::new(),
            row: "",
            shown: 0,
            error: dump.error,
        }
    }

    /// A text, line by line.
    pub fn text(&mut self) {
        let mut begin = 0;
        for (number, line) in self
            .dump
            .bytes
            .split_inclusive(|&byte| byte == b'\n')
            .enumerate()
        {
            let name = format!("line {}", number + 1);
            let value = value::bytes(line);
            self.push(begin..begin + line.len(), name, value, None);
            begin += line.len();
        }
        if let Some(error) = self.error.take() {
            self.lines.push(Line::Remark(error.to_string()));
        }
    }

    /// What is left when the walk is over.
    pub fn end(&mut self, stop: Option<Error>) {
        self.gap(self.dump.bytes.len());
        let place = |error: Error| (error.kind(), error.at());
        // The reader and the walk may count what is missing, or name its row, in different ways.
        let stop = stop.filter(|&stop| self.dump.error.map(place) != Some(place(stop)));
        for error in [self.error.take(), stop].into_iter().flatten() {
            let located = error.offset_by(self.base());
            self.lines.push(Line::Remark(located.to_string()));
        }
    }

    fn base(&self) -> usize {
        usize::try_from(self.dump.base).unwrap_or(usize::MAX)
    }

    /// Shows the bytes up to `to` that no field explains.
    fn gap(&mut self, to: usize) {
        if self.shown < to {
            let value = match to - self.shown {
                1 => "1 byte".to_string(),
                count => format!("{count} bytes"),
            };
            self.push(self.shown..to, "(not read)".to_string(), value, None);
        }
    }

    fn push(&mut self, range: Range<usize>, name: String, value: String, bits: Option<(u8, u8)>) {
        self.shown = self.shown.max(range.end);
        self.lines.push(Line::Field {
            range,
            name,
            value,
            bits,
        });
    }

    fn name(&self, field: &Field<'_>) -> String {
        let mut name = String::new();
        for level in self.path.iter().skip(1) {
            name.push_str(level.row);
            if let Some(index) = level.index {
                name.push_str(&format!("[{index}]"));
            }
            name.push('.');
        }
        name.push_str(field.row.name);
        name
    }

    fn hidden(&self) -> bool {
        self.path.last().is_some_and(|level| level.hidden)
    }

    /// The error of the reader or of the row itself, below its line.
    fn remark(&mut self, field: &Field<'_>) {
        if let Some(error) = self.error
            && error.kind() == field.kind
            && error.row() == field.row.name
            && (field.range.contains(&error.at()) || field.range.start == error.at())
            && !matches!(field.value, Value::Tag(_))
        {
            self.error = None;
            self.lines.push(Line::Remark(error.fault().to_string()));
        } else if let Some(fault) = judge(field, self.dump.bytes) {
            self.lines.push(Line::Remark(fault.to_string()));
        }
    }

    pub fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.lines.iter().map(|line| match line {
            Line::Field { name, .. } => name.chars().count(),
            Line::Remark(_) => 0,
        });
        let width = names.max().unwrap_or(0).min(MOST_NAME);
        let last = self.dump.base.saturating_add(self.dump.bytes.len() as u64);
        let digits = last.to_string().len().max(4);
        for line in &self.lines {
            match line {
                Line::Field {
                    range,
                    name,
                    value,
                    bits,
                } => {
                    let (at, hex) = match bits {
                        Some((low, high)) if low == high => (String::new(), format!("bit {low}")),
                        Some((low, high)) => (String::new(), format!("bits {low}..={high}")),
                        None => (self.position(range), self.hex(range)),
                    };
                    let line = format!("{at:>digits$}  {hex:<23}  {name:<width$}  {value}");
                    writeln!(f, "{}", line.trim_end())?;
                }
                Line::Remark(text) => {
                    writeln!(f, "{:>digits$}  {:<23}  ^ {text}", "", "")?;
                }
            }
        }
        Ok(())
    }

    fn position(&self, range: &Range<usize>) -> String {
        self.dump
            .base
            .saturating_add(range.start as u64)
            .to_string()
    }

    fn hex(&self, range: &Range<usize>) -> String {
        let bytes = self.dump.bytes.get(range.clone()).unwrap_or_default();
        let shown = if bytes.len() > MOST_BYTES {
            MOST_BYTES - 1
        } else {
            bytes.len()
        };
        let mut hex = String::new();
        for byte in bytes.iter().take(shown) {
            let _ = write!(hex, "{byte:02x} ");
        }
        if shown < bytes.len() {
            hex.push_str("..");
        }
        hex.trim_end().to_string()
    }
}

impl<'a> Visitor<'a> for Lines<'_, 'a> {
    fn enter(&mut self, instance: &Instance) {
        let most = self.dump.most_entries;
        let beyond = instance.index.is_some_and(|index| index >= most);
        if beyond && instance.index == Some(most) && !self.hidden() {
            let name = format!("{}[{most}..]", self.row);
            let value = "the other entries".to_string();
            self.push(instance.start..instance.start, name, value, None);
        }
        let hidden = beyond || self.hidden();
        self.path.push(Level {
            row: self.row,
            index: instance.index,
            sums: Vec::new(),
            hidden,
        });
    }

    fn field(&mut self, field: &Field<'a>) {
        if let Value::Kind(_) | Value::Entries { .. } = field.value {
            self.row = field.row.name;
        }
        if self.hidden() {
            self.shown = self.shown.max(field.range.end);
            return;
        }
        if !(field.row.since..=field.row.until).contains(&field.version) {
            return;
        }
        let Some(value) = value::show(field) else {
            return;
        };
        let bits = field.row.bits.map(|bits| (bits.low, bits.high));
        if bits.is_none() {
            self.gap(field.range.start);
        }
        if let (Role::Checksum(..), Some(level)) = (field.row.role, self.path.last_mut()) {
            level.sums.push((field.number, self.lines.len()));
        }
        let name = self.name(field);
        self.push(field.range.clone(), name, value, bits);
        self.remark(field);
    }

    fn leave(&mut self, instance: &Instance) {
        let Some(level) = self.path.pop() else { return };
        for (row, line) in level.sums {
            let Some(Line::Field { value, .. }) = self.lines.get_mut(line) else {
                continue;
            };
            match instance.sum(row, self.dump.bytes) {
                Some(sum) if sum.stored == sum.computed => value.push_str(", right"),
                Some(sum) => {
                    let digits = 2 * instance.range(row).map_or(4, |range| range.len());
                    let _ = write!(value, ", WRONG: {:0digits$x} is right", sum.computed);
                }
                None => value.push_str(", covers bytes that were not found"),
            }
        }
    }
}
