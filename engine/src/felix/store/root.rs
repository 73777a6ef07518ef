//! A whole data directory.

use std::path::PathBuf;
use std::sync::Arc;

use ondisk::felix::StreamMarker;
use ondisk::felix::name::Store;

use super::identity::{FileState, Identity};
use super::layout::enter;
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::opening::LogKind;
use crate::felix::shard::Foreign;

/// A data directory as it was found. Paths are relative to it.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::store::{Root, StartCategory};
/// # use ondisk::felix::name::ShardKey;
/// # use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// # let store = Store::open(path, StoreConfig::default())?;
/// # store.shard(&ShardKey::new("acme", "default", "orders", 0))?;
/// let root = Root::look(RealDirectory::open(path)?)?;
/// assert_eq!(root.category(false), StartCategory::OpenOk);
/// for found in &root.shards {
///     let shard = Shard::look(root.open_shard(found)?, Some(found.path.clone()))?;
///     println!("{}: {} segments", shard.label(), shard.segments().count());
/// }
/// # assert_eq!(root.shards.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Root {
    directory: Arc<dyn Directory>,
    /// The files of identity.
    pub identity: Identity,
    /// The shards, store by store.
    pub shards: Vec<FoundShard>,
    /// The stream markers.
    pub markers: Vec<Marker>,
    /// The bins that are there.
    pub bins: Vec<Bin>,
    /// What an old build's compaction left beside cache and counter shards (Felix 2.6).
    pub leftovers: Vec<String>,
    /// What is not ours, or is no regular file or real directory under a name of ours. Sorted.
    pub foreign: Vec<Foreign>,
}

/// A shard directory below a data directory.
///
/// ```
/// use ondisk::felix::name::{self, ShardKey};
/// use ondisk_engine::felix::opening::LogKind;
/// use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let store = Store::open(path, StoreConfig::default())?;
/// let key = ShardKey::new("acme", "default", "sessions", 0);
/// store.shard_in(name::Store::Caches, &key)?;
/// let found = store.shards()?.remove(0);
/// assert_eq!((found.store, found.kind), (name::Store::Caches, LogKind::Cache));
/// assert_eq!(found.name, key.directory_name(0));
/// assert_eq!(found.path, format!("caches/{}", found.name));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundShard {
    /// Its path.
    pub path: String,
    /// The store that it is in.
    pub store: Store,
    /// Its name, from which no key can be read back.
    pub name: String,
    /// What its records are.
    pub kind: LogKind,
}

/// A stream marker.
///
/// ```
/// use ondisk::felix::name::StreamKey;
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::store::{Root, Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let orders = StreamKey::new("acme", "default", "orders");
/// Store::open(path, StoreConfig::default())?.delete_stream(&orders, 7)?;
///
/// let root = Root::look(RealDirectory::open(path)?)?;
/// let marker = &root.markers[0];
/// assert_eq!(marker.name, orders.marker_name());
/// let says = marker.state.sound().expect("it decodes");
/// assert_eq!((says.deleting, says.deleted_through), (false, Some(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Its path.
    pub path: String,
    /// Its name.
    pub name: String,
    /// What it says.
    pub state: FileState<StreamMarker>,
}

/// A bin, where the directories of deleted streams wait for their removal.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk::felix::name::StreamKey;
/// use ondisk_engine::background::Background;
/// use ondisk_engine::clock::ManualClock;
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::store::{Root, Store, StoreConfig};
///
/// let directory = Arc::new(MemoryDirectory::new("data"));
/// let mut config = StoreConfig::default();
/// config.environment.background = Background::manual(Arc::new(ManualClock::at(0)));
/// let background = config.environment.background.clone();
/// let store = Store::open_in(directory.clone(), config)?;
/// let orders = StreamKey::new("acme", "default", "orders");
/// store.shard(&orders.shard(0))?;
/// store.delete_stream(&orders, 0)?;
/// assert_eq!(Root::look(directory.clone())?.bins[0].names.len(), 1);
/// background.run_ready();
/// assert!(Root::look(directory)?.bins[0].names.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Its path.
    pub path: String,
    /// The directories in it, sorted.
    pub names: Vec<String>,
}

impl Root {
    /// Looks at a data directory. No shard is opened.
    ///
    /// # Errors
    /// [`StorageError::Io`] when something cannot be listed or read.
    pub fn look(directory: Arc<dyn Directory>) -> Result<Self, StorageError> {
        let mut root = Self {
            identity: Identity::read(&*directory)?,
            directory: Arc::clone(&directory),
            shards: Vec::new(),
            markers: Vec::new(),
            bins: Vec::new(),
            leftovers: Vec::new(),
            foreign: Vec::new(),
        };
        root.list(&directory, Store::Streams)?;
        root.shards
            .sort_by(|a, b| (a.store, &a.name).cmp(&(b.store, &b.name)));
        root.foreign.sort();
        Ok(root)
    }

    /// Path of the data directory, for messages.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.path().to_owned()
    }

    /// Opens the directory of a shard.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn open_shard(&self, shard: &FoundShard) -> Result<Arc<dyn Directory>, StorageError> {
        match shard.store.directory() {
            Some(store) => enter(&enter(&self.directory, store)?, &shard.name),
            None => enter(&self.directory, &shard.name),
        }
    }
}
