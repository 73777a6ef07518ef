//! What a log is opened with (Felix 8.1).

use std::collections::BTreeMap;
use std::time::Duration;

use ondisk::Feature;
use ondisk::felix::name::ShardKey;

use crate::felix::error::StorageError;
use crate::felix::opening::LogKind;
use crate::felix::recovery::{Provable, Settings};

/// Settings of a log. The defaults are those of Felix 8.1; `Config::default()` opens a log that works.
///
/// ```
/// use ondisk_engine::felix::log::{Config, FsyncMode};
///
/// let config = Config {
///     fsync: FsyncMode::OnCommit,
///     segment_size_bytes: 64 << 20,
///     ..Config::default()
/// };
/// assert!(config.validate().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// Whose log it is, for errors and reports; without a key the path of the directory names it.
    pub key: Option<ShardKey>,
    /// What the records are.
    pub kind: LogKind,
    /// When an append is acknowledged, and what flushes.
    pub fsync: FsyncMode,
    /// Length at which a segment is full, in bytes; at least [`SMALLEST_SEGMENT_BYTES`].
    pub segment_size_bytes: u64,
    /// Record bytes between two entries of an index; at least 1.
    pub index_spacing_bytes: u64,
    /// Records that one call of [`Log::read_range`](super::Log::read_range) returns at most; at least 1.
    pub max_records_per_read: usize,
    /// Sealed segments that stay open for readers; at least 1.
    pub max_open_sealed_segments: usize,
    /// Bytes of one batch on disk at most, which bounds the buffer and the single write; at least 64 MiB and a record
    /// header with its tag, so that every record fits.
    pub max_batch_bytes: u64,
    /// Reserves blocks ahead of the records, without changing the length of the file.
    pub preallocate: bool,
    /// Fill, in percent of `segment_size_bytes`, at which the next segment is prepared in the background; 100 rolls in the
    /// append that finds the segment full.
    pub rollover_threshold_percent: u32,
    /// How far, in percent of `segment_size_bytes`, a segment may grow beyond its size while the next one is being
    /// prepared, before an append rolls by itself.
    pub max_overshoot_percent: u32,
    /// Opts in to cutting a damaged last record that is complete (Felix 7.3, rule 3).
    pub repair_checksum_tail: bool,
    /// Scans sealed segments in full at an open.
    pub verify_all_on_open: bool,
    /// The repairs that are provable (Felix 7.1).
    pub provable: Provable,
    /// What is kept.
    pub retention: Retention,
    /// The base of a log that turns out to be fresh; an existing log ignores it (Felix 14.3).
    pub open_at: u64,
    /// Finalized levels of features by name; one that is not there has level 0 (Felix 15.2).
    pub features: BTreeMap<String, u16>,
    /// How readers get at segments.
    pub read_mode: ReadMode,
}

/// When an append is acknowledged (Felix 8.5).
///
/// ```
/// use ondisk_engine::felix::log::FsyncMode;
///
/// assert!(FsyncMode::default().acknowledges_early());
/// assert!(!FsyncMode::OnCommit.acknowledges_early());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FsyncMode {
    /// After the write to the page cache; flushed when a segment is sealed, on truncation and at the close only.
    None,
    /// After the write to the page cache; flushed every interval and at the close.
    Periodic {
        /// Time between two flushes; not 0.
        interval: Duration,
    },
    /// When the flush that covers the batch has returned.
    OnCommit,
}

impl FsyncMode {
    /// Whether an append is acknowledged ahead of its flush: bit 0 of the flags of `run-state` (Felix 11.8).
    #[must_use]
    pub const fn acknowledges_early(self) -> bool {
        !matches!(self, Self::OnCommit)
    }
}

/// What is kept (Felix 10). Without a bound everything is.
///
/// ```
/// use ondisk_engine::felix::log::{Config, Retention};
///
/// let week = std::time::Duration::from_secs(7 * 24 * 60 * 60);
/// let retention = Retention { bytes: Some(1 << 40), age: Some(week), ..Retention::default() };
/// let config = Config { retention, ..Config::default() };
/// # assert!(config.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Bytes of all segments together; not 0.
    pub bytes: Option<u64>,
    /// Age of the last record of a segment; not 0.
    pub age: Option<Duration>,
    /// Time between two passes; not 0 when a bound is set.
    pub interval: Duration,
}

