//! What a log did, in numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counters of one log. Written with relaxed order: each number is right, two of them may be a moment apart.
#[derive(Debug, Default)]
pub(super) struct Counters {
    appends: AtomicU64,
    records: AtomicU64,
    bytes: AtomicU64,
    rolls: AtomicU64,
    flushes: AtomicU64,
    records_flushed: AtomicU64,
    flush_nanos: AtomicU64,
    slowest_flush_nanos: AtomicU64,
    truncations: AtomicU64,
    segments_trimmed: AtomicU64,
}

/// A look at what a log did since it was opened, and where it stands.
///
/// ```
/// use ondisk_engine::felix::log::{Config, Entry, Log};
///
/// # let place = tempfile::tempdir()?;
/// let log = Log::open(place.path(), Config::default())?;
/// log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// log.sync()?;
/// let metrics = log.metrics();
/// assert_eq!((metrics.appends, metrics.records, metrics.durable), (1, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// Batches appended.
    pub appends: u64,
    /// Records appended.
    pub records: u64,
    /// Bytes appended, as they lie on disk.
    pub bytes: u64,
    /// Segments begun.
    pub rolls: u64,
    /// Flushes that succeeded.
    pub flushes: u64,
    /// Records that flushes made durable; divided by `flushes`, how many each served.
    pub records_flushed: u64,
    /// Time spent in flushes.
    pub flush_time: Duration,
    /// The slowest flush.
    pub slowest_flush: Duration,
    /// Truncations and resets.
    pub truncations: u64,
    /// Segments that retention removed.
    pub segments_trimmed: u64,
    /// Bytes flushed since the durable mark was last synced.
    pub mark_lag_bytes: u64,
    /// The oldest offset that can be read.
    pub base: u64,
    /// One past the newest offset.
    pub tail: u64,
    /// The durable bound: all below is flushed.
    pub durable: u64,
    /// One past the newest record known to be held by a majority.
    pub commit: u64,
    /// Segments.
    pub segments: usize,
    /// Bytes of segments that are unlinked or cut, and kept alive by readers.
    pub pinned_bytes: u64,
    /// What recovery did at the open, by name of the report.
    pub repairs: BTreeMap<&'static str, u64>,
    /// Whether a failed sync ended all writing.
    pub poisoned: bool,
    /// Features whose finalized level lies below what is on disk already.
    pub feature_behind: Vec<&'static str>,
}

impl Counters {
    /// A batch was written.
    pub(super) fn appended(&self, records: u64, bytes: u64) {
        // Only the holder of the writer counts these, so no addition needs to be atomic.
        let add = |counter: &AtomicU64, by: u64| {
            let now = counter.load(Ordering::Relaxed);
            counter.store(now.wrapping_add(by), Ordering::Relaxed);
        };
        add(&self.appends, 1);
        add(&self.records, records);
        add(&self.bytes, bytes);
    }

    /// A segment was begun.
    pub(super) fn rolled(&self) {
        self.rolls.fetch_add(1, Ordering::Relaxed);
    }

    /// A flush made `records` more of them durable.
    pub(super) fn flushed(&self, records: u64, took: Duration) {
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.flushes.fetch_add(1, Ordering::Relaxed);
        self.records_flushed.fetch_add(records, Ordering::Relaxed);
        self.flush_nanos.fetch_add(nanos, Ordering::Relaxed);
        self.slowest_flush_nanos.fetch_max(nanos, Ordering::Relaxed);
    }

    /// The log was cut back or reset.
    pub(super) fn truncated(&self) {
        self.truncations.fetch_add(1, Ordering::Relaxed);
    }

    /// Retention removed a segment.
    pub(super) fn trimmed(&self) {
        self.segments_trimmed.fetch_add(1, Ordering::Relaxed);
    }

    /// The numbers; those that the log itself knows are left at their defaults.
    pub(super) fn snapshot(&self) -> Metrics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Metrics {
            appends: get(&self.appends),
            records: get(&self.records),
            bytes: get(&self.bytes),
            rolls: get(&self.rolls),
            flushes: get(&self.flushes),
            records_flushed: get(&self.records_flushed),
            flush_time: Duration::from_nanos(get(&self.flush_nanos)),
            slowest_flush: Duration::from_nanos(get(&self.slowest_flush_nanos)),
            truncations: get(&self.truncations),
            segments_trimmed: get(&self.segments_trimmed),
            ..Metrics::default()
        }
    }
}
