//! What an old build's compaction left beside cache and counter shards (Felix 2.6).

use std::io;
use std::sync::Arc;

use super::directories::{entered, sync};
use crate::disk::{Directory, EntryKind, Replace};
use crate::felix::error::StorageError;

/// Puts a shard that was set aside back in its place, and removes the rest, before the shard opens.
pub(super) fn clear(store: &Arc<dyn Directory>, shard: &str) -> Result<(), StorageError> {
    let compacting = format!("{shard}.compacting");
    let retired = format!("{shard}.retired");
    if !is_directory(&**store, shard)? {
        if !is_directory(&**store, &retired)? {
            return Ok(());
        }
        store
            .rename(&retired, &**store, shard, Replace::No)
            .map_err(StorageError::io(store.path().join(&retired), "move back"))?;
        sync(&**store)?;
        tracing::warn!(
            shard,
            "an unfinished compaction had set the shard aside; it is back"
        );
    }
    for name in [compacting, retired] {
        if is_directory(&**store, &name)? {
            remove(store, &name)?;
            tracing::info!(name, "left by a compaction of an old build, removed");
        }
    }
    Ok(())
}

/// Removes a shard directory; nothing in one is a directory.
fn remove(store: &Arc<dyn Directory>, name: &str) -> Result<(), StorageError> {
    let path = store.path().join(name);
    let Some(directory) = entered(store, name)? else {
        return Ok(());
    };
    let emptied = || -> io::Result<()> {
        for entry in directory.entries()? {
            let name = entry.name.to_str();
            let name = name.ok_or_else(|| io::Error::other("a name in it is not UTF-8"))?;
            directory.unlink(name)?;
        }
        store.remove_directory(name)
    };
    emptied().map_err(StorageError::io(path, "remove"))
}

/// Whether a real directory has the name; under another kind it is foreign.
fn is_directory(store: &dyn Directory, name: &str) -> Result<bool, StorageError> {
    match store.stat(name) {
        Ok((kind, _)) => Ok(kind == EntryKind::Directory),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StorageError::io(store.path().join(name), "look at")(error)),
    }
}
