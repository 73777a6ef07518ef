//! Waiting without flushing: futures, threads that may give up, and handles that nobody waits for.

use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Duration;

use super::error::CommitError;
use super::group::Group;
use super::queue::Place;
use super::waiter::{News, Waiter};
use crate::sync::Patience;

/// A future that was polled and is not ready.
pub struct Polled {
    place: Place,
    waiter: Arc<Waiter>,
}

impl Group {
    /// Waits until records up to `end` of `era` are durable, for `time` at most; whether they are.
    pub fn wait_for(&self, end: u64, era: u64, time: Duration) -> Result<bool, CommitError> {
        if self.is_covered(end, era) {
            return Ok(true);
        }
        let mut state = self.state();
        if let Some(verdict) = self.verdict(&state, end, era) {
            return verdict.map(|()| true);
        }
        let waiter = Waiter::thread();
        let begun = state.begun;
        let place = state.queue.follow(end, Arc::clone(&waiter), begun);
        self.arrive();
        self.kick_if_due(state);
        if waiter.park_for(&Patience::of(time)).is_none() {
            let left = self.state().queue.leave(place);
            drop(left);
        }
        // It may have been told just before it left.
        match waiter.news() {
            Some(News::Done(outcome)) => outcome.map(|()| true),
            Some(News::Lock) | None => Ok(false),
        }
    }

    /// Whether records up to `end` of `era` are durable; if that is open, `waker` is woken once it is not.
    pub fn poll(
        &self,
        end: u64,
        era: u64,
        polled: &mut Option<Polled>,
        waker: &Waker,
    ) -> Poll<Result<(), CommitError>> {
        if let Some(before) = polled {
            return match before.waiter.rewake(waker) {
                Some(News::Done(outcome)) => {
                    *polled = None;
                    Poll::Ready(outcome)
                }
                Some(News::Lock) | None => Poll::Pending,
            };
        }
        if self.is_covered(end, era) {
            return Poll::Ready(Ok(()));
        }
        // A waker is code of others, so it is cloned before the lock.
        let waiter = Waiter::future(waker.clone());
        let mut state = self.state();
        if let Some(verdict) = self.verdict(&state, end, era) {
            drop(state);
            return Poll::Ready(verdict);
        }
        let begun = state.begun;
        let place = state.queue.follow(end, Arc::clone(&waiter), begun);
        self.arrive();
        self.kick_if_due(state);
        *polled = Some(Polled { place, waiter });
        Poll::Pending
    }

    /// Nobody waits any more for records up to `end` of `era`; they become durable all the same.
    pub fn abandon(&self, end: u64, era: u64, polled: Option<Polled>) {
        if polled.is_none() && self.is_covered(end, era) {
            return;
        }
        let mut state = self.state();
        let left = polled.and_then(|polled| state.queue.leave(polled.place));
        if self.verdict(&state, end, era).is_none() {
            state.wanted = state.wanted.max(end);
            state.wanted_since = state.begun;
        }
        self.kick_if_due(state);
        drop(left);
    }
}
