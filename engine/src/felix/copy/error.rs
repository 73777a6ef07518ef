//! Why a copy was not made.

use std::path::PathBuf;

use crate::felix::error::StorageError;

/// Why a copy was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// The original is damaged, so that a copy would hide it.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The shard, or the file at the top of a data directory.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// All else.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
