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
