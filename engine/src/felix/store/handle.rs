//! An open data directory.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::name::{self, ShardKey, StreamKey};

use super::config::StoreConfig;
use super::family::Family;
use super::place::ShardPlace;
use super::root::{FoundShard, Root};
use super::shared::Shared;
use super::started::Started;
use super::streams::is_closed;
use crate::disk::Directory;
use crate::disk::real::RealDirectory;
use crate::felix::error::StorageError;
use crate::felix::log::{Config, Log, ReadOnlyLog};

/// A data directory that is open: a handle; clones are of the same one.
///
/// One store at a time has a data directory: the directory is locked while it is open. A store that goes without a
/// [`shutdown`](Self::shutdown) did not stop cleanly, and the next start treats it so.
///
/// ```
/// use ondisk::felix::name::StreamKey;
/// use ondisk_engine::felix::log::Entry;
/// use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let store = Store::open(path, StoreConfig::default())?;
/// let orders = StreamKey::new("acme", "default", "orders");
/// let log = store.shard(&orders.shard(0))?;
/// log.append(&[Entry::new(b"hello")])?.wait()?;
/// // As long as it is open, everybody has the same log.
/// assert_eq!(store.shard(&orders.shard(0))?.tail(), 1);
///
/// assert_eq!(store.delete_stream(&orders, 0)?, 1);
/// assert!(store.shards()?.is_empty());
/// store.shutdown()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.shared.root().path())
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the data directory at `path`, which is created if need be: locks it, decides on its storage id, says that a
    /// run began, and finishes deletes that are unfinished (Felix 11.8). No shard is opened.
    ///
    /// # Errors
    /// [`StorageError::InvalidConfig`]; [`StorageError::Io`] of the operation `lock` when somebody else has it;
    /// [`StorageError::Sidecar`] for a file of identity that does not decode; [`StorageError::Io`].
    pub fn open(path: impl AsRef<Path>, config: StoreConfig) -> Result<Self, StorageError> {
        config.log.validate()?;
        let path = path.as_ref();
        let root = RealDirectory::create_all(path).map_err(StorageError::io(path, "create"))?;
        Self::open_in(root, config)
    }

    /// The same in a directory that is open already, on whatever disk.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_in(root: Arc<dyn Directory>, config: StoreConfig) -> Result<Self, StorageError> {
        let shared = Arc::new(Shared::open(root, config)?);
        Ok(Self { shared })
    }

    /// What the start found and did.
    #[must_use]
    pub fn started(&self) -> &Started {
        &self.shared.started
    }

    /// Opens a shard of a stream that has no incarnation, and creates it if need be. As long as it is open, every call
    /// gives a handle of the same log; one that was closed, say after a failed sync, is opened anew.
    ///
    /// # Errors
    /// Those of [`open_shard`](Self::open_shard).
    pub fn shard(&self, key: &ShardKey) -> Result<Log, StorageError> {
        self.shard_in(name::Store::Streams, key)
    }

    /// The same in any store: `caches/`, `counters/`, `groups/` or `dead-letters/`.
    ///
    /// # Errors
    /// Those of [`open_shard`](Self::open_shard).
    pub fn shard_in(&self, store: name::Store, key: &ShardKey) -> Result<Log, StorageError> {
        self.open_shard(&ShardPlace::new(store, key.clone()))
    }

    /// Opens a shard of a stream; one that turns out to be fresh begins at `base` (Felix 14.3).
    ///
    /// # Errors
    /// Those of [`open_shard`](Self::open_shard).
    pub fn open_at(&self, key: &ShardKey, base: u64) -> Result<Log, StorageError> {
        let mut config = self.log_config();
        config.open_at = base;
        let place = ShardPlace::new(name::Store::Streams, key.clone());
        self.open_shard_with(&place, config)
    }

    /// Opens a shard in an incarnation of its stream, as the control plane says it. A higher one than is held becomes the
    /// one that is held: open logs of older ones are closed, their directories go to the bin, of groups and dead letters
    /// too (Felix 11.10).
    ///
    /// # Errors
    /// Those of [`open_shard`](Self::open_shard).
    pub fn open_incarnation(
        &self,
        store: name::Store,
        key: &ShardKey,
        incarnation: u64,
    ) -> Result<Log, StorageError> {
        self.open_shard(&ShardPlace::new(store, key.clone()).of_incarnation(incarnation))
    }

    /// Opens a shard, and creates it if need be.
    ///
    /// # Errors
    /// [`StorageError::Closed`] after the shutdown; [`StorageError::Unsupported`] when the directory is read-only, and
    /// for a new incarnation whose feature is not finalized; [`StorageError::NotFound`] for an incarnation that is
    /// deleted, or older than the one held; [`StorageError::Sidecar`] when the stream's marker does not decode;
    /// those of [`Log::open`].
    pub fn open_shard(&self, place: &ShardPlace) -> Result<Log, StorageError> {
        self.open_shard_with(place, self.log_config())
    }

    /// The same with settings of its own, which count when the log is not open already. They cannot acknowledge ahead of
    /// the flush unless the store's do, since `run-state` speaks for all shards.
    ///
    /// # Errors
    /// Those of [`open_shard`](Self::open_shard).
    pub fn open_shard_with(&self, place: &ShardPlace, config: Config) -> Result<Log, StorageError> {
        self.shared.open_shard(place, config)
    }

    /// Opens a shard for reading alone: the one way to the records of a directory that is read-only.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when it is not there; those of [`ReadOnlyLog::open`].
    pub fn look_at(&self, place: &ShardPlace) -> Result<ReadOnlyLog, StorageError> {
        self.shared.look_at(place, self.log_config())
    }

    /// The shards that are there now, store by store, open or not.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn shards(&self) -> Result<Vec<FoundShard>, StorageError> {
        let _running = self.shared.running()?;
        let root = Arc::clone(&self.shared.directories.root);
        Ok(Root::look(root)?.shards)
    }

    /// The logs that are open.
    #[must_use]
    pub fn logs(&self) -> Vec<Log> {
        let mut logs = self.shared.streams.logs();
        logs.retain(|log| !is_closed(log));
        logs
    }

    /// Deletes a stream with its groups and dead letters, every incarnation up to `through`; 0 is a stream that has none.
    /// When it returns, that is durable and no deleted directory is in its place; they are removed in the background.
    /// Can be repeated, and goes on at the next start when it was cut off. Returns how many directories went.
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::Unsupported`] when the directory is read-only,
    /// [`StorageError::Sidecar`] when the marker does not decode, [`StorageError::Io`]; of the operation `lock` when
    /// somebody else writes one of its shards.
    pub fn delete_stream(&self, key: &StreamKey, through: u64) -> Result<usize, StorageError> {
        self.shared.delete(Family::Streams, key, through)
    }

    /// Deletes a cache with its counters, likewise.
    ///
    /// # Errors
    /// Those of [`delete_stream`](Self::delete_stream).
    pub fn delete_cache(&self, key: &StreamKey, through: u64) -> Result<usize, StorageError> {
        self.shared.delete(Family::Caches, key, through)
    }

    /// Notes durably that the broker registered as `incarnation` with the control plane.
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::Unsupported`] when the directory is read-only, [`StorageError::Io`].
    pub fn register(&self, incarnation: u64) -> Result<(), StorageError> {
        self.shared.register(incarnation)
    }

    /// The first part of the keys of offloaded segments; made and stored when there is none (Felix 11.9).
    ///
    /// # Errors
    /// [`StorageError::Sidecar`] when the file says something else; [`StorageError::Closed`],
    /// [`StorageError::Unsupported`] when it would have to be made in a directory that is read-only,
    /// [`StorageError::Io`].
    pub fn node_id(&self) -> Result<String, StorageError> {
        self.shared.node_id()
    }

    /// What the directory is known by; none when a file of unknown layout says it.
    #[must_use]
    pub fn storage_id(&self) -> Option<[u8; 16]> {
        self.shared.storage_id()
    }

    /// Makes another id, so that the directory counts as a new one: after a repair that may have lost acknowledged
    /// records ([`Recovered::may_have_lost_acknowledged`](crate::felix::log::Recovered::may_have_lost_acknowledged)).
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::Unsupported`] when the directory is read-only, [`StorageError::Io`].
    pub fn new_storage_id(&self) -> Result<[u8; 16], StorageError> {
        self.shared.new_storage_id()
    }

    /// Ends the run: waits for opens and deletes that are under way, closes every log, and when all ended cleanly says
    /// so durably. The directory is unlocked whatever it returns.
    ///
    /// # Errors
    /// [`StorageError::Closed`] the second time; what the first log failed with that did not close cleanly;
    /// [`StorageError::SyncFailed`] when a log was closed in this run without being flushed, even if it was opened again;
    /// [`StorageError::Io`].
    pub fn shutdown(&self) -> Result<(), StorageError> {
        self.shared.shutdown()
    }

    fn log_config(&self) -> Config {
        let mut config = self.shared.config.clone();
        config.open_at = 0;
        config
    }
}
