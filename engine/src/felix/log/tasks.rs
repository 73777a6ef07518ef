//! What a log does when nobody waits for it.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::config::{Config, FsyncMode};
use super::shared::Shared;
use crate::background::{Background, Task};

/// The background tasks of one log. None of them keeps the log alive.
#[derive(Debug)]
pub(super) struct Tasks {
    flush: Task,
    roll: Task,
    mark: Task,
    replica: Task,
    retention: Task,
    /// When each periodic one is due next; also keeps a task from being planned twice.
    planned: Mutex<Planned>,
}

#[derive(Debug, Default)]
struct Planned {
    flush: Option<Duration>,
}

/// How far the synced mark may lag behind flushes (Felix 6).
const MARK_LAG: Duration = Duration::from_secs(5);

/// Time between two writes of a `replica` that lags where nothing is acknowledged by flushes, and between two attempts
/// of one that failed (Felix 11.3).
const REPLICA_LAG: Duration = Duration::from_secs(1);

impl Tasks {
    /// Registers them; none runs before it is due.
    pub(super) fn new(log: &Weak<Shared>, background: &Background) -> Self {
        let task = |job: fn(&Shared)| {
            let log = Weak::clone(log);
            background.task(move || {
                if let Some(log) = log.upgrade() {
                    job(&log);
                }
            })
        };
        Self {
            flush: task(Shared::flush_by_timer),
            roll: task(Shared::roll_by_task),
            mark: task(Shared::sync_mark),
            replica: task(Shared::write_replica_behind),
            retention: task(Shared::retain_by_timer),
            planned: Mutex::default(),
        }
    }

    /// Starts those that run by the clock.
    pub(super) fn start(&self, config: &Config, now: Duration) {
        if let FsyncMode::Periodic { interval } = config.fsync {
            self.plan_flush(now, interval);
        }
        if config.retention.bytes.is_some() || config.retention.age.is_some() {
            self.retention
                .at(now.saturating_add(config.retention.interval));
        }
    }

    /// Plans the next flush one interval after the one that was due: missed ones are not made up (Felix 8.5).
    fn plan_flush(&self, now: Duration, interval: Duration) {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let due = planned.flush.unwrap_or(now).saturating_add(interval);
        let due = if due <= now {
            now.saturating_add(interval)
        } else {
            due
        };
        planned.flush = Some(due);
        drop(planned);
        self.flush.at(due);
    }

    /// The active segment is full enough for the next one to be prepared.
    pub(super) fn wake_roll(&self) {
        self.roll.wake();
    }

    /// So much was flushed that the mark is to be synced.
    pub(super) fn wake_mark(&self) {
        self.mark.wake();
    }

    /// The mark lags behind what was flushed.
    pub(super) fn plan_mark(&self, now: Duration) {
        self.mark.at(now.saturating_add(MARK_LAG));
    }

    /// The commit was advanced.
    pub(super) fn write_replica(&self, fsync: FsyncMode, now: Duration) {
        match fsync {
            FsyncMode::OnCommit => self.replica.wake(),
            FsyncMode::None | FsyncMode::Periodic { .. } => self.plan_replica(now),
        }
    }

    fn plan_replica(&self, now: Duration) {
        self.replica.at(now.saturating_add(REPLICA_LAG));
    }

    /// Ends them all, and waits for those that run.
    pub(super) fn stop(&self) {
        for task in [
            &self.flush,
            &self.roll,
            &self.mark,
            &self.replica,
            &self.retention,
        ] {
            task.cancel_and_wait();
        }
    }
}

impl Shared {
    fn flush_by_timer(&self) {
        if self.commit.durable() < self.published.tail() {
            // A failure poisons the log, and whoever asks next is told.
            let _told_by_the_next_call = self.commit.flush();
        }
        if let FsyncMode::Periodic { interval } = self.config.fsync
            && !self.commit.is_poisoned()
        {
            self.tasks.plan_flush(self.clock.monotonic(), interval);
        }
    }

    fn roll_by_task(&self) {
        if let Err(error) = self.roll_in_background() {
            tracing::warn!(shard = %self.label, %error, "a background roll failed; an append will roll by itself");
        }
    }

    fn write_replica_behind(&self) {
        if let Err(error) = self.accepted.write_behind(&*self.directory) {
            tracing::warn!(shard = %self.label, %error, "replica was not written; tried again in a second");
            self.tasks.plan_replica(self.clock.monotonic());
        }
    }

    fn retain_by_timer(&self) {
        if let Err(error) = self.retain() {
            tracing::warn!(shard = %self.label, %error, "retention stopped early");
        }
        if !self.commit.is_poisoned() {
            let next = self
                .clock
                .monotonic()
                .saturating_add(self.config.retention.interval);
            self.tasks.retention.at(next);
        }
    }
}

/// A task needs no more than a weak handle.
#[expect(
    dead_code,
    reason = "says at compile time that a log can be shared by threads"
)]
fn is_shared(log: Arc<Shared>) -> impl Send + Sync {
    log
}
