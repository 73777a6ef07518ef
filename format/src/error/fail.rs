//! How generated checks fail.

use super::Error;
use crate::describe::{Kind, Shape};

/// How generated checks fail: with nothing on the hot path, with an [`Error`] when they explain.
pub trait Fail: Sized + sealed::Sealed {
    /// Builds the failure. The closure runs only where somebody will read what it says.
    fn fail(explain: impl FnOnce() -> Error) -> Self;

    /// The same failure, of `row` of `kind` when it is about a bare enum, which has no rows.
    #[doc(hidden)]
    fn in_row(self, kind: &'static Kind, row: u16) -> Self;

    /// A number that only an explanation needs.
    #[doc(hidden)]
    fn number(count: impl FnOnce() -> u64) -> u64;
}

impl Fail for () {
    #[inline(always)]
    fn fail(_: impl FnOnce() -> Error) -> Self {}

    #[inline(always)]
    fn in_row(self, _: &'static Kind, _: u16) -> Self {}

    #[inline(always)]
    fn number(_: impl FnOnce() -> u64) -> u64 {
        0
    }
}

impl Fail for Error {
    #[cold]
    fn fail(explain: impl FnOnce() -> Error) -> Self {
        explain()
    }

    fn in_row(self, kind: &'static Kind, row: u16) -> Self {
        match self.kind.shape {
            Shape::Enum { .. } => Self { kind, row, ..self },
            Shape::Rows(_) | Shape::Text { .. } => self,
        }
    }

    fn number(count: impl FnOnce() -> u64) -> u64 {
        count()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for super::Error {}
}
