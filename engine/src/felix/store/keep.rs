//! Writing the files of identity (Felix 11.8, 11.9).

use std::fmt::Write as _;
use std::io;

use ondisk::encode::Encode;
use ondisk::felix::name::IdentityFile;
use ondisk::felix::{NodeId, Registration, RunPhase, RunState, StorageId};

use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::sidecar::store::{Durability, encoded, replace};

/// Gives a data directory a storage id that no other has, durably: at its first start, for a copy, which must not pass for
/// its original, and for one that may have lost what it acknowledged (Felix 11.8).
///
/// A `storage-id` that is there is replaced, whatever it holds; who must not replace one of another build's layout looks at
/// it first.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::store::{Root, new_storage_id};
///
/// let directory = Arc::new(MemoryDirectory::new("a copy"));
/// let id = new_storage_id(&*directory)?;
/// let stored = Root::look(directory)?.identity.storage_id;
/// assert_eq!(stored.sound().map(|file| file.id), Some(id));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StorageError::Io`]. The directory has the old id then, or the new one.
pub fn new_storage_id(root: &dyn Directory) -> Result<[u8; 16], StorageError> {
    let id = random(root)?;
    write(root, IdentityFile::StorageId, &StorageId { id })?;
    Ok(id)
}

/// Stores where the run is.
pub(super) fn run_state(
    root: &dyn Directory,
    state: RunPhase,
    acknowledges_early: bool,
    id: [u8; 16],
) -> Result<(), StorageError> {
    let flags = u8::from(acknowledges_early);
    write(root, IdentityFile::RunState, &RunState { state, flags, id })
}

/// Stores the incarnation of a registration.
pub(super) fn registration(root: &dyn Directory, incarnation: u64) -> Result<(), StorageError> {
    write(
        root,
        IdentityFile::Registration,
        &Registration { incarnation },
    )
}

/// Makes a node id and stores it.
pub(super) fn new_node_id(root: &dyn Directory) -> Result<String, StorageError> {
    let mut id = String::from("node-");
    for byte in random(root)? {
        // Writing to a `String` cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    node_id(root, &id)?;
    Ok(id)
}

/// Stores a node id.
pub(super) fn node_id(root: &dyn Directory, id: &str) -> Result<(), StorageError> {
    let id = id.to_owned();
    write(root, IdentityFile::NodeId, &NodeId { id })
}

/// 16 bytes that nobody else has.
fn random(root: &dyn Directory) -> Result<[u8; 16], StorageError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| io::Error::other(error.to_string()))
        .map_err(StorageError::io(root.path(), "make a random id for"))?;
    Ok(bytes)
}

fn write<K: Encode>(
    root: &dyn Directory,
    file: IdentityFile,
    value: &K,
) -> Result<(), StorageError> {
    let (name, temporary) = (file.file_name(), file.temporary_name());
    encoded(value)
        .and_then(|bytes| replace(root, name, temporary, &bytes, Durability::Synced))
        .map_err(StorageError::io(root.path().join(name), "write"))
}
