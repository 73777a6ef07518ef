//! What is wrong, with what is right beside it.

use core::fmt;

use super::Bytes8;

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
