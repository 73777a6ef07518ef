//! Which segments have copies in the object store (Felix 11.6).

use std::io;
use std::sync::{Mutex, PoisonError};

use ondisk::felix::ManifestEntry;

use crate::disk::Directory;
use crate::felix::sidecar::manifest;

/// The manifest of an open log. Authoritative: once a local segment is gone, its entry is all that says its records
/// exist.
#[derive(Debug)]
pub(super) struct OffloadManifest(Mutex<Vec<ManifestEntry>>);

impl OffloadManifest {
    /// As it was read at the open.
    pub(super) fn new(entries: Vec<ManifestEntry>) -> Self {
        Self(Mutex::new(entries))
    }

    /// The entries.
    pub(super) fn entries(&self) -> Vec<ManifestEntry> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Drops the entries that hold offsets at or above `offset`, durably; nothing is written when there are none.
    pub(super) fn truncate_from(&self, directory: &dyn Directory, offset: u64) -> io::Result<()> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept: Vec<_> = entries
            .iter()
            .filter(|entry| entry.last_offset < offset)
            .cloned()
            .collect();
        if kept.len() < entries.len() {
            manifest::store(directory, &kept)?;
            *entries = kept;
        }
        Ok(())
    }
}
