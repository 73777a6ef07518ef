//! Moving directories to the bin (Felix 11.11).

use std::io;
use std::sync::Arc;

use ondisk::felix::StreamMarker;
use ondisk::felix::name::{self, BinName, MarkerName, ShardDirectory, StoreEntry};

use super::directories::{Directories, sync};
use super::family::Family;
use super::layout::{enter, entries};
use super::marker;
use crate::disk::{Directory, EntryKind, Replace};
use crate::felix::error::StorageError;

/// Moves the directories of `owner` whose incarnation is `gone` to the bin, durably; also what an old build's compaction
/// left beside them, which would stand for them otherwise. Returns how many.
pub(super) fn throw_away(
    directories: &Directories,
    family: Family,
    owner: MarkerName<'_>,
    gone: impl Fn(u64) -> bool,
) -> Result<usize, StorageError> {
    let mut moved = 0;
    let mut sources = Vec::new();
    for &store in family.stores() {
        let Some(source) = directories.find(store.directory().unwrap_or_default())? else {
            continue;
        };
        for entry in entries(&*source)? {
            let Some(name) = entry.name.to_str() else {
                continue;
            };
            let shard = match StoreEntry::of(store, name) {
                StoreEntry::Shard(shard)
                | StoreEntry::Compacting(shard)
                | StoreEntry::Retired(shard) => shard,
                _ => continue,
            };
            let wanted = owner.owns(shard) && gone(shard.incarnation());
            // Under another kind it is foreign, and left alone.
            if wanted && entry.kind == EntryKind::Directory {
                let bin = directories.make(family.bin())?;
                throw(&source, name, &*bin, store, shard)?;
                moved += 1;
            }
        }
        sources.push(source);
    }
    // Though nothing was moved now: an earlier attempt may not have come to this. The sources first: a crash after the sync of
    // one of the two directories of a move may bring its half alone. A shard that is in its place and in the bin would be
    // emptied where it is used; one that is in neither was to go.
    for source in sources {
        sync(&*source)?;
    }
    if let Some(bin) = directories.find(family.bin())? {
        sync(&*bin)?;
    }
    Ok(moved)
}

/// Finishes the delete that a marker tells of: what is deleted goes to the bin, then the marker says so. Returns what it
/// says, and how many directories were moved.
pub(super) fn finish(
    directories: &Directories,
    family: Family,
    owner: MarkerName<'_>,
    unfinished: &StreamMarker,
) -> Result<(StreamMarker, usize), StorageError> {
    let through = unfinished.deleted_through;
    let is_gone = |incarnation| through.is_some_and(|through| incarnation <= through);
    let moved = throw_away(directories, family, owner, is_gone)?;
    let finished = StreamMarker {
        // An incarnation above what is deleted is held on.
        incarnation: unfinished.incarnation.filter(|&held| !is_gone(held)),
        deleting: false,
        deleted_through: through,
    };
    marker::save(directories, family, owner, &finished)?;
    Ok((finished, moved))
}

/// Moves one directory under the first name that is free. Somebody who writes to it keeps it from being moved.
fn throw(
    source: &Arc<dyn Directory>,
    name: &str,
    bin: &dyn Directory,
    store: name::Store,
    shard: ShardDirectory<'_>,
) -> Result<(), StorageError> {
    let path = source.path().join(name);
    let _lock = enter(source, name)?
        .lock()
        .map_err(StorageError::io(&path, "lock"))?;
    let mut number = 0;
    loop {
        let to = BinName {
            store,
            shard,
            number,
        };
        match source.rename(name, bin, &to.to_string(), Replace::No) {
            Ok(()) => {
                tracing::debug!(from = %path.display(), %to, "moved to the bin");
                return Ok(());
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(StorageError::io(path, "move")(error)),
        }
    }
}
