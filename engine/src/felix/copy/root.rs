//! Copying a whole data directory.

use std::io;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::name::MarkerName;

use super::error::CopyError;
use super::target::Target;
use super::{CopiedShard, CopySettings, shard};
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::sidecar::store::{Durability, encoded, replace};
use crate::felix::store::{FileState, Marker, Root, StartCategory, new_storage_id};

/// A data directory that was copied.
///
/// ```
/// use ondisk::felix::name::ShardKey;
/// use ondisk_engine::felix::copy::{CopySettings, copy_root_to};
/// use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// # let place = tempfile::tempdir()?;
/// # let (path, target) = (place.path().join("data"), place.path().join("copy"));
/// let store = Store::open(&path, StoreConfig::default())?;
/// store.shard(&ShardKey::new("acme", "default", "orders", 0))?;
/// let copied = copy_root_to(&path, &target, &CopySettings::default())?;
/// assert_eq!(copied.shards.len(), 1);
/// // It never passes for its original.
/// assert_ne!(Some(copied.storage_id), store.storage_id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedRoot {
    /// The shards, store by store.
    pub shards: Vec<CopiedShard>,
    /// Stream markers.
    pub markers: u64,
    /// The id of the copy.
    pub storage_id: [u8; 16],
}

/// Copies a data directory into an empty directory, and leaves nothing there when it fails. `each` is told of every shard
/// when it is there.
///
/// Each shard is copied as it is at one moment, one after the other. The copy is a directory that never ran and is not
/// registered: it has a storage id of its own, and neither `run-state`, `registration` nor `node-id`, under which it would
/// pass for the original. Bins and what is not ours stay behind.
///
/// # Errors
/// Those of [`copy_to`](super::copy_to); [`CopyError::Damaged`] for a file of identity or a marker that does not decode,
/// and for what an old build's compaction left, since an open of the original may still put it in place of a shard.
pub fn copy_root(
    source: &Arc<dyn Directory>,
    target: &Arc<dyn Directory>,
    settings: &CopySettings<'_>,
    each: &mut dyn FnMut(&CopiedShard),
) -> Result<CopiedRoot, CopyError> {
    let root = Root::look(Arc::clone(source))?;
    refuse(&root)?;
    let taken = Target::take(target)?;
    let mut shards = Vec::with_capacity(root.shards.len());
    for found in &root.shards {
        let from = match root.open_shard(found) {
            // Deleted since it was listed.
            Err(error) if is_gone(&error) => continue,
            opened => opened?,
        };
        let store = match found.store.directory() {
            Some(store) => entered(target, store)?,
            None => Arc::clone(target),
        };
        let into = entered(&store, &found.name)?;
        let copied = CopiedShard {
            path: found.path.clone(),
            ..shard::into(&from, &into, settings)?
        };
        each(&copied);
        shards.push(copied);
    }
    for marker in &root.markers {
        copy_marker(target, marker)?;
    }
    // Last: until then it is no data directory yet.
    let storage_id = new_storage_id(&**target)?;
    taken.finish();
    Ok(CopiedRoot {
        shards,
        markers: root.markers.len() as u64,
        storage_id,
    })
}

fn refuse(root: &Root) -> Result<(), CopyError> {
    let path = root.path();
    let damaged = |name: &str, what: String| {
        Err(CopyError::Damaged {
            path: path.join(name),
            what,
        })
    };
    match root.category(false) {
        StartCategory::OpenOk => {}
        category => {
            let what = category.to_string();
            return Err(CopyError::Damaged { path, what });
        }
    }
    let odd = |marker: &&Marker| marker.state.sound().is_none();
    if let Some(marker) = root.markers.iter().find(odd) {
        return damaged(&marker.path, marker.state.name().to_owned());
    }
    if let Some(leftover) = root.leftovers.first() {
        return damaged(leftover, "left by an old build's compaction".to_owned());
    }
    Ok(())
}

fn copy_marker(target: &Arc<dyn Directory>, marker: &Marker) -> Result<(), StorageError> {
    let (FileState::Sound(value), Some(name)) = (&marker.state, MarkerName::parse(&marker.name))
    else {
        return Ok(());
    };
    let mut directory = Arc::clone(target);
    for component in Path::new(&marker.path).parent().into_iter().flatten() {
        directory = entered(&directory, &component.to_string_lossy())?;
    }
    let path = directory.path().join(&marker.name);
    encoded(value)
        .and_then(|bytes| {
            let temporary = name.temporary();
            replace(
                &*directory,
                &marker.name,
                &temporary,
                &bytes,
                Durability::Synced,
            )
        })
        .map_err(StorageError::io(path, "write"))
}

/// A directory in another one, made durably if it is missing.
fn entered(directory: &Arc<dyn Directory>, name: &str) -> Result<Arc<dyn Directory>, StorageError> {
    let enter = || match directory.create_directory(name) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => directory.directory(name),
        created => {
            directory.sync()?;
            created
        }
    };
    enter().map_err(StorageError::io(directory.path().join(name), "create"))
}

fn is_gone(error: &StorageError) -> bool {
    matches!(error, StorageError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
}
