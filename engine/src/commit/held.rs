//! The flush lock.

use std::fmt;
use std::sync::Arc;

use super::error::CommitError;
use super::group::{Flush, Group};
use super::waiter::Wakes;

/// The flush lock of a log: as long as it is held no other flush runs. Gives it back, and wakes whoever is to be woken, when
/// dropped.
pub struct Held<'a> {
    group: &'a Group,
    wakes: Wakes,
    flushing: bool,
    /// Kept until the lock is given back: what goes with the last reference to a log may want it.
    flush: Option<Arc<dyn Flush>>,
}

impl<'a> Held<'a> {
    /// Of a group whose lock was taken for it.
    pub(super) fn new(group: &'a Group) -> Self {
        Self {
            group,
            wakes: Wakes::default(),
            flushing: false,
            flush: None,
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

        self.flushing = true;
        let flushed = self.flush.insert(flush).flush();
        self.flushing = false;

        let mut state = group.state();
        match flushed {
            Ok(covered) => {
                // Nobody cuts while the lock is held; if somebody did, what the flush covered need not be there any more.
                let covered = state
                    .eras
                    .lowest_since(era)
                    .map_or(covered, |to| to.min(covered));
                group.publish(&mut state, covered, &mut self.wakes);
            }
            Err(_) => group.end(&mut state, CommitError::SyncFailed, &mut self.wakes),
        }
        match state.ended {
            Some(error) => Err(error),
            None => {
                state.flushed(&mut self.wakes);
                Ok(group.durable())
            }
        }
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
