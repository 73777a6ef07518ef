//! One shard as a log: append, read, roll, retain, truncate (Felix 8 to 10, 14).
//!
//! ```
//! use ondisk_engine::felix::log::{Bound, Config, Entry, Log};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("shard");
//! let log = Log::open(&path, Config::default())?;
//! let commit = log.append(&[Entry::new(b"hello"), Entry::new(b"world")])?;
//! commit.wait()?;
//! let mut records = log.read(0, Bound::Tail)?;
//! while let Some(record) = records.next()? {
//!     println!("{} {:?}", record.offset(), record.payload());
//! }
//! log.close()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Log`] is a handle; clones share one log, and all of it can be used from many threads. Appends take turns, readers
//! never wait for them nor they for readers. One writer at a time has a shard: the directory is locked while the log is
//! open.
//!
//! # What is durable when
//!
//! | mode | an append is acknowledged | power loss can take |
//! |---|---|---|
//! | [`FsyncMode::OnCommit`] | when a sync covers it | nothing that was acknowledged |
//! | [`FsyncMode::Periodic`] | when it is in the page cache | what was appended since the last interval |
//! | [`FsyncMode::None`] | when it is in the page cache | what was appended since the last seal |
//!
//! After any sync that fails the log is *poisoned*: nothing more is acknowledged, reads stop at the durable bound, and
//! every write is [`StorageError::SyncFailed`] until it is opened again, because a later sync that succeeds says nothing
//! about the pages that the failed one lost.

mod accepted;
mod append;
mod batch;
mod close;
mod config;
mod cuts;
mod environment;
mod epochs;
mod flush;
mod generations;
mod live;
mod manifest;
mod mark;
mod metrics;
mod open;
mod producers;
mod published;
pub mod read;
mod recovered;
mod retention;
mod retired;
mod roll;
mod scan;
mod shared;
mod tasks;
mod truncate;
mod writer;

pub use crate::commit::{Commit, CommitError};
pub use accepted::{Acceptance, LONGEST_LEADER_BYTES};
pub use append::Appended;
pub use batch::{Entry, Mark};
pub use config::{Config, FsyncMode, ReadMode, Retention, SMALLEST_SEGMENT_BYTES};
pub use environment::Environment;
pub use metrics::Metrics;
pub use read::{Bound, Budget, Follow, KeptRecord, ReadOnlyLog, Record, Records};
pub use recovered::Recovered;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ondisk::felix::ManifestEntry;

use self::read::View;
use self::shared::Shared;
use crate::disk::Directory;
use crate::disk::real::RealDirectory;
use crate::felix::error::StorageError;
use crate::felix::producer::{Answer, ProducerState};

/// An open log. Clones are handles of the same one.
///
/// When the last handle goes without a [`close`](Self::close), what was appended is flushed; the end is not a clean one.
#[derive(Clone)]
pub struct Log {
    shared: Arc<Shared>,
    _last: Arc<LastHandle>,
}

/// Ends the log when the last handle of it goes. Tasks and readers refer to it as well, for moments that nobody can tell.
struct LastHandle(Arc<Shared>);

impl Drop for LastHandle {
    fn drop(&mut self) {
        self.0.let_go();
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log")
            .field("shard", &self.shared.label)
            .field("base", &self.base())
            .field("tail", &self.tail())
            .finish_non_exhaustive()
    }
}

impl Log {
    /// Opens the log in the directory at `path`, which is created if need be: locks it, recovers it, and makes what it
    /// recovered durable (Felix 7.9).
    ///
    /// # Errors
    /// [`StorageError::InvalidConfig`]; [`StorageError::Io`] of the operation `lock` when somebody else writes the
    /// directory; [`StorageError::Corruption`] and [`StorageError::Sidecar`] for damage that recovery must not repair;
    /// [`StorageError::Io`] for what the system reports.
    pub fn open(path: impl AsRef<Path>, config: Config) -> Result<Self, StorageError> {
        Self::open_with(path, config, &Environment::default())
    }

