//! Why a call is refused.

use ondisk_engine::felix::error::StorageError;

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    Closed,
    SyncFailed,
    InvalidRange,
    InvalidInput,
    Unsupported,
    BelowCommit { offset: u64, commit: u64 },
    OutsideLog { offset: u64, base: u64, tail: u64 },
    Other(String),
}

impl Refused {
    pub fn of(error: StorageError) -> Self {
        match error {
            StorageError::Closed { .. } => Self::Closed,
            StorageError::SyncFailed => Self::SyncFailed,
            StorageError::InvalidRange => Self::InvalidRange,
            StorageError::Unsupported { .. } => Self::Unsupported,
            StorageError::BelowCommit { offset, commit } => Self::BelowCommit { offset, commit },
            StorageError::OutsideLog { offset, base, tail } => {
                Self::OutsideLog { offset, base, tail }
            }
            StorageError::Io { source, .. }
                if source.kind() == std::io::ErrorKind::InvalidInput =>
            {
                Self::InvalidInput
            }
            other => Self::Other(other.to_string()),
        }
    }
}
