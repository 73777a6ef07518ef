//! Why a copy was not made.

use std::path::PathBuf;

use crate::felix::error::StorageError;

/// Why a copy was not made.
///
/// ```
/// use std::io::Write;
///
/// use ondisk_engine::felix::copy::{CopyError, CopySettings, copy_to};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// # let target = place.path().join("copy");
/// let segment = path.join("00000000000000000000.log");
/// std::fs::File::options().write(true).open(segment)?.write_all(b"not a segment")?;
/// let refused = copy_to(&path, &target, &CopySettings::default());
/// assert!(matches!(refused, Err(CopyError::Damaged { .. })));
/// // Nothing is left there.
/// assert_eq!(std::fs::read_dir(&target)?.count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
