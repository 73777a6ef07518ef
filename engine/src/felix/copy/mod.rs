//! Copying shards and data directories, live ones too.
//!
//! A copy is a log of its own: segments share blocks with the original where the file system can do that, and are never
//! links, so that whatever becomes of one leaves the other alone. It ends where the original is known to be flushed, every
//! record in it was checked on the way, its sidecars are decoded and written anew, and a data directory gets a storage id
//! that no other has.
//!
//! The original is only read: no lock is taken, nothing in it is changed.
//!
//! ```
//! use ondisk_engine::felix::copy::{CopySettings, copy_to};
//! use ondisk_engine::felix::log::{Config, Log};
//! # use ondisk_engine::felix::log::Entry;
//! # let place = tempfile::tempdir()?;
//! # let path = place.path().join("shard");
//! # let log = Log::open(&path, Config::default())?;
//! # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
//! # log.close()?;
//!
//! # let target = place.path().join("copy");
//! let copied = copy_to(&path, &target, &CopySettings::default())?;
//! assert_eq!((copied.base, copied.tail, copied.left), (0, 2, 0));
//! let copy = Log::open(&target, Config::default())?;
//! assert_eq!(copy.tail(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod root;
mod segments;
mod shard;
mod sidecars;
mod target;

pub use error::CopyError;
pub use root::{CopiedRoot, copy_root};
pub use shard::{CopiedShard, copy_shard};

use std::path::Path;
use std::sync::Arc;

use super::error::StorageError;
use super::segment::Access;
use crate::disk::Directory;
use crate::disk::real::RealDirectory;

/// How a copy is made.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use ondisk_engine::felix::copy::{CopySettings, copy_to};
/// use ondisk_engine::felix::segment::Access;
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// # let target = place.path().join("copy");
/// let checked = AtomicU64::new(0);
/// let settings = CopySettings {
///     access: Access {
///         progress: Some(&|bytes| drop(checked.fetch_add(bytes, Ordering::Relaxed))),
///         ..Access::default()
///     },
///     ..CopySettings::default()
/// };
/// let copied = copy_to(&path, &target, &settings)?;
/// assert_eq!(checked.into_inner(), copied.bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CopySettings<'p> {
    /// Where the copy ends.
    pub extent: Extent,
    /// Record bytes between two entries of an index, at least 1.
    pub index_spacing_bytes: u64,
    /// How the copy is read back while it is checked, and who is told of the bytes.
    pub access: Access<'p>,
}

impl Default for CopySettings<'_> {
    fn default() -> Self {
        Self {
            extent: Extent::Durable,
            index_spacing_bytes: 4096,
            access: Access::default(),
        }
    }
}

/// Where a copy ends.
///
/// ```
/// use ondisk_engine::felix::copy::{CopySettings, Extent, copy_to};
/// use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log};
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// let config = Config {
///     fsync: FsyncMode::None,
///     ..Config::default()
/// };
/// let log = Log::open(&path, config)?;
/// log.append(&[Entry::new(b"flushed")])?;
/// log.sync()?;
/// log.append(&[Entry::new(b"in the page cache")])?;
/// for (extent, tail) in [(Extent::Durable, 1), (Extent::Tail, 2)] {
///     let target = place.path().join(format!("up to {tail}"));
///     let settings = CopySettings {
///         extent,
///         ..CopySettings::default()
///     };
///     assert_eq!(copy_to(&path, &target, &settings)?.tail, tail);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Where the durable mark says that all is flushed; at the last record where there is no mark.
    #[default]
    Durable,
    /// At the last record that is there, flushed or not.
    Tail,
}

/// Copies the shard at `source` to `target`, which is not there or empty. Leaves nothing there when it fails.
///
/// # Errors
/// [`CopyError::Damaged`] for a shard that does not open, or that may have lost what it acknowledged;
/// [`StorageError::Io`] for what the system reports, of kind `AlreadyExists` for a target that holds something.
pub fn copy_to(
    source: impl AsRef<Path>,
    target: impl AsRef<Path>,
    settings: &CopySettings<'_>,
) -> Result<CopiedShard, CopyError> {
    let (source, target) = open(source.as_ref(), target.as_ref())?;
    copy_shard(&source, &target, settings)
}

/// Copies the data directory at `source` in the same way, and tells of each shard when it is there.
///
/// # Errors
/// Those of [`copy_to`].
pub fn copy_root_to(
    source: impl AsRef<Path>,
    target: impl AsRef<Path>,
    settings: &CopySettings<'_>,
) -> Result<CopiedRoot, CopyError> {
    let (source, target) = open(source.as_ref(), target.as_ref())?;
    copy_root(&source, &target, settings, &mut |_| {})
}

type Pair = (Arc<dyn Directory>, Arc<dyn Directory>);

fn open(source: &Path, target: &Path) -> Result<Pair, StorageError> {
    let from = RealDirectory::open(source).map_err(StorageError::io(source, "open"))?;
    let to = RealDirectory::create_all(target).map_err(StorageError::io(target, "create"))?;
    Ok((from, to))
}
