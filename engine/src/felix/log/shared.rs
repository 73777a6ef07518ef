//! What all handles of one log share.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use ondisk::felix::name::SegmentFile;

use super::accepted::AcceptedGeneration;
use super::config::Config;
use super::epochs::EpochHistory;
use super::manifest::OffloadManifest;
use super::mark::DurableMark;
use super::metrics::{Counters, Metrics};
use super::published::Published;
use super::read::{Bound, Opener, Signal, View};
use super::recovered::Recovered;
use super::retention::LastPass;
use super::retired::Queue;
use super::roll::Prepared;
use super::tasks::Tasks;
use super::writer::Writer;
use crate::clock::Clock;
use crate::commit::{CommitError, GroupCommit};
use crate::disk::{Directory, Lock};
use crate::felix::error::StorageError;

/// One open log. Locks are taken in this order: `calls`, the flush lock of `commit`, `last_pass`, `removing`, `gate`,
/// `writer`, `prepared`, `retired`, the list of segments, then those of sidecars.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: Config,
    pub(super) label: String,
    pub(super) directory: Arc<dyn Directory>,
    pub(super) clock: Arc<dyn Clock>,
    /// The end of the log.
    pub(super) writer: Mutex<Writer>,
    /// Held while somebody else than an append waits for `writer`, and how many do.
    pub(super) gate: Mutex<()>,
    pub(super) ahead: AtomicUsize,
    /// The next segment, made ready in the background.
    pub(super) prepared: Mutex<Option<Prepared>>,
    /// Segments that wait for their seal, oldest first; held while one is sealed.
    pub(super) retired: Mutex<Queue>,
    /// What readers see.
    pub(super) published: Arc<Published>,
    /// The durable bound, and who waits for it.
    pub(super) commit: GroupCommit,
    pub(super) mark: DurableMark,
    pub(super) epochs: EpochHistory,
    pub(super) accepted: AcceptedGeneration,
    pub(super) manifest: OffloadManifest,
    /// Woken by appends, cuts and the close.
    pub(super) appended: Signal,
    pub(super) metrics: Counters,
    pub(super) tasks: Tasks,
    /// Set by `close`, with the writer held.
    pub(super) closed: AtomicBool,
    /// Held by calls that write beside the segments.
    pub(super) calls: RwLock<()>,
    /// Retention keeps what is not committed yet (Felix 14.4).
    pub(super) hold_retention: AtomicBool,
    pub(super) last_pass: Mutex<LastPass>,
    pub(super) removing: Mutex<()>,
    /// How readers get at segments.
    pub(super) opener: Opener,
    /// What the open found and did.
    pub(super) recovered: Recovered,
    /// Released when all else is gone.
    pub(super) lock: Mutex<Option<Lock>>,
}

impl View for Shared {
    fn label(&self) -> &str {
        &self.label
    }

    fn published(&self) -> &Arc<Published> {
        &self.published
    }

    fn opener(&self) -> &Opener {
        &self.opener
    }

    fn limit(&self, bound: Bound) -> u64 {
        let tail = self.published.tail();
        let allowed = match bound {
            Bound::Tail => tail,
            Bound::Durable => self.commit.durable(),
            Bound::Commit => self.accepted.commit(),
        };
        // What a failed sync may have lost is not handed out (Felix 8.5).
        let most = match self.commit.is_poisoned() {
            true => self.commit.durable().min(tail),
            false => tail,
        };
        allowed.min(most)
    }

    fn check(&self) -> Result<(), StorageError> {
        if self.is_closed() {
            return Err(self.closed());
        }
        Ok(())
    }

    fn is_poisoned(&self) -> bool {
        self.commit.is_poisoned()
    }

    fn signal(&self) -> &Signal {
        &self.appended
    }

    fn refresh(&self) -> Result<Option<Duration>, StorageError> {
        // Whatever changes tells.
        Ok(None)
    }

