//! Copying shards and data directories, live ones too.
//!
//! A copy is a log of its own: segments share blocks with the original where the file system can do that, and are never
//! links, so that whatever becomes of one leaves the other alone. It ends where the original is known to be flushed, every
//! record in it was checked on the way, its sidecars are decoded and written anew, and a data directory gets a storage id
//! that no other has.
//!
//! The original is only read: no lock is taken, nothing in it is changed.

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