    /// The same with threads, limits and a clock that other logs share.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_with(
        path: impl AsRef<Path>,
        config: Config,
        environment: &Environment,
    ) -> Result<Self, StorageError> {
        config.validate()?;
        let path = path.as_ref();
        let directory =
            RealDirectory::create_all(path).map_err(StorageError::io(path, "create"))?;
        Self::open_in(directory, config, environment)
    }

    /// The same in a directory that is open already, on whatever disk.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_in(
        directory: Arc<dyn Directory>,
        config: Config,
        environment: &Environment,
    ) -> Result<Self, StorageError> {
        let shared = Shared::open(directory, config, environment)?;
        let last = Arc::new(LastHandle(Arc::clone(&shared)));
        Ok(Self {
            shared,
            _last: last,
        })
    }

    /// What the open found and did.
    #[must_use]
    pub fn recovered(&self) -> &Recovered {
        &self.shared.recovered
    }

    /// Appends a batch, whole or not at all, in one write (Felix 8.2). The handle tells when it is durable.
    ///
    /// # Errors
    /// In this order: [`StorageError::Closed`]; [`StorageError::SyncFailed`] after a failed sync;
    /// [`StorageError::InvalidRange`] for no records or offsets that do not fit; [`StorageError::Unsupported`] for a
    /// payload over 64 MiB, a batch over `max_batch_bytes`, a producer batch of no records, or a generation start that
    /// is not finalized or not of 8 bytes; [`StorageError::Io`] when the write fails, after which nothing is appended.
    pub fn append(&self, entries: &[Entry<'_>]) -> Result<Commit, StorageError> {
        match self.shared.append(entries, None)? {
            Appended::Written(commit) => Ok(commit),
            // Only a conditional append finds the log elsewhere.
            Appended::TailIs(_) => Err(StorageError::InvalidRange),
        }
    }

    /// Appends a batch if the log ends at `tail`; otherwise nothing is written, and the tail is returned.
    ///
    /// # Errors
    /// Those of [`append`](Self::append).
    pub fn append_at(&self, tail: u64, entries: &[Entry<'_>]) -> Result<Appended, StorageError> {
        self.shared.append(entries, Some(tail))
    }

    /// Appends what a leader appends first at `generation`, before it serves (Felix 14.4).
    ///
    /// # Errors
    /// Those of [`append`](Self::append); [`StorageError::Unsupported`] until `generation_start` is finalized.
    pub fn append_generation_start(&self, generation: u64) -> Result<Commit, StorageError> {
        let payload = generation.to_be_bytes();
        self.append(&[Entry::new(&payload).marked(Mark::GenerationStart)])
    }

    /// Reads from `from` on, all records in order (Felix 9). A start at or past what the bound allows is an empty read.
    ///
    /// # Errors
    /// [`StorageError::Closed`]; [`StorageError::Trimmed`] for a start below the base.
    pub fn read(&self, from: u64, bound: Bound) -> Result<Records, StorageError> {
        Records::new(self.view(), from, bound)
    }

    /// Reads records from `start` on at once: the first whatever its size, a later one only while payloads fit
    /// `max_bytes`, at most `max_records_per_read`. Generation starts are among them (Felix 9).
    ///
    /// # Errors
    /// Those of [`Records::next`]; nothing is returned when a record on the way fails.
    pub fn read_range(&self, start: u64, max_bytes: u64) -> Result<Vec<KeptRecord>, StorageError> {
        let most = self.shared.config.max_records_per_read;
        read::range(self.view(), start, Bound::Tail, max_bytes, most)
    }

    /// Reads from `from` on and waits for more at the end, woken by whatever moves the bound.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn follow(&self, from: u64, bound: Bound) -> Result<Follow, StorageError> {
        Ok(Follow::new(self.read(from, bound)?))
    }

    fn view(&self) -> Arc<dyn View> {
        Arc::clone(&self.shared) as Arc<dyn View>
    }

    /// Makes everything appended before the call durable, whatever the mode. Returns the durable bound.
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::SyncFailed`].
    pub fn sync(&self) -> Result<u64, StorageError> {
        self.shared.sync()
    }

    /// The oldest offset that can be read.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.shared.published.base()
    }

    /// One past the newest offset.
    #[must_use]
    pub fn tail(&self) -> u64 {
        self.shared.published.tail()
    }

    /// The durable bound: everything below is flushed.
    #[must_use]
    pub fn durable(&self) -> u64 {
        self.shared.commit.durable()
    }

    /// Seals the active segment and goes on in a new one, unless it is empty.
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::SyncFailed`], [`StorageError::Io`] when no new segment can be created;
    /// the log goes on in the old one then.
    pub fn roll(&self) -> Result<(), StorageError> {
        let mut writer = self.shared.writer();
        self.shared.usable(&writer)?;
        if writer.active.is_empty() {
            return Ok(());
        }
        self.shared.roll(&mut writer, 0)
    }

    /// Drops all records at or above `offset` (Felix 14.1). Never waits for readers: those above the cut are told
    /// [`StorageError::Rewound`], and what they hold stays as it was.
    ///
    /// # Errors
    /// [`StorageError::BelowCommit`] when that would drop what a majority holds; [`StorageError::Closed`],
    /// [`StorageError::SyncFailed`]; [`StorageError::Io`], after which the log is poisoned and the next open does the rest.
    pub fn truncate(&self, offset: u64) -> Result<(), StorageError> {
        self.shared.truncate(offset)
    }

    /// Drops all records, and goes on at `base`, which may lie anywhere (Felix 14.2).
    ///
    /// # Errors
    /// Those of [`truncate`](Self::truncate); [`StorageError::InvalidRange`] for the highest offset.
    pub fn reset_to(&self, base: u64) -> Result<(), StorageError> {
        self.shared.reset_to(base)
    }

    /// Goes back to `offset`, lowering the commit if need be (Felix 14.3): for a copy that is restored while nobody else
    /// is at work. Can be repeated.
    ///
    /// # Errors
    /// [`StorageError::OutsideLog`]; otherwise those of [`truncate`](Self::truncate).
    pub fn restore_to(&self, offset: u64) -> Result<(), StorageError> {
        self.shared.restore_to(offset)
    }

    /// Makes a retention pass now (Felix 10). Returns how many segments it deleted.
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::SyncFailed`]; [`StorageError::Io`] for a segment that could not be removed,
    /// which ends the pass. It is in the log as before, and the next pass begins with it.
    pub fn retain(&self) -> Result<u64, StorageError> {
        self.shared.retain()
    }

    /// Keeps segments that hold anything not committed from retention, or no longer (Felix 14.4).
    pub fn hold_retention_at_commit(&self, hold: bool) {
        self.shared.hold_retention.store(hold, Ordering::Relaxed);
    }

    /// Which segments have copies in the object store (Felix 11.6), by base offset.
    #[must_use]
    pub fn offloaded(&self) -> Vec<ManifestEntry> {
        self.shared.manifest.entries()
    }

    /// What is known of a batch that a producer sends (Felix 12.2).
    #[must_use]
    pub fn classify(&self, producer: u64, sequence: u64) -> Answer {
        self.shared.writer().producers.classify(producer, sequence)
    }

    /// What is known of all producers.
    #[must_use]
    pub fn producers(&self) -> ProducerState {
        self.shared.writer().producers.clone()
    }

    /// What the log did since it was opened, and where it stands.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        self.shared.metrics()
    }

    /// Ends the log cleanly: timers stop, what was appended is flushed, `replica` and the durable mark are written, the
    /// directory is unlocked. Every later call is [`StorageError::Closed`].
    ///
    /// # Errors
    /// [`StorageError::Closed`] the second time, [`StorageError::SyncFailed`], [`StorageError::Io`]. The log is closed
    /// whatever it returns.
    pub fn close(&self) -> Result<(), StorageError> {
        self.shared.close()
    }
}
