//! Damage in sidecars (Felix 16.2).

use ondisk::felix::{Epochs, KeyIndex, Manifest, ManifestEntry, NodeId, OpenBatch, Producers};
use ondisk::{Error, Fault, Kind};

use super::narrow;

/// What is wrong with a file that lies beside the segments, or at the root of a data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SidecarDamage {
    /// It ends too early.
    #[error("needs {needed} bytes, {available} are there")]
    Short {
        /// Bytes needed.
        needed: u64,
        /// Bytes there.
        available: u64,
    },
    /// It is longer than it says or may be.
    #[error("must be {expected} bytes long, is {found}")]
    Length {
        /// Bytes that it must have, or may have at most.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// It begins with another magic.
    #[error("magic {found:08x} is not that of this file")]
    Magic {
        /// The magic met.
        found: u32,
    },
    /// It is of a version that this build does not read.
    #[error("version {found} is not readable")]
    Version {
        /// The version met.
        found: u32,
    },
    /// It does not match its checksum.
    #[error("checksum is {expected:08x}, the bytes give {found:08x}")]
    Checksum {
        /// As stored.
        expected: u32,
        /// As computed.
        found: u32,
    },
    /// A field has a value that it cannot have, or does not fit what is around it.
    #[error("field {name} is wrong")]
    Field {
        /// Name of the field.
        name: &'static str,
    },
}

impl SidecarDamage {
    /// What an error of any sidecar's definition means.
    pub(crate) fn of(error: Error) -> Self {
        match (error.row(), error.fault()) {
            (_, Fault::Short { needed, available }) => Self::Short { needed, available },
            (_, Fault::Length { expected, found }) => Self::Length { expected, found },
            (_, Fault::Magic { found, .. }) => Self::Magic {
                found: found.be_u32(),
            },
            (_, Fault::Version { found, .. }) => Self::Version { found },
            (_, Fault::Checksum { expected, found }) => Self::Checksum {
                expected: narrow(expected, u32::MAX),
                found: narrow(found, u32::MAX),
            },
            // A count that is too high shows at the entries that it counts.
            ("entries", Fault::Overrun { .. }) => Self::Field { name: "count" },
            ("", _) => Self::Field {
                name: whole(error.kind()),
            },
            (name, _) => Self::Field { name },
        }
    }

    /// The variant's name, as reports spell it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Short { .. } => "Short",
            Self::Length { .. } => "Length",
            Self::Magic { .. } => "Magic",
            Self::Version { .. } => "Version",
            Self::Checksum { .. } => "Checksum",
            Self::Field { .. } => "Field",
        }
    }
}

/// What a check of a whole kind is about.
fn whole(kind: &'static Kind) -> &'static str {
    if kind == Producers::KIND {
        // Open or complete, they must fit below `as_of`.
        "batches"
    } else if kind == OpenBatch::KIND {
        "open"
    } else if kind == Epochs::KIND || kind == Manifest::KIND || kind == KeyIndex::KIND {
        // Their order, or bytes behind them.
        "entries"
    } else if kind == ManifestEntry::KIND {
        "last_offset"
    } else if kind == NodeId::KIND {
        "node-id"
    } else {
        kind.name
    }
}
