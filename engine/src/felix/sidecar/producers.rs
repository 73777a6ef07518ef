//! `producers`: the producer snapshot (Felix 11.5).

use std::io;

use ondisk::felix::Producers;
use ondisk::felix::name::Sidecar;

use super::Loaded;
use super::file::{counted, derived};
use super::store::{Durability, sidecar};
use crate::disk::Directory;
use crate::felix::shard::Shard;

/// A producer snapshot and the version that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Version of the file; the digests of version 2 are read and not acted on.
    pub version: u32,
    /// What it says.
    pub producers: Producers,
}

impl Snapshot {
    /// Whether it is a snapshot of this log, so that only later records are to be fed.
    #[must_use]
    pub fn is_usable(&self, base: u64, tail: u64) -> bool {
        (base..=tail).contains(&self.producers.as_of)
    }
}

/// Reads the snapshot.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<Snapshot> {
    derived(shard, Sidecar::Producers, counted(64 << 20), |bytes| {
        let view = Producers::view(&bytes)?;
        Ok(Snapshot {
            version: view.version().into(),
            producers: view.to_value(),
        })
    })
}

/// Stores a snapshot, not flushed: one that is lost costs a longer open.
///
/// # Errors
/// Whatever the disk reports; of kind `InvalidInput` for a value that would not read back.
pub fn store(directory: &dyn Directory, producers: &Producers) -> io::Result<()> {
    sidecar(
        directory,
        Sidecar::Producers,
        producers,
        Durability::Unsynced,
    )
}
