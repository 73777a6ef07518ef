//! `epochs`: where each generation began (Felix 11.2).

use ondisk::felix::name::Sidecar;
use ondisk::felix::{EpochEntry, Epochs};

use super::Loaded;
use super::file::{Look, derived};
use crate::felix::shard::Shard;

/// Bytes looked at: as many entries as the count can say.
const LOOKED_AT: u64 = (Epochs::MIN + u16::MAX as usize * EpochEntry::MIN) as u64;

/// Reads the history of generations, oldest first. One that is longer than what is written is read whole.
#[must_use]
pub fn load(shard: &Shard) -> Loaded<Vec<EpochEntry>> {
    derived(shard, Sidecar::Epochs, Look::First(LOOKED_AT), |bytes| {
        Ok(Epochs::view(&bytes)?
            .entries()
            .iter()
            .map(|entry| entry.to_value())
            .collect())
    })
}

/// The history of a log that ends at `tail`: entries that start past it are of records that are gone (Felix 7.9).
#[must_use]
pub fn up_to(loaded: &Loaded<Vec<EpochEntry>>, tail: u64) -> Vec<EpochEntry> {
    let entries = loaded.sound().map_or(&[][..], Vec::as_slice);
    entries
        .iter()
        .filter(|entry| entry.start_offset <= tail)
        .copied()
        .collect()
}
