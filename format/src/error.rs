//! What is wrong with an input, and where.
//!
//! An [`Error`] is `Copy` and owns nothing: the kind, the row, the byte position and a [`Fault`]. Generated code is
//! generic over [`Fail`]: the hot instance fails with `()`, and only when it fails does a second, cold run of the same
//! checks build the error that explains it.

use core::fmt;

use crate::describe::{Kind, Shape};

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

/// What is wrong. In every pair the first number is what is right or claimed, the second what was found or computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The input ends before what it begins is whole. More bytes could make it right.
    Short {
        /// Bytes needed from the start of the kind; the whole of it where its head says how long it is.
        needed: u64,
        /// Bytes that are there.
        available: u64,
    },
    /// Something does not fit into the length declared for it, or into bytes that a checksum vouched for. No further
    /// bytes can make it right.
    Overrun {
        /// Bytes needed.
        needed: u64,
        /// Bytes that the enclosing length leaves.
        available: u64,
    },
    /// The input is longer than its own fields say.
    Length {
        /// Bytes that it must have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// Bytes are left over behind the last row.
    Trailing {
        /// How many.
        left: u64,
    },
    /// The magic is another one.
    Magic {
        /// The right bytes.
        expected: Bytes8,
        /// The bytes met.
        found: Bytes8,
    },
    /// The version is not one that this build reads.
    Version {
        /// The version met.
        found: u32,
        /// The lowest version read.
        min: u32,
        /// The highest version read.
        max: u32,
    },
    /// A row that must have one value has another.
    MustBe {
        /// The right value.
        expected: u64,
        /// The value met.
        found: u64,
    },
    /// A checksum does not match.
    Checksum {
        /// As stored.
        expected: u64,
        /// As computed.
        found: u64,
    },
    /// A value that no variant of the enum has.
    Unknown {
        /// The value met.
        found: u64,
    },
    /// A known value, but not one of this version.
    NotInVersion {
        /// The value met.
        found: u64,
        /// The version being read or written.
        version: u32,
        /// The first version that has it.
        since: u32,
        /// The last version that has it.
        until: u32,
    },
    /// Below the least value.
    TooSmall {
        /// The value met.
        found: i64,
        /// The least value.
        limit: i64,
    },
    /// Above the greatest value.
    TooLarge {
        /// The value met.
        found: u64,
        /// The greatest value.
        limit: u64,
    },
    /// Text that is not UTF-8.
    Utf8 {
        /// Bytes of it that are.
        valid_up_to: u64,
    },
    /// A tag byte that is neither 0 nor 1.
    Tag {
        /// The byte met.
        found: u8,
    },
    /// A varint that does not end, or does not fit its type.
    Varint,
    /// An optional row is absent where it must be there, or there where it must be absent. Only writers meet this.
    Presence {
        /// Whether it must be there.
        expected: bool,
    },
    /// A rule that the definition adds in code.
    Refused {
        /// The rule that is broken, as a statement of what is right.
        rule: &'static str,
        /// The value that breaks it.
        found: u64,
    },
    /// The first run failed and the explaining run did not: the bytes changed in between.
    Changed,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Short { needed, available } => {
                write!(f, "needs {needed} bytes, {available} are there")
            }
            Self::Overrun { needed, available } => {
                write!(
                    f,
                    "needs {needed} bytes, the enclosing length leaves {available}"
                )
            }
            Self::Length { expected, found } => {
                write!(f, "must be {expected} bytes long, is {found}")
            }
            Self::Trailing { left } => write!(f, "{left} bytes are left over"),
            Self::Magic { expected, found } => write!(f, "magic must be {expected}, found {found}"),
            Self::Version { found, min, max } if min == max => {
                write!(f, "version {found} is not readable, only {min} is")
            }
            Self::Version { found, min, max } => {
                write!(f, "version {found} is not readable, {min} to {max} are")
            }
            Self::MustBe { expected, found } => {
                write!(f, "must be {expected:#x}, found {found:#x}")
            }
            Self::Checksum { expected, found } => {
                write!(
                    f,
                    "checksum does not match: {expected:08x} is stored, {found:08x} computed"
                )
            }
            Self::Unknown { found } => write!(f, "{found} is no known value"),
            Self::NotInVersion {
                found,
                version,
                since,
                until,
            } => {
                write!(f, "value {found} is not of version {version}: ")?;
                match (since, until) {
                    (0 | 1, until) => write!(f, "only up to version {until}"),
                    (since, u32::MAX) => write!(f, "it needs version {since}"),
                    (since, until) => write!(f, "only of versions {since} to {until}"),
                }
            }
            Self::TooSmall { found, limit } => {
                write!(f, "{found} is below the least value {limit}")
            }
            Self::TooLarge { found, limit } => write!(f, "{found} is above the limit {limit}"),
            Self::Utf8 { valid_up_to } => write!(f, "not UTF-8 from byte {valid_up_to} of it on"),
            Self::Tag { found } => write!(f, "tag byte must be 0 or 1, found {found}"),
            Self::Varint => f.write_str("varint does not end or does not fit"),
            Self::Presence { expected: true } => f.write_str("must be there and is not"),
            Self::Presence { expected: false } => f.write_str("must not be there and is"),
            Self::Refused { rule, found } => write!(f, "{rule}; found {found}"),
            Self::Changed => f.write_str("the bytes changed while they were read"),
        }
    }
}

/// Up to eight bytes, for the magics in a [`Fault::Magic`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bytes8 {
    len: u8,
    bytes: [u8; 8],
}

impl Bytes8 {
    /// The first eight bytes of `from`, or all when it has fewer.
    #[must_use]
    pub fn of(from: &[u8]) -> Self {
        let mut out = Self {
            len: 0,
            bytes: [0; 8],
        };
        for (to, &byte) in out.bytes.iter_mut().zip(from) {
            *to = byte;
            out.len += 1;
        }
        out
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The first four bytes as a big-endian number, as specifications write a magic.
    #[must_use]
    pub const fn be_u32(&self) -> u32 {
        let [a, b, c, d, ..] = self.bytes;
        u32::from_be_bytes([a, b, c, d])
    }
}

impl fmt::Display for Bytes8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        if !self.as_bytes().is_empty() && self.as_bytes().iter().all(u8::is_ascii_graphic) {
            f.write_str(" \"")?;
            for &byte in self.as_bytes() {
                write!(f, "{}", char::from(byte))?;
            }
            f.write_str("\"")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bytes8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

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
