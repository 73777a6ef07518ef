//! `replica`: accepted generation and commit (Felix 11.3).

use std::io;

use ondisk::felix::Replica;
use ondisk::felix::name::Sidecar;

use super::Loaded;
use super::file::{authoritative, small};
use super::store::{Durability, sidecar};
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::shard::Shard;

/// Reads the accepted generation and the commit.
///
/// # Errors
/// [`StorageError::Io`] when the system does not read it.
pub fn load(shard: &Shard) -> Result<Loaded<Replica>, StorageError> {
    authoritative(shard, Sidecar::Replica, small(28), |bytes| {
        Replica::view(&bytes).map(|view| view.to_value())
    })
}

/// Stores the accepted generation and the commit.
///
/// # Errors
/// Whatever the disk reports; of kind `InvalidInput` for a value that would not read back.
pub fn store(directory: &dyn Directory, replica: &Replica) -> io::Result<()> {
    sidecar(directory, Sidecar::Replica, replica, Durability::Synced)
}
