//! `epochs`: where each generation began (Felix 11.2).

use std::io;

use ondisk::felix::name::Sidecar;
use ondisk::felix::{EpochEntry, Epochs};

use super::Loaded;
use super::file::{Look, derived};
use super::store::{Durability, sidecar};
use crate::disk::Directory;
use crate::felix::shard::Shard;

/// Entries that are written at most, the newest ones (Felix 1.4).
pub const EPOCHS_KEPT: usize = 512;

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

/// Stores the newest [`EPOCHS_KEPT`] of these entries.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk::felix::EpochEntry;
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::sidecar::epochs;
///
/// let directory = Arc::new(MemoryDirectory::new("shard"));
/// let entry = |generation, start_offset| EpochEntry { generation, start_offset };
/// epochs::store(&*directory, &[entry(1, 0), entry(2, 10)])?;
/// let loaded = epochs::load(&Shard::look(directory, None)?);
/// // Of a log that ends at 5 only one is left.
/// assert_eq!(epochs::up_to(&loaded, 5), [entry(1, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Whatever the disk reports.
pub fn store(directory: &dyn Directory, entries: &[EpochEntry]) -> io::Result<()> {
    let surplus = entries.len().saturating_sub(EPOCHS_KEPT);
    let epochs = Epochs {
        entries: entries[surplus..].to_vec(),
    };
    sidecar(directory, Sidecar::Epochs, &epochs, Durability::Synced)
}
