//! What a call of the engine fails with (Felix 16.3).

use std::io;
use std::path::PathBuf;

use super::{Corruption, SidecarDamage};

/// Why a call failed.
///
/// ```
/// use ondisk_engine::felix::error::StorageError;
/// use ondisk_engine::felix::log::{Bound, Config, Log};
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let log = Log::open(path, Config { open_at: 100, ..Config::default() })?;
/// let from = match log.read(7, Bound::Tail) {
///     // What was there is gone: go on with what is.
///     Err(StorageError::Trimmed { oldest, .. }) => oldest,
///     read => read.map(|_| 7)?,
/// };
/// assert_eq!(from, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// What was asked for cannot be done here.
    #[error("not supported: {what}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
    },
    /// A setting has a value that cannot work.
    #[error("setting {setting} has a value that cannot work")]
    InvalidConfig {
        /// Name of the setting.
        setting: &'static str,
    },
    /// An empty batch, or offsets that do not fit.
    #[error("the range is empty or does not fit")]
    InvalidRange,
    /// A read below the base of the log.
    #[error("offset {requested} is gone, the oldest is {oldest}")]
    Trimmed {
        /// The offset asked for.
        requested: u64,
        /// The oldest offset that can be read.
        oldest: u64,
    },
    /// A shard, segment or object is not there.
    #[error("{what} is not there")]
    NotFound {
        /// What is missing.
        what: String,
    },
    /// The log is damaged.
    #[error(transparent)]
    Corruption(#[from] Corruption),
    /// An authoritative file that does not decode. Nothing else can rebuild it, so the open fails.
    #[error("{file} of shard {shard} is damaged and cannot be done without: {damage}")]
    Sidecar {
        /// Name of the file.
        file: &'static str,
        /// Label of the shard, or the path of its directory where no key is known.
        shard: String,
        /// What is wrong with it.
        damage: SidecarDamage,
    },
    /// A flush failed, or the log was poisoned by one that did. Nothing more is acknowledged until it is reopened.
    #[error("a flush failed; nothing more is acknowledged until the log is reopened")]
    SyncFailed,
    /// A truncation that would drop records which a majority holds.
    #[error("offset {offset} lies below the commit {commit}")]
    BelowCommit {
        /// The lowest offset that would be dropped.
        offset: u64,
        /// One past the newest committed record.
        commit: u64,
    },
    /// An offset that is not one of the log.
    #[error("offset {offset} lies outside the log, which is {base} to {tail}")]
    OutsideLog {
        /// The offset asked for.
        offset: u64,
        /// The oldest offset.
        base: u64,
        /// One past the newest offset.
        tail: u64,
    },
    /// A truncation or reset cut below the reader.
    #[error("the log was cut back to {to}")]
    Rewound {
        /// Where the log ends now.
        to: u64,
    },
    /// A call after the log was closed.
    #[error("shard {shard} is closed")]
    Closed {
        /// Label of the shard.
        shard: String,
    },
    /// A directory that belongs to another shard. Raised by later builds only.
    #[error("{} holds shard {found}, not {expected}", dir.display())]
    ShardMismatch {
        /// The directory.
        dir: PathBuf,
        /// The shard that was opened.
        expected: String,
        /// The shard that it holds.
        found: String,
    },
    /// Everything else that the system reports.
    #[error("cannot {operation} {}: {source}", path.display())]
    Io {
        /// What the system says.
        source: io::Error,
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        operation: &'static str,
    },
}

impl StorageError {
    /// Wraps what the system said about `path`; used as `map_err(StorageError::io(path, "read"))`.
    pub(crate) fn io(
        path: impl Into<PathBuf>,
        operation: &'static str,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            source,
            path,
            operation,
        }
    }
}
