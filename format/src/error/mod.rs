//! What is wrong with an input, and where.
//!
//! An [`Error`] is `Copy` and owns nothing: the kind, the row, the byte position and a [`Fault`]. Generated code is
//! generic over [`Fail`]: the hot instance fails with `()`, and only when it fails does a second, cold run of the same
//! checks build the error that explains it.

mod bytes8;
mod encode;
mod fail;
mod fault;

use core::fmt;

use crate::describe::Kind;

pub use bytes8::Bytes8;
pub use encode::EncodeError;
pub use fail::Fail;
pub use fault::Fault;

/// Why an input is refused, with the position of the first byte that is to blame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    kind: &'static Kind,
    row: u16,
    at: usize,
    fault: Fault,
}

impl Error {
    /// An error of `kind` at its row number `row`; `at` is the byte position in the input.
    #[must_use]
    pub const fn new(kind: &'static Kind, row: u16, at: usize, fault: Fault) -> Self {
        Self {
            kind,
            row,
            at,
            fault,
        }
    }

    /// The kind that was being read.
    #[must_use]
    pub const fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The name of the row whose check failed; empty for a check of the whole.
    #[must_use]
    pub fn row(&self) -> &'static str {
        self.kind
            .rows()
            .get(usize::from(self.row))
            .map_or("", |row| row.name)
    }

    /// The byte position in the input.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// What is wrong there.
    #[must_use]
    pub const fn fault(&self) -> Fault {
        self.fault
    }

    /// The same error in an input that begins `base` bytes later.
    #[must_use]
    pub const fn offset_by(self, base: usize) -> Self {
        Self {
            at: self.at.saturating_add(base),
            ..self
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            "" => write!(f, "{} at byte {}: {}", self.kind.name, self.at, self.fault),
            row => write!(
                f,
                "{}.{row} at byte {}: {}",
                self.kind.name, self.at, self.fault
            ),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind.name)
            .field("row", &self.row())
            .field("at", &self.at)
            .field("fault", &self.fault)
            .finish()
    }
}

impl core::error::Error for Error {}
