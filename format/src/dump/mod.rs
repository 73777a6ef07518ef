//! The annotated hex dump: position, bytes, field and value, a line a field.
//!
//! ```text
//! SegmentHeader version 3, 32 bytes
//!    0  46 4c 53 47              magic              "FLSG"
//!    4  00 03                    version            3
//!    6  00 00                    flags              0
//!    8  00 00 00 00 00 00 00 01  base_offset        1
//!   16  00 00 00 00 00 00 00 02  created_at_micros  2
//!   24  ad eb 65 e9              header_crc         adeb65e9, right
//!   28  00 00 00 00              reserved           0
//! ```
//!
//! It shows what is there, also of damaged bytes: a field that cannot be right says why, a wrong checksum what would be
//! right, and what the walk cannot explain is shown as bytes. Positions are decimal, as in errors and specifications.

mod line;
mod value;

use core::fmt;

use crate::describe::{Kind, Shape};
use crate::error::Error;
use crate::walk::{version_in, walk};

use line::Lines;

/// A dump of one instance; show it with `Display`.
#[derive(Clone, Copy, Debug)]
pub struct Dump<'a> {
    kind: &'static Kind,
    bytes: &'a [u8],
    version: u32,
    base: u64,
    error: Option<Error>,
    most_entries: usize,
}

impl<'a> Dump<'a> {
    /// Of the instance at the front of `bytes`; `version` governs a kind without a version row.
    #[must_use]
    pub const fn new(kind: &'static Kind, bytes: &'a [u8], version: u32) -> Self {
        Self {
            kind,
            bytes,
            version,
            base: 0,
            error: None,
            most_entries: usize::MAX,
        }
    }

    /// Shows positions as if the bytes began at `base`, as a record does in its file.
    #[must_use]
    pub const fn based_at(self, base: u64) -> Self {
        Self { base, ..self }
    }

    /// Marks the field whose check failed.
    #[must_use]
    pub const fn with_error(self, error: Error) -> Self {
        Self {
            error: Some(error),
            ..self
        }
    }

    /// Shows only so many entries of each sequence.
    #[must_use]
    pub const fn most_entries(self, most_entries: usize) -> Self {
        Self {
            most_entries,
            ..self
        }
    }
}

impl fmt::Display for Dump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = version_in(self.kind, self.bytes)
            .or_else(|| self.kind.version_of.map(|_| self.version));
        f.write_str(self.kind.name)?;
        if let Some(version) = version {
            write!(f, " version {version}")?;
        }
        writeln!(f, ", {} bytes", self.bytes.len())?;
        let mut lines = Lines::new(self);
        if matches!(self.kind.shape, Shape::Text { .. }) {
            lines.text();
        } else {
            let stop = walk(self.kind, self.bytes, self.version, &mut lines).err();
            lines.end(stop);
        }
        lines.show(f)
    }
}

#[cfg(test)]
mod tests;
