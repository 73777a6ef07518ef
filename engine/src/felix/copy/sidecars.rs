//! The sidecars of a copy: what the original's say, written anew.

use std::sync::Arc;

use ondisk::felix::Producers;

use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::opening::Sidecars;
use crate::felix::sidecar::{ballot, epochs, manifest, producers, replica};

/// Writes them for a log from `base` to `tail`. What is derived and damaged is left out, and the key index too, which an
/// open builds anew; the mark comes last, by itself.
pub(super) fn store(
    sidecars: &Sidecars,
    target: &Arc<dyn Directory>,
    base: u64,
    tail: u64,
) -> Result<(), StorageError> {
    let directory = &**target;
    let store = || -> std::io::Result<()> {
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
