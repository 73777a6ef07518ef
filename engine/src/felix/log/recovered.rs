//! What an open found and did.

use ondisk::felix::name::SegmentFile;

use crate::felix::producer::SnapshotUse;
use crate::felix::recovery::{PlanId, Report};
use crate::felix::shard::Foreign;

/// What the open of a log found and did.
///
/// ```
/// use ondisk_engine::felix::log::{Config, Log};
///
/// # let place = tempfile::tempdir()?;
/// let log = Log::open(place.path(), Config::default())?;
/// for report in &log.recovered().reports {
///     println!("{report}");
/// }
/// assert!(!log.recovered().may_have_lost_acknowledged());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovered {
    /// The plan that was applied.
    pub plan: PlanId,
    /// Its findings by name, in order; empty when the log was sound.
    pub reports: Vec<Report>,
    /// Files beside the segments that keep what was cut off.
    pub saved: Vec<SegmentFile>,
    /// Names in the directory that are not ours, left alone.
    pub foreign: Vec<Foreign>,
    /// What became of the producer snapshot.
    pub producers: Option<SnapshotUse>,
    /// Features whose finalized level lies below what is on disk already: the log opens and reads, and the next write of
    /// such a thing is refused.
    pub feature_behind: Vec<&'static str>,
}

impl Recovered {
    /// Whether a cut took bytes that the durable mark vouched for, so that acknowledged records may be lost.
    #[must_use]
    pub fn may_have_lost_acknowledged(&self) -> bool {
        self.reports.iter().any(Report::may_have_lost_acknowledged)
    }
}