    fn look_back(&self) -> Result<(), StorageError> {
        Ok(())
    }
}

impl Shared {
    /// The end of the log, ahead of appends that begin from now on: who appends in a loop would have the lock again before
    /// anybody who waits for it wakes up.
    pub(super) fn writer(&self) -> MutexGuard<'_, Writer> {
        self.ahead.fetch_add(1, Ordering::AcqRel);
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.ahead.fetch_sub(1, Ordering::AcqRel);
        drop(gate);
        writer
    }

    /// The end of the log, for an append.
    pub(super) fn writer_in_turn(&self) -> MutexGuard<'_, Writer> {
        if self.ahead.load(Ordering::Acquire) > 0 {
            drop(self.gate.lock().unwrap_or_else(PoisonError::into_inner));
        }
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held while a segment is taken off the disk, and while the log is cut.
    pub(super) fn removing(&self) -> MutexGuard<'_, ()> {
        self.removing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn prepared(&self) -> MutexGuard<'_, Option<Prepared>> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn retired(&self) -> MutexGuard<'_, Queue> {
        self.retired.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clocks at the last retention pass; held while one runs.
    pub(super) fn last_pass(&self) -> MutexGuard<'_, LastPass> {
        self.last_pass
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a write after a close or a failed sync. While what it returns is held, a close waits: another process may
    /// have the directory when that returns.
    pub(super) fn open_for_writes(&self) -> Result<RwLockReadGuard<'_, ()>, StorageError> {
        let call = self.calls.read().unwrap_or_else(PoisonError::into_inner);
        self.usable(&self.writer())?;
        Ok(call)
    }

    /// Waits for calls that write without the writer. None begins once the log says that it is closed.
    pub(super) fn wait_for_calls(&self) {
        drop(self.calls.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// What the log did and where it stands.
    pub(super) fn metrics(&self) -> Metrics {
        let mut repairs = BTreeMap::new();
        for report in &self.recovered.reports {
            *repairs.entry(report.name()).or_insert(0) += 1;
        }
        Metrics {
            mark_lag_bytes: self.mark.lag(),
            base: self.published.base(),
            tail: self.published.tail(),
            durable: self.commit.durable(),
            commit: self.accepted.commit(),
            segments: self.published.segments().len(),
            pinned_bytes: self.opener.pinned_bytes(),
            repairs,
            poisoned: self.commit.is_poisoned(),
            feature_behind: self.recovered.feature_behind.clone(),
            ..self.metrics.snapshot()
        }
    }

    /// Ends all writing: a sync or a rewind failed, so what lies on the device is not known any more.
    pub(super) fn poison(&self, doing: &str, error: &dyn Error) {
        tracing::error!(shard = %self.label, doing, %error, "the log is poisoned until it is reopened");
        self.commit.poison();
        self.published.cuts.stir();
        self.appended.notify();
    }

    /// Whether `close` was called.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// The error of a call after the close.
    pub(super) fn closed(&self) -> StorageError {
        StorageError::Closed {
            shard: self.label.clone(),
        }
    }

    /// What a failure of group commit is.
    pub(super) fn commit_error(&self, error: CommitError) -> StorageError {
        match error {
            CommitError::Rewound { to } => StorageError::Rewound { to },
            CommitError::Closed => self.closed(),
            _ => StorageError::SyncFailed,
        }
    }

    /// What a failed operation on a segment is.
    pub(super) fn segment_error(
        &self,
        id: u64,
        operation: &'static str,
    ) -> impl FnOnce(io::Error) -> StorageError {
        let name = SegmentFile::Log { id }.to_string();
        StorageError::io(self.directory.path().join(name), operation)
    }

    /// What a failed operation on the shard's directory is.
    pub(super) fn directory_error(
        &self,
        operation: &'static str,
    ) -> impl FnOnce(io::Error) -> StorageError {
        StorageError::io(self.directory.path(), operation)
    }
}
