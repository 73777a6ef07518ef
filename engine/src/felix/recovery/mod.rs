//! Recovery: the plan of what an open changes (Felix 7).
//!
//! [`plan()`] decides and changes nothing. A [`Plan`] is a value: what was found, what is to be done about it, step by step
//! in the order in which it must happen, and what the log is afterwards. It can be printed, compared and held in a test
//! without a disk, and its [`id`](Plan::id) names it, so that what is applied is what was shown.
//!
//! Whatever would be dropped is either provably unfinished or set aside first. What cannot be proved is refused, and a
//! refused plan has no step.
//!
//! ```
//! use ondisk_engine::disk::real::RealDirectory;
//! use ondisk_engine::felix::mark::Mark;
//! use ondisk_engine::felix::recovery::{Category, Scans, Settings, apply, plan};
//! use ondisk_engine::felix::segment::Access;
//! use ondisk_engine::felix::shard::Shard;
//! use ondisk_engine::felix::sidecar::mark;
//!
//! # use ondisk_engine::felix::log::{Config, Entry, Log};
//! # let place = tempfile::tempdir()?;
//! # let path = place.path().join("shard");
//! # let log = Log::open(&path, Config::default())?;
//! # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
//! # log.close()?;
//! # let segment = path.join("00000000000000000000.log");
//! # let mut segment = std::fs::File::options().append(true).open(segment)?;
//! # std::io::Write::write_all(&mut segment, b"torn")?;
//! let directory = RealDirectory::open(&path)?;
//! let shard = Shard::look(directory.clone(), None)?;
//! let scans = Scans::new(&shard, Access::default());
//! let plan = plan(&scans, Mark::from(&mark::load(&shard)), &[], &Settings::default())?;
//! assert_eq!(plan.category(), Category::Repaired(vec!["torn_tail"]));
//! println!("{plan}");
//! apply(&plan, &directory, 0, Some(&scans), &mut |_| Ok(()))?;
//! # assert_eq!(Log::open(&path, Config::default())?.recovered().reports.len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abandoned;
mod again;
mod apply;
mod blank;
mod chain;
mod draft;
mod first;
mod gap;
mod identity;
mod losses;
mod plan;
mod print;
mod refusal;
mod report;
mod roll;
mod saving;
mod scans;
mod settings;
mod short_of_mark;
mod side;
mod verdict;

pub(crate) use again::write_again;
pub use apply::{Applied, Guard, apply};
pub use identity::PlanId;
pub use losses::{give_up, lower_mark, settle_given_up};
pub use plan::{Plan, PlannedLog, PlannedSegment, Step};
pub use refusal::{Category, Refusal};
pub use report::{Cut, IndexReason, Removal, Removed, Report, UnfinishedRoll};
pub use scans::{Scanned, Scans};
pub use settings::{Provable, Settings};
pub use verdict::{OptIn, Rule, Rules, Verdict, judge};

use ondisk::felix::ManifestEntry;
use ondisk::felix::name::SegmentFile;

use self::draft::{Draft, Stop};
use super::error::StorageError;
use super::mark::Mark;

/// Plans the recovery of a shard, in the order of Felix 7.7. `manifest` has the entries of `offload.manifest`, in any
/// order; none where there is no such file.
///
/// # Errors
/// [`StorageError::InvalidConfig`] for settings that cannot work, [`StorageError::InvalidRange`] for a fresh log placed at
/// the highest offset (Felix 1.4), [`StorageError::Io`] when a segment cannot be read.
/// Damage is no error of this call: it is what the plan is about, see [`Plan::refusal`].
pub fn plan(
    scans: &Scans<'_>,
    mark: Mark,
    manifest: &[ManifestEntry],
    settings: &Settings,
) -> Result<Plan, StorageError> {
    if settings.index_spacing_bytes == 0 {
        return Err(StorageError::InvalidConfig {
            setting: "index_spacing_bytes",
        });
    }
    let shard = scans.shard();
    if let Some(irregular) = shard.segments().find(|segment| segment.bytes.is_none()) {
        // A log without its newest segment would open short, so a segment that cannot be opened ends it.
        let file = SegmentFile::Log { id: irregular.id }.to_string();
        return Ok(Plan::refused(
            shard,
            mark,
            *settings,
            Vec::new(),
            Refusal::Irregular { file },
        ));
    }
    if settings.verify_all_on_open && scans.access().jobs.get() > 1 {
        let ids: Vec<u64> = shard.segments().map(|segment| segment.id).collect();
        scans.warm(&ids);
    }
    let mut draft = Draft::new(scans, mark, manifest, settings);
    match draft.run() {
        Ok(()) => Ok(draft.finish()),
        Err(Stop::Refused(refusal)) => Ok(Plan::refused(
            shard,
            mark,
            *settings,
            draft.into_reports(),
            refusal,
        )),
        Err(Stop::Failed(error)) => Err(error),
    }
}
