//! The sidecars of a copy: what the original's say, written anew.

use std::io;
use std::sync::Arc;

use ondisk::felix::Producers;
use ondisk::felix::name::Sidecar;

use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::opening::Sidecars;
use crate::felix::sidecar::{Loaded, ballot, epochs, manifest, producers, replica};

/// Refuses to go on without a file that an open does without, but that may well be there: the history of generations and the
/// mark. What the disk does not read now is no reason to copy less, or more than is known to be flushed, and to call that
/// the whole.
pub(super) fn are_read(
    sidecars: &Sidecars,
    source: &Arc<dyn Directory>,
) -> Result<(), StorageError> {
    let unread = [
        (Sidecar::Epochs, unread(&sidecars.epochs)),
        (Sidecar::DurableMark, unread(&sidecars.mark)),
    ];
    match unread
        .into_iter()
        .find_map(|(file, why)| Some((file, why?)))
    {
        None => Ok(()),
        Some((file, why)) => {
            let path = source.path().join(file.file_name());
            Err(StorageError::io(path, "read")(io::Error::other(why)))
        }
    }
}

fn unread<T>(loaded: &Loaded<T>) -> Option<&str> {
    match loaded {
        Loaded::Unreadable(why) => Some(why),
        _ => None,
    }
}

/// Writes them for a log from `base` to `tail`. What is derived and damaged is left out, and the key index too, which an
/// open builds anew; the mark comes last, by itself.
pub(super) fn store(
    sidecars: &Sidecars,
    target: &Arc<dyn Directory>,
    base: u64,
    tail: u64,
) -> Result<(), StorageError> {
    let directory = &**target;
    let store = || -> io::Result<()> {
        if sidecars.epochs.sound().is_some() {
            epochs::store(directory, &epochs::up_to(&sidecars.epochs, tail))?;
        }
        if let Some(value) = sidecars.replica.sound() {
            replica::store(directory, value)?;
        }
        if let Some(value) = sidecars.ballot.sound() {
            ballot::store(directory, value)?;
        }
        if let Some(entries) = sidecars.manifest.sound() {
            manifest::store(directory, entries)?;
        }
        let snapshot = sidecars.producers.sound();
        if let Some(snapshot) = snapshot.filter(|snapshot| snapshot.is_usable(base, tail)) {
            producers::store(directory, &without_digests(&snapshot.producers))?;
        }
        Ok(())
    };
    store().map_err(StorageError::io(target.path(), "write sidecars in"))
}

/// Digests are read of a later version, and none are written.
fn without_digests(snapshot: &Producers) -> Producers {
    let mut snapshot = snapshot.clone();
    if let Some(open) = &mut snapshot.open {
        open.digest = None;
    }
    let batches = snapshot
        .producers
        .iter_mut()
        .flat_map(|producer| &mut producer.batches);
    for batch in batches {
        batch.digest = None;
    }
    snapshot
}
