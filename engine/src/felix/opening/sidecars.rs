//! The sidecars of a shard, each read once.

use ondisk::felix::{Ballot, DurableMark, EpochEntry, ManifestEntry, Replica};

use crate::felix::error::StorageError;
use crate::felix::shard::Shard;
use crate::felix::sidecar::keys::KeyIndexFile;
use crate::felix::sidecar::producers::Snapshot;
use crate::felix::sidecar::{Loaded, ballot, epochs, keys, manifest, mark, producers, replica};

/// Every sidecar of a shard, by itself.
#[derive(Debug)]
pub struct Sidecars {
    /// `durable.mark`.
    pub mark: Loaded<DurableMark>,
    /// `epochs`.
    pub epochs: Loaded<Vec<EpochEntry>>,
    /// `replica`.
    pub replica: Loaded<Replica>,
    /// `ballot`.
    pub ballot: Loaded<Ballot>,
    /// `producers`.
    pub producers: Loaded<Snapshot>,
    /// `offload.manifest`.
    pub manifest: Loaded<Vec<ManifestEntry>>,
    /// `keys.idx`.
    pub keys: Loaded<KeyIndexFile>,
}

impl Sidecars {
    /// Reads them all.
    ///
    /// # Errors
    /// [`StorageError::Io`] when the system does not read an authoritative one.
    pub fn load(shard: &Shard) -> Result<Self, StorageError> {
        Ok(Self {
            mark: mark::load(shard),
            epochs: epochs::load(shard),
            replica: replica::load(shard)?,
            ballot: ballot::load(shard)?,
            producers: producers::load(shard),
            manifest: manifest::load(shard)?,
            keys: keys::load(shard),
        })
    }
}
