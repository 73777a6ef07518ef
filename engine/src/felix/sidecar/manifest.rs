//! `offload.manifest`: copies in the object store (Felix 11.6).

use ondisk::felix::name::Sidecar;
use ondisk::felix::{Manifest, ManifestEntry};

use super::Loaded;
use super::file::{authoritative, counted};
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
