//! What a start found and did.

use std::fmt;

use ondisk::felix::RunState;

use super::identity::FileState;
use super::root::FoundShard;
use crate::felix::shard::Foreign;

/// What the start of a data directory found and did (Felix 11.8).
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
    pub adopted: Vec<String>,
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

/// Why a data directory gets another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewStorageId {
    /// It had none.
    Absent,
    /// Its id was in a file of unknown layout, which is taken over.
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
            Self::Adopted => f.write_str("the file of unknown layout is taken over"),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumedDelete {
    /// Path of its marker.
    pub marker: String,
    /// How many directories were left to move; or why it stays unfinished, and is tried again when the stream is opened.
    pub moved: Result<usize, String>,
}
