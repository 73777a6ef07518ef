//! The plan as a value.

use ondisk::felix::name::SegmentFile;

use super::{Category, Refusal, Report, Settings};
use crate::felix::mark::Mark;
use crate::felix::shard::{Foreign, Shard};

/// What recovery finds in a shard, does about it, and leaves.
///
/// ```
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::mark::Mark;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::recovery::{Plan, Scans, Settings, Step, plan};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// # let segment = path.join("00000000000000000000.log");
/// # let mut segment = std::fs::File::options().append(true).open(segment)?;
/// # std::io::Write::write_all(&mut segment, b"torn")?;
/// # let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// # let scans = Scans::new(&shard, Access::default());
/// let plan: Plan = plan(&scans, Mark(None), &[], &Settings::default())?;
/// let log = plan.log.as_ref().expect("it opens");
/// assert_eq!((log.base, log.tail), (0, 2));
/// let cut = plan.steps.iter().find(|step| matches!(step, Step::Cut { segment: 0, .. }));
/// assert!(cut.is_some());
/// println!("{} {plan}", plan.id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Label of the shard, or the path of its directory.
    pub label: String,
    /// The settings that it was made with.
    pub settings: Settings,
    /// The durable mark that it was made with.
    pub mark: Mark,
    /// Every segment that was there and every segment under a temporary name, with its length in bytes.
    pub listed: Vec<(SegmentFile, u64)>,
    /// The findings, in the order in which they were planned. When refused, what was planned before the refusal.
    pub reports: Vec<Report>,
    /// Names that are reported and left alone.
    pub foreign: Vec<Foreign>,
    /// Why the log does not open, if it does not.
    pub refusal: Option<Refusal>,
    /// What is to be done, in this order; nothing when refused.
    pub steps: Vec<Step>,
    /// The log afterwards; none when refused.
    pub log: Option<PlannedLog>,
}

/// A log after a plan was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedLog {
    /// The oldest offset.
    pub base: u64,
    /// One past the newest offset.
    pub tail: u64,
    /// The segments that remain, oldest first; none of a fresh log.
    pub segments: Vec<PlannedSegment>,
}

impl PlannedLog {
    /// Whether no segment is left, so that the log starts empty.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.segments.is_empty()
    }

    /// Number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.tail.saturating_sub(self.base)
    }
}

/// A segment that remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedSegment {
    /// Its id.
    pub id: u64,
    /// Its name now: a temporary one when a reset was interrupted before its rename.
    pub file: SegmentFile,
    /// Its version.
    pub version: u32,
    /// Offset of its first record, also while there is none.
    pub base_offset: u64,
    /// One past the offset of its last record.
    pub next_offset: u64,
    /// Its length now, in bytes.
    pub file_bytes: u64,
    /// Its length afterwards, in bytes.
    pub valid_bytes: u64,
}

impl PlannedSegment {
    /// Number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.next_offset.saturating_sub(self.base_offset)
    }
}

/// One thing to do. Each is done, and durable where it says so, before the next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Copy the end of a segment to a new file, created exclusively; sync that file and the directory.
    Save {
        /// Id of the segment.
        segment: u64,
        /// First byte to copy.
        from: u64,
        /// Number of bytes to copy, all up to the end; holes in them may stay holes.
        bytes: u64,
        /// The new file.
        to: SegmentFile,
    },
    /// Set the length of a segment and sync its data.
    Cut {
        /// Id of the segment.
        segment: u64,
        /// The length, in bytes.
        position: u64,
    },
    /// Take a name away.
    Unlink {
        /// The name.
        file: SegmentFile,
    },
    /// Rename a file to a name that is free.
    Rename {
        /// The name.
        from: SegmentFile,
        /// The new name.
        to: SegmentFile,
    },
    /// Take `durable.mark` away.
    RemoveMark,
    /// Sync the directory.
    SyncDirectory,
    /// Scan a segment and write its index anew, whole; sync it. The entries are no part of the plan, so that a directory
    /// which lost all its indexes needs no memory in proportion to its size. A failure here fails nothing.
    WriteIndex {
        /// Id of the segment.
        segment: u64,
    },
    /// Create a segment with its header; sync it and the directory.
    Create {
        /// Id of the segment.
        segment: u64,
        /// Offset of its first record to come.
        base_offset: u64,
    },
}

impl Plan {
    pub(super) fn accepted(
        shard: &Shard,
        mark: Mark,
        settings: Settings,
        reports: Vec<Report>,
        steps: Vec<Step>,
        log: PlannedLog,
    ) -> Self {
        Self {
            reports,
            steps,
            log: Some(log),
            ..Self::of(shard, mark, settings)
        }
    }

    pub(super) fn refused(
        shard: &Shard,
        mark: Mark,
        settings: Settings,
        reports: Vec<Report>,
        refusal: Refusal,
    ) -> Self {
        let refusal = match refusal {
            Refusal::Corruption { corruption, opt_in } => Refusal::Corruption {
                corruption: corruption.in_shard(shard.label()),
                opt_in,
            },
            other => other,
        };
        Self {
            reports,
            refusal: Some(refusal),
            ..Self::of(shard, mark, settings)
        }
    }

    fn of(shard: &Shard, mark: Mark, settings: Settings) -> Self {
        let segments = shard
            .segments()
            .filter_map(|entry| Some((SegmentFile::Log { id: entry.id }, entry.bytes?)));
        let temporaries = shard
            .temporaries()
            .map(|(id, bytes)| (SegmentFile::Temporary { id }, bytes));
        Self {
            label: shard.label().to_owned(),
            settings,
            mark,
            listed: segments.chain(temporaries).collect(),
            reports: Vec::new(),
            foreign: shard.foreign().to_vec(),
            refusal: None,
            steps: Vec::new(),
            log: None,
        }
    }

    /// What the plan comes to. Sidecars that are read after it can still refuse the open.
    #[must_use]
    pub fn category(&self) -> Category {
        Category::of(&self.reports, self.refusal.as_ref())
    }

    /// Whether nothing is wrong: no refusal, and nothing reported but foreign names and indexes that were right.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.refusal.is_none() && !self.reports.iter().any(Report::is_damage)
    }

    /// Whether a report is of bytes that nobody was promised: cut off past a mark that is there. In a log that is being
    /// written this is what is not flushed yet, not damage.
    #[must_use]
    pub fn is_unflushed(&self, report: &Report) -> bool {
        match report {
            Report::Cut(cut) => self
                .mark
                .unsynced_from(cut.segment)
                .is_some_and(|from| cut.position >= from),
            Report::UnfinishedRoll(roll) => self
                .mark
                .unsynced_from(roll.segment)
                .is_some_and(|from| roll.position >= from),
            _ => false,
        }
    }
}
