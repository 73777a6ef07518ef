//! The flush lock.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::error::CommitError;
use super::flush::Flush;
use super::group::Group;
use super::waiter::Wakes;
use crate::sync::{Stopwatch, thread};

/// The flush lock of a log: as long as it is held no other flush runs. Gives it back, and wakes whoever is to be woken, when
/// dropped.
///
/// ```
/// use std::io;
/// use std::sync::Arc;
///
/// use ondisk_engine::background::Background;
/// use ondisk_engine::commit::{Flush, GroupCommit};
///
/// /// A log of eight records that are flushed.
/// struct Eight;
///
/// impl Flush for Eight {
///     fn flush(&self) -> io::Result<u64> {
///         Ok(8)
///     }
/// }
///
/// let flush: Arc<dyn Flush> = Arc::new(Eight);
/// let commits = GroupCommit::new(8, Arc::downgrade(&flush), &Background::default());
/// let no_flush_meanwhile = commits.exclusive();
/// // Here a log is cut.
/// commits.lower(5);
/// drop(no_flush_meanwhile);
/// assert_eq!(commits.durable(), 5);
/// ```
pub struct Held<'a> {
    group: &'a Group,
    wakes: Wakes,
    /// Threads that wait for their own records here, and are not in the queue: none or one.
    leaders: usize,
    flushing: bool,
    /// Kept until the lock is given back: what goes with the last reference to a log may want it.
    flush: Option<Arc<dyn Flush>>,
}

/// Which part of the time of a flush may pass before it.
const PART: u32 = 4;

/// What may pass at most.
const LONGEST: Duration = Duration::from_millis(1);

impl<'a> Held<'a> {
    /// Of a group whose lock was taken for it, by a thread that waits for records or for nobody's.
    pub(super) fn new(group: &'a Group, leaders: usize) -> Self {
        Self {
            group,
            wakes: Wakes::default(),
            leaders,
            flushing: false,
            flush: None,
        }
    }

    /// Lets those who waited for the last flush come back before the next one begins, for a small part of the time that it
    /// will take: they were woken a moment ago and append again, and would otherwise miss it by microseconds, so that half of
    /// the writers always waits for the other half. Who does not come back is not expected the next time.
    pub(super) fn gather(&self) {
        let state = self.group.state();
        let absent = state.party.saturating_sub(state.queue.len() + self.leaders);
        let (arrivals, time) = (self.group.arrivals(), state.took / PART);
        drop(state);
        if absent == 0 {
            return;
        }
        let all = arrivals + absent as u64;
        let watch = Stopwatch::start();
        let time = time.min(LONGEST);
        while self.group.arrivals() < all && watch.elapsed() < time {
            thread::yield_now();
        }
    }

    /// Flushes once. Returns the bound. Whoever is to be told is woken when the lock is given back, or by
    /// [`spread`](Self::spread).
    pub(super) fn round(&mut self) -> Result<u64, CommitError> {
        let group = self.group;
        let mut state = group.state();
        if let Some(error) = state.ended {
            return Err(error);
        }
        let Some(flush) = group.flusher() else {
            group.end(&mut state, CommitError::Closed, &mut self.wakes);
            return Err(CommitError::Closed);
        };
        state.begun += 1;
        let era = state.eras.now();
        drop(state);

        let watch = Stopwatch::start();
        self.flushing = true;
        let flushed = self.flush.insert(flush).flush();
        self.flushing = false;
        let took = watch.elapsed();

        let mut state = group.state();
        state.party = state.queue.len() + self.leaders;
        state.took = took;
        match flushed {
            Ok(covered) => {
                // Nobody cuts while the lock is held; if somebody did, what the flush covered need not be there any more.
                let covered = state
                    .eras
                    .lowest_since(era)
                    .map_or(covered, |cut| cut.above.min(covered));
                group.publish(&mut state, covered, &mut self.wakes);
            }
            Err(_) => {
                group.end(&mut state, CommitError::SyncFailed, &mut self.wakes);
                return Err(CommitError::SyncFailed);
            }
        }
        if let Some(error) = state.ended {
            return Err(error);
        }
        state.flushed(&mut self.wakes);
        drop(state);
        if let Some(flush) = &self.flush {
            flush.published();
        }
        Ok(group.durable())
    }

    /// Wakes now whoever was told something, the futures by way of the background.
    pub(super) fn spread(&mut self) {
        let state = self.group.state();
        self.group.defer(state, &mut self.wakes);
    }

    /// Makes everything durable that was appended before the call, without giving the lock back. Returns the bound.
    ///
    /// # Errors
    /// [`CommitError::SyncFailed`] when a sync failed, this one or an earlier one; [`CommitError::Closed`].
    pub fn flush(&mut self) -> Result<u64, CommitError> {
        let flushed = self.round();
        self.spread();
        flushed
    }
}

impl fmt::Debug for Held<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").finish_non_exhaustive()
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut state = self.group.state();
        if self.flushing {
            // The flush panicked. What it left is not known.
            self.group
                .end(&mut state, CommitError::SyncFailed, &mut self.wakes);
        }
        state.pass_on(&mut self.wakes);
        self.group.kick_if_due(state);
        self.wakes.run();
    }
}
