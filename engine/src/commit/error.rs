//! Why records do not become durable.

/// What a commit ends with instead of durability.
///
/// ```
/// use ondisk_engine::felix::log::{CommitError, Config, Entry, FsyncMode, Log};
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let config = Config {
///     fsync: FsyncMode::OnCommit,
///     ..Config::default()
/// };
/// let log = Log::open(path, config)?;
/// let commit = log.append(&[Entry::new(b"a"), Entry::new(b"b")])?;
/// log.truncate(1)?;
/// log.append(&[Entry::new(b"another one at its offset")])?.wait()?;
/// assert_eq!(commit.wait(), Err(CommitError::Rewound { to: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// A sync failed, or returned again and again without covering the records. Whether they are on the disk is not known;
    /// the next open finds out.
    #[error("a sync of the log failed")]
    SyncFailed,
    /// The log was cut back below the end of the records, or emptied: they are gone. Others may have taken their offsets.
    #[error("the records were cut off, and the log goes on at {to}")]
    Rewound {
        /// Where the log ended after the cut.
        to: u64,
    },
    /// The log was closed first.
    #[error("the log is closed")]
    Closed,
}
