//! `ballot`: the leader behind the accepted generation (Felix 11.4).

use std::io;

use ondisk::felix::Ballot;
use ondisk::felix::name::Sidecar;

use super::Loaded;
use super::file::{authoritative, small};
use super::store::{Durability, sidecar};
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::shard::Shard;

/// Reads the ballot.
///
/// # Errors
/// [`StorageError::Io`] when the system does not read it.
pub fn load(shard: &Shard) -> Result<Loaded<Ballot>, StorageError> {
    authoritative(shard, Sidecar::Ballot, small(1044), |bytes| {
        Ballot::view(&bytes).map(|view| view.to_value())
    })
}

/// Stores the ballot.
///
/// # Errors
/// Whatever the disk reports; of kind `InvalidInput` for a value that would not read back.
pub fn store(directory: &dyn Directory, ballot: &Ballot) -> io::Result<()> {
    sidecar(directory, Sidecar::Ballot, ballot, Durability::Synced)
}
