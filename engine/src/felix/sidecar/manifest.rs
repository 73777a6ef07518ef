//! `offload.manifest`: copies in the object store (Felix 11.6).

use std::io;

use ondisk::felix::name::Sidecar;
use ondisk::felix::{Manifest, ManifestEntry};

use super::Loaded;
use super::file::{authoritative, counted};
use super::store::{Durability, sidecar};
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::shard::Shard;

/// Reads the entries of the manifest, by base offset; in the file they may stand in any order.
///
/// # Errors
/// [`StorageError::Io`] when the system does not read it.
pub fn load(shard: &Shard) -> Result<Loaded<Vec<ManifestEntry>>, StorageError> {
    authoritative(shard, Sidecar::Manifest, counted(256 << 20), |bytes| {
        let view = Manifest::view(&bytes)?;
        let mut entries: Vec<ManifestEntry> = view
            .entries()
            .iter()
            .map(|entry| entry.to_value())
            .collect();
        entries.sort_by_key(|entry| entry.base_offset);
        Ok(entries)
    })
}

/// Stores these entries, by base offset.
///
/// # Errors
/// Whatever the disk reports; of kind `InvalidInput` for entries that would not read back, such as two that overlap.
pub fn store(directory: &dyn Directory, entries: &[ManifestEntry]) -> io::Result<()> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|entry| entry.base_offset);
    let manifest = Manifest { entries };
    sidecar(directory, Sidecar::Manifest, &manifest, Durability::Synced)
}
