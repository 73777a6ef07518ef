//! What a start makes of a data directory (Felix 11.8, 11.9).

use std::fmt;

use ondisk::felix::RunPhase;

use super::identity::FileState;
use super::root::Root;
use crate::felix::error::SidecarDamage;

/// What becomes of the storage id at a start.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::store::{Root, StorageIdAtStart, Store, StoreConfig};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let store = Store::open(path, StoreConfig::default())?;
/// // As if it were cut off now.
/// let root = Root::look(RealDirectory::open(path)?)?;
/// assert_eq!(root.storage_id_at_start(), StorageIdAtStart::New);
/// store.shutdown()?;
/// let root = Root::look(RealDirectory::open(path)?)?;
/// assert_eq!(root.storage_id_at_start(), StorageIdAtStart::Kept);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageIdAtStart {
    /// It is kept.
    Kept,
    /// A new one is made: there is none, or acknowledged records may be lost.
    New,
}

impl StorageIdAtStart {
    /// As reports spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::New => "new",
        }
    }
}

/// What a start comes to. Displays as reports spell it. A single shard or stream that does not open hinders no start.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
/// use ondisk_engine::felix::store::{Root, StartCategory};
///
/// let directory = MemoryDirectory::new("data");
/// directory.put("registration", MemoryFile::of(b"written by another program"));
/// let category = Root::look(Arc::new(directory))?.category(false);
/// assert_eq!(category, StartCategory::ReadOnly("registration".to_owned()));
/// assert_eq!(category.to_string(), "read_only(registration)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartCategory {
    /// It starts.
    OpenOk,
    /// A file of unknown layout keeps the root from being written.
    ReadOnly(String),
    /// A file of identity does not decode.
    Refused(&'static str),
    /// A file of identity is no regular file.
    Unreadable(&'static str),
}

impl fmt::Display for StartCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenOk => f.write_str("open_ok"),
            Self::ReadOnly(file) => write!(f, "read_only({file})"),
            Self::Refused(file) => write!(f, "refused(Sidecar:{file})"),
            Self::Unreadable(_) => f.write_str("refused(Io)"),
        }
    }
}

/// Whether a run acknowledges before it syncs (bit 0 of the flags).
const ACKNOWLEDGES_EARLY: u8 = 1;

impl Root {
    /// What a start comes to. `node_id_is_read` says that offload is on and no node id is configured; without that,
    /// `node-id` hinders no start, whatever it holds.
    #[must_use]
    pub fn category(&self, node_id_is_read: bool) -> StartCategory {
        let identity = &self.identity;
        let run_state = match identity.run_state {
            // Another version may mean anything; short or damaged is taken for a run that was cut off.
            FileState::Damaged(SidecarDamage::Version { .. }) => {
                Some(StartCategory::Refused("run-state"))
            }
            FileState::Unreadable => Some(StartCategory::Unreadable("run-state")),
            _ => None,
        };
        let in_order = [
            refusal("storage-id", &identity.storage_id),
            run_state,
            refusal("registration", &identity.registration),
            refusal("node-id", &identity.node_id).filter(|_| node_id_is_read),
            self.unknown_layout(node_id_is_read)
                .map(StartCategory::ReadOnly),
        ];
        in_order
            .into_iter()
            .flatten()
            .next()
            .unwrap_or(StartCategory::OpenOk)
    }

    /// What becomes of the storage id.
    #[must_use]
    pub fn storage_id_at_start(&self) -> StorageIdAtStart {
        let kept = match &self.identity.run_state {
            // The first start.
            FileState::Absent => true,
            FileState::Sound(run) => {
                run.state == RunPhase::Stopped || run.flags & ACKNOWLEDGES_EARLY == 0
            }
            FileState::Damaged(_) | FileState::UnknownLayout(_) | FileState::Unreadable => false,
        };
        if kept && self.identity.storage_id != FileState::Absent {
            StorageIdAtStart::Kept
        } else {
            StorageIdAtStart::New
        }
    }

    /// Whether the last run began with another storage id than the directory has. Reported only.
    #[must_use]
    pub fn run_state_id_differs(&self) -> bool {
        match (
            self.identity.run_state.sound(),
            self.identity.storage_id.sound(),
        ) {
            (Some(run), Some(storage)) => run.id != storage.id,
            _ => false,
        }
    }

    /// The first file of unknown layout that keeps the root from being written.
    fn unknown_layout(&self, node_id_is_read: bool) -> Option<String> {
        fn is_unknown<T>(state: &FileState<T>) -> bool {
            matches!(state, FileState::UnknownLayout(_))
        }
        let identity = &self.identity;
        let files = [
            ("storage-id", is_unknown(&identity.storage_id)),
            ("registration", is_unknown(&identity.registration)),
            ("node-id", node_id_is_read && is_unknown(&identity.node_id)),
        ];
        let file = files
            .iter()
            .find(|(_, unknown)| *unknown)
            .map(|(file, _)| (*file).to_owned());
        let marker = || {
            self.markers
                .iter()
                .find(|marker| is_unknown(&marker.state))
                .map(|marker| marker.path.clone())
        };
        file.or_else(marker)
    }
}

fn refusal<T>(file: &'static str, state: &FileState<T>) -> Option<StartCategory> {
    match state {
        FileState::Damaged(_) => Some(StartCategory::Refused(file)),
        FileState::Unreadable => Some(StartCategory::Unreadable(file)),
        FileState::Absent | FileState::Sound(_) | FileState::UnknownLayout(_) => None,
    }
}
