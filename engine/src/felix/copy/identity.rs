//! A new identity for a data directory (Felix 11.8).

use std::io;

use ondisk::felix::StorageId;
use ondisk::felix::name::IdentityFile;

use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::sidecar::store::{Durability, encoded, replace};

/// Gives the data directory a storage id that no other has, durably: for a copy, which must not pass for its original,
/// and for one that may have lost what it acknowledged.
///
/// A `storage-id` that is there is replaced, whatever it holds; who must not replace one of another build's layout looks
/// at it first.
///
/// # Errors
/// [`StorageError::Io`]. The directory has the old id then, or the new one.
pub fn new_storage_id(root: &dyn Directory) -> Result<StorageId, StorageError> {
    let file = IdentityFile::StorageId;
    let make = || -> io::Result<StorageId> {
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| io::Error::other(error.to_string()))?;
        let id = StorageId { id };
        replace(
            root,
            file.file_name(),
            file.temporary_name(),
            &encoded(&id)?,
            Durability::Synced,
        )?;
        Ok(id)
    };
    make().map_err(StorageError::io(
        root.path().join(file.file_name()),
        "write",
    ))
}
