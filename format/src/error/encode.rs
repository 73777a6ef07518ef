//! Values that cannot be written.

use core::fmt;

use super::{Error, Fault};
use crate::describe::{Kind, Shape};

/// A value that cannot be written: it would not read back as what it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct EncodeError {
    kind: &'static Kind,
    row: u16,
    fault: Fault,
}

impl EncodeError {
    /// A refusal to write `row` of `kind`.
    #[must_use]
    pub const fn new(kind: &'static Kind, row: u16, fault: Fault) -> Self {
        Self { kind, row, fault }
    }

    /// The same refusal, of `row` of `kind` when it is about a bare enum, which has no rows.
    #[doc(hidden)]
    #[must_use]
    pub const fn in_row(self, kind: &'static Kind, row: u16) -> Self {
        match self.kind.shape {
            Shape::Enum { .. } => Self { kind, row, ..self },
            Shape::Rows(_) | Shape::Text { .. } => self,
        }
    }

    /// The kind that was being written.
    #[must_use]
    pub const fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The name of the row that cannot be written.
    #[must_use]
    pub fn row(&self) -> &'static str {
        self.kind
            .rows()
            .get(usize::from(self.row))
            .map_or("", |row| row.name)
    }

    /// Why.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        self.fault
    }
}

impl From<Error> for EncodeError {
    fn from(error: Error) -> Self {
        Self {
            kind: error.kind,
            row: error.row,
            fault: error.fault,
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{} cannot be written: {}",
            self.kind.name,
            self.row(),
            self.fault
        )
    }
}

impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for EncodeError {}
