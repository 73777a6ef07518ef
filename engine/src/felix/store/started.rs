//! What a start found and did.

use std::fmt;

use ondisk::felix::RunState;

use super::identity::FileState;
use super::root::FoundShard;
use crate::felix::shard::Foreign;

/// What the start of a data directory found and did (Felix 11.8).
///
/// ```
/// use ondisk_engine::felix::store::{NewStorageId, Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let store = Store::open(path, StoreConfig::default())?;
/// let first = store.started();
/// assert_eq!(first.new_storage_id, Some(NewStorageId::Absent));
/// assert!(first.read_only.is_none() && first.shards.is_empty());
/// store.shutdown()?;
///
/// let again = Store::open(path, StoreConfig::default())?;
/// assert_eq!(again.started().new_storage_id, None);
/// assert_eq!(again.storage_id(), store.storage_id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Started {
    /// What the directory is known by; none when a file of unknown layout says it.
    pub storage_id: Option<[u8; 16]>,
    /// Why that is a new one; none when it was kept.
    pub new_storage_id: Option<NewStorageId>,
    /// `run-state` as it was found.
    pub run_state: FileState<RunState>,
    /// The last run began with another storage id than the directory had.
    pub run_state_id_differs: bool,
    /// The incarnation of the last registration.
    pub registration: Option<u64>,
    /// The file of unknown layout for which the directory is read-only.
    pub read_only: Option<String>,
    /// Files of unknown layout that were taken over.
    pub adopted: Vec<Adopted>,
    /// Deletes that were unfinished, by the path of the marker.
    pub deletes: Vec<ResumedDelete>,
    /// Markers that do not decode, whose streams do not open.
    pub damaged_markers: Vec<String>,
    /// The shards that are there after that.
    pub shards: Vec<FoundShard>,
    /// Directories that wait in the bins for their removal.
    pub in_bins: usize,
    /// What an old build's compaction left beside cache and counter shards; dealt with when those open.
    pub leftovers: Vec<String>,
    /// Features whose finalized level lies below what is on disk already.
    pub feature_behind: Vec<&'static str>,
    /// Names that are not ours, left alone.
    pub foreign: Vec<Foreign>,
}

/// A file of unknown layout that was taken over: it counts as absent, and what it says is kept.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::Directory;
/// use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
/// use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// let root = Arc::new(MemoryDirectory::new("data"));
/// root.put("registration", MemoryFile::of(b"written by another program"));
/// let config = StoreConfig {
///     adopt: true,
///     ..StoreConfig::default()
/// };
/// let store = Store::open_in(root.clone(), config)?;
/// let adopted = &store.started().adopted[0];
/// assert_eq!(adopted.file, "registration");
/// assert_eq!(adopted.kept_as, "registration.adopted-0");
/// assert_eq!(root.file(&adopted.kept_as)?.stat()?.len, 26);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// Its path.
    pub file: String,
    /// The path under which its bytes are kept, until somebody else removes them.
    pub kept_as: String,
}

/// Why a data directory gets another id.
///
/// ```
/// use ondisk_engine::felix::store::{NewStorageId, Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// // The default acknowledges ahead of the flush, and this run never stops.
/// drop(Store::open(path, StoreConfig::default())?);
///
/// let store = Store::open(path, StoreConfig::default())?;
/// if let Some(why) = store.started().new_storage_id {
///     println!("joins the cluster as an empty disk would: {why}");
///     assert_eq!(why, NewStorageId::CutOff);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewStorageId {
    /// It had none.
    Absent,
    /// Its id was in a file of unknown layout, which was taken over.
    Adopted,
    /// The last run did not stop, and acknowledged before it synced.
    CutOff,
    /// How the last run ended cannot be read.
    RunStateDamaged,
    /// The control plane knows of a later registration: the directory is older than that, like a snapshot restored.
    ControlPlaneAhead {
        /// The incarnation stored here, 0 for none.
        registered: u64,
        /// The one that the control plane says.
        says: u64,
    },
}

impl fmt::Display for NewStorageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("there was none"),
            Self::Adopted => f.write_str("the file of unknown layout was taken over"),
            Self::CutOff => f.write_str(
                "the last run did not stop cleanly and acknowledged before it synced, so acknowledged records may be lost",
            ),
            Self::RunStateDamaged => {
                f.write_str("run-state is damaged, so acknowledged records may be lost")
            }
            Self::ControlPlaneAhead { registered, says } => write!(
                f,
                "the control plane says incarnation {says}, the directory was last registered as {registered}"
            ),
        }
    }
}

/// A delete that a start found unfinished.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
/// use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// let root = MemoryDirectory::new("data");
/// root.put_directory(".streams").put(
///     "acme_default_orders-fcb9248e5af0da18",
///     MemoryFile::of(
///         b"felix-stream-marker 1\nincarnation 0000000000000000\ndeleting yes\n\
///           deleted-through 0000000000000000\ncrc32 32ea4566\n",
///     ),
/// );
/// let store = Store::open_in(Arc::new(root), StoreConfig::default())?;
/// let [delete] = &store.started().deletes[..] else { panic!("one was unfinished") };
/// assert_eq!(delete.marker, ".streams/acme_default_orders-fcb9248e5af0da18");
/// // Every directory had been moved; only the marker did not say so yet.
/// assert_eq!(delete.moved, Ok(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumedDelete {
    /// Path of its marker.
    pub marker: String,
    /// How many directories were left to move; or why it stays unfinished, and is tried again when the stream is opened.
    pub moved: Result<usize, String>,
}
