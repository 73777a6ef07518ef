//! Producer state at an open (Felix 12.3).

use std::ops::ControlFlow;

use super::ProducerState;
use crate::felix::error::{Corruption, StorageError};
use crate::felix::reader::Reader;
use crate::felix::recovery::PlannedSegment;
use crate::felix::sidecar::Loaded;
use crate::felix::sidecar::producers::Snapshot;

/// The producer state of a log, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The state.
    pub state: ProducerState,
    /// What became of the snapshot.
    pub snapshot: SnapshotUse,
}

/// What became of a producer snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotUse {
    /// There is none, or none that can be read.
    Absent,
    /// It was taken, and later records fed on top of it.
    Used,
    /// It is damaged, or not of this log.
    Ignored,
}

impl SnapshotUse {
    /// As reports spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Used => "used",
            Self::Ignored => "ignored",
        }
    }
}

/// Rebuilds the state from a snapshot, if it is one of this log, and the marks that it does not cover.
///
/// Segments that cannot bear a mark, or were seen to bear none, are not read again: whatever is in them, all they do is to
/// end a batch that waits.
///
/// ```
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::mark::Mark;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::producer::{SnapshotUse, rebuild};
/// use ondisk_engine::felix::reader::Reader;
/// use ondisk_engine::felix::recovery::{Scans, Settings, plan};
/// use ondisk_engine::felix::sidecar::Loaded;
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let scans = Scans::new(&shard, Access::default());
/// let plan = plan(&scans, Mark(None), &[], &Settings::default())?;
/// let log = plan.log.expect("it opens");
/// let rebuilt = rebuild(&Reader::new(&scans, &log), &Loaded::Absent)??;
/// assert_eq!(rebuilt.snapshot, SnapshotUse::Absent);
/// assert_eq!(rebuilt.state.producers().len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StorageError::Io`]; the inner error is a record that does not decode.
pub fn rebuild(
    reader: &Reader<'_>,
    snapshot: &Loaded<Snapshot>,
) -> Result<Result<Rebuilt, Corruption>, StorageError> {
    let log = reader.log();
    let usable = snapshot
        .sound()
        .filter(|snapshot| snapshot.is_usable(log.base, log.tail));
    let (mut state, from) = match usable {
        Some(snapshot) => (
            ProducerState::of(&snapshot.producers),
            snapshot.producers.as_of,
        ),
        None => (ProducerState::default(), log.base),
    };
    let to_feed = |segment: &&PlannedSegment| segment.records() > 0 && segment.next_offset > from;
    for segment in log.segments.iter().filter(to_feed) {
        if is_unmarked(reader, segment) {
            state.abandon();
            continue;
        }
        let mut feed = |_: &PlannedSegment, met: &crate::felix::segment::Met<'_>| {
            state.feed(met.record);
            ControlFlow::Continue(())
        };
        if let Err(corruption) = reader.read_segment(segment, from, &mut feed)? {
            return Ok(Err(corruption));
        }
    }
    state.settle(log.tail);
    state.prune(log.base);
    let snapshot = match (snapshot, usable) {
        // One that cannot be read counts as absent (Felix 1.5, 11.1).
        (Loaded::Absent | Loaded::Irregular | Loaded::Unreadable(_), _) => SnapshotUse::Absent,
        (_, Some(_)) => SnapshotUse::Used,
        (_, None) => SnapshotUse::Ignored,
    };
    Ok(Ok(Rebuilt { state, snapshot }))
}

/// The first version with producer marks (Felix 4.2).
const FIRST_MARKED_VERSION: u32 = 3;

fn is_unmarked(reader: &Reader<'_>, segment: &PlannedSegment) -> bool {
    let seen = || {
        let scanned = reader.scans().known(segment.id)?;
        let scan = scanned.records.as_ref().ok()?;
        Some(scan.kinds.unmarked() && scan.next_offset == segment.next_offset)
    };
    segment.version < FIRST_MARKED_VERSION || seen().unwrap_or(false)
}