/// How readers get at segments.
///
/// ```
/// use ondisk_engine::felix::log::{Config, ReadMode};
///
/// // On a network file system a page that cannot be read must be an error, not a signal.
/// let config = Config { read_mode: ReadMode::Pread, ..Config::default() };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadMode {
    /// Mapped pages. For a local directory that only this library writes: a medium that fails under a mapping, or a
    /// foreign hand that shortens a file, raises `SIGBUS`.
    #[default]
    Mapped,
    /// `pread` into windows, so that every failure is an error.
    Pread,
}

/// Smallest `segment_size_bytes` (Felix 1.4).
pub const SMALLEST_SEGMENT_BYTES: u64 = 60;

/// Longest record on disk (Felix 1.4).
pub(crate) const LONGEST_RECORD_BYTES: u64 = {
    use ondisk::felix::{MAX_PAYLOAD_BYTES, ProducerTag, Record};
    Record::MIN as u64 + ProducerTag::MIN as u64 + MAX_PAYLOAD_BYTES as u64
};

impl Default for Retention {
    fn default() -> Self {
        Self {
            bytes: None,
            age: None,
            interval: Duration::from_secs(60),
        }
    }
}

impl Default for FsyncMode {
    fn default() -> Self {
        Self::Periodic {
            interval: Duration::from_millis(250),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            key: None,
            kind: LogKind::Stream,
            fsync: FsyncMode::default(),
            segment_size_bytes: 256 << 20,
            index_spacing_bytes: 4096,
            max_records_per_read: 10_000,
            max_open_sealed_segments: 256,
            max_batch_bytes: 128 << 20,
            preallocate: true,
            rollover_threshold_percent: 100,
            max_overshoot_percent: 100,
            repair_checksum_tail: false,
            verify_all_on_open: false,
            provable: Provable::ALL,
            retention: Retention::default(),
            open_at: 0,
            features: BTreeMap::new(),
            read_mode: ReadMode::Mapped,
        }
    }
}

impl Config {
    /// Refuses values that cannot work.
    ///
    /// # Errors
    /// [`StorageError::InvalidConfig`] with the setting's name.
    pub fn validate(&self) -> Result<(), StorageError> {
        let periodic_without_interval = matches!(
            self.fsync,
            FsyncMode::Periodic { interval } if interval.is_zero()
        );
        let retention = &self.retention;
        let bounded = retention.bytes.is_some() || retention.age.is_some();
        let refused = [
            ("fsync_interval", periodic_without_interval),
            (
                "segment_size_bytes",
                self.segment_size_bytes < SMALLEST_SEGMENT_BYTES,
            ),
            ("index_spacing_bytes", self.index_spacing_bytes == 0),
            ("max_records_per_read", self.max_records_per_read == 0),
            (
                "max_open_sealed_segments",
                self.max_open_sealed_segments == 0,
            ),
            (
                "max_batch_bytes",
                self.max_batch_bytes < LONGEST_RECORD_BYTES,
            ),
            (
                "rollover_threshold_percent",
                !(1..=100).contains(&self.rollover_threshold_percent),
            ),
            ("retention_bytes", retention.bytes == Some(0)),
            (
                "retention_age",
                retention.age.is_some_and(|age| age.is_zero()),
            ),
            (
                "retention_interval",
                bounded && retention.interval.is_zero(),
            ),
            ("open_at", self.open_at == u64::MAX),
        ];
        match refused.into_iter().find(|&(_, refused)| refused) {
            Some((setting, _)) => Err(StorageError::InvalidConfig { setting }),
            None => Ok(()),
        }
    }

    /// Sets the finalized level of a feature.
    #[must_use]
    pub fn with_feature(mut self, name: impl Into<String>, level: u16) -> Self {
        self.features.insert(name.into(), level);
        self
    }

    /// Whether a feature is finalized, so that what it gates may be written.
    #[must_use]
    pub fn allows(&self, feature: Feature) -> bool {
        self.features
            .get(feature.name)
            .is_some_and(|&level| level >= feature.level)
    }

    /// What recovery may do.
    #[must_use]
    pub fn recovery(&self) -> Settings {
        Settings {
            repair_checksum_tail: self.repair_checksum_tail,
            verify_all_on_open: self.verify_all_on_open,
            provable: self.provable,
            index_spacing_bytes: self.index_spacing_bytes,
            open_at: self.open_at,
        }
    }
}
