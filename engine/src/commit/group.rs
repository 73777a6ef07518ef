//! The durable bound of a log, and all that moves it.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};

use super::eras::{Cut, Eras};
use super::error::CommitError;
use super::flush::Flush;
use super::held::Held;
use super::state::{ROUNDS, State};
use super::waiter::{News, Waiter, Wakes};
use crate::planted::{self, Planted};
use crate::sync::{AtomicU8, AtomicU64, Mutex, MutexGuard};

/// What [`GroupCommit`](super::GroupCommit) and the handles share.
pub struct Group {
    durable: AtomicU64,
    /// That of the state, for handles that are made without its lock.
    era: AtomicU64,
    /// What the state says of the end, as a number.
    ended: AtomicU8,
    /// How often somebody lined up, for a leader that looks out for others.
    arrivals: AtomicU64,
    state: Mutex<State>,
    flush: Weak<dyn Flush>,
    /// Has [`run`](Self::run) called soon, by somebody who has the time.
    kick: Box<dyn Fn() + Send + Sync>,
}

const POISONED: u8 = 2;
const CLOSED: u8 = 1;

impl Group {
    /// Records below `durable` are.
    pub fn new(durable: u64, flush: Weak<dyn Flush>, kick: Box<dyn Fn() + Send + Sync>) -> Self {
        Self {
            durable: AtomicU64::new(durable),
            era: AtomicU64::new(Eras::FIRST),
            ended: AtomicU8::new(0),
            arrivals: AtomicU64::new(0),
            state: Mutex::new(State::new()),
            flush,
            kick,
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What flushes; none when the log is gone.
    pub(super) fn flusher(&self) -> Option<Arc<dyn Flush>> {
        self.flush.upgrade()
    }

    /// One past the last durable offset.
    pub fn durable(&self) -> u64 {
        self.durable.load(Ordering::Acquire)
    }

    /// The era it is.
    pub fn era(&self) -> u64 {
        self.era.load(Ordering::Acquire)
    }

    /// Whether a sync failed.
    pub fn is_poisoned(&self) -> bool {
        self.ended.load(Ordering::Acquire) == POISONED
    }

    /// Whether records up to `end` of `era` are durable, without a lock. The bound is read first: one that was published
    /// after a cut shows the cut.
    pub fn is_covered(&self, end: u64, era: u64) -> bool {
        end <= self.durable() && era == self.era()
    }

    pub(super) fn arrivals(&self) -> u64 {
        self.arrivals.load(Ordering::Acquire)
    }

    /// Somebody lined up.
    pub(super) fn arrive(&self) {
        self.arrivals.fetch_add(1, Ordering::AcqRel);
    }

    /// What became of records up to `end` of `era`.
    pub(super) fn verdict(
        &self,
        state: &State,
        end: u64,
        era: u64,
    ) -> Option<Result<(), CommitError>> {
        state.verdict(end, era, self.durable())
    }

    /// Records below `to` are durable by another sync. Never publishes anything once a sync failed.
    pub fn raise(&self, to: u64) {
        self.quietly(|state, wakes| self.publish(state, to, wakes));
    }

    /// The log is cut to `to`.
    pub fn lower(&self, to: u64) {
        let bound = |durable: u64| durable.min(to);
        self.cut(Cut { above: to, to }, bound);
    }

    /// The log is emptied, and goes on at `to`.
    pub fn restart(&self, to: u64) {
        self.cut(Cut { above: 0, to }, |_| to);
    }

    fn cut(&self, cut: Cut, bound: impl FnOnce(u64) -> u64) {
        self.quietly(|state, wakes| {
            // A reader that sees a bound of the new era must see the era, so it comes first.
            self.era.store(state.eras.cut(cut), Ordering::Release);
            let bound = bound(self.durable());
            if !planted::is(Planted::BoundNotLowered) {
                self.durable.store(bound, Ordering::Release);
            }
            state.rewind(cut, wakes);
        });
    }

    /// A sync failed.
    pub fn poison(&self) {
        self.quietly(|state, wakes| self.end(state, CommitError::SyncFailed, wakes));
    }

    /// Nothing will be flushed any more.
    pub fn close(&self) {
        self.quietly(|state, wakes| self.end(state, CommitError::Closed, wakes));
    }

    pub(super) fn publish(&self, state: &mut State, to: u64, wakes: &mut Wakes) {
        if state.ended != Some(CommitError::SyncFailed) && to > self.durable() {
            self.durable.store(to, Ordering::Release);
            state.cover(to, wakes);
        }
    }

    pub(super) fn end(&self, state: &mut State, error: CommitError, wakes: &mut Wakes) {
        if error == CommitError::SyncFailed && planted::is(Planted::PoisonCleared) {
            return;
        }
        let ended = match error {
            CommitError::SyncFailed => POISONED,
            _ => CLOSED,
        };
        // Whoever is told of the end can look, and must find it.
        self.ended.fetch_max(ended, Ordering::AcqRel);
        state.end(error, wakes);
    }

    /// Changes the state where the caller may hold any lock: no code of others runs, wakers are left to the background.
    pub(super) fn quietly(&self, change: impl FnOnce(&mut State, &mut Wakes)) {
        let mut wakes = Wakes::default();
        let mut state = self.state();
        change(&mut state, &mut wakes);
        self.defer(state, &mut wakes);
    }

    /// Wakes the threads, and leaves the wakers to the background.
    pub(super) fn defer(&self, mut state: MutexGuard<'_, State>, wakes: &mut Wakes) {
        state.due.append(&mut wakes.wakers);
        self.kick_if_due(state);
        wakes.unpark();
    }

    /// Whether the background is to be told, now that the state is as it is. Whoever has the flush lock gives it back, and
    /// asks again.
    pub(super) fn must_kick(&self, state: &mut State) -> bool {
        let flush = !state.held && state.wants_flush(self.durable());
        let kick = !state.kicked && (flush || !state.due.is_empty());
        state.kicked |= kick;
        kick
    }

    /// Gives the lock of the state back, and tells the background if it is to be told.
    pub(super) fn kick_if_due(&self, mut state: MutexGuard<'_, State>) {
        let kick = self.must_kick(&mut state);
        drop(state);
        if kick {
            (self.kick)();
        }
    }

    /// What the background does: wakes whoever was left to it, and flushes once if somebody waits who cannot. If that was
    /// not enough it is told again, and whoever else waits for the flush lock has it in between.
    pub fn run(&self) {
        let mut wakes = Wakes::default();
        let mut state = self.state();
        state.kicked = false;
        wakes.wakers.append(&mut state.due);
        drop(state);
        wakes.run();
        let mut state = self.state();
        if !state.held && state.wants_flush(self.durable()) {
            state.held = true;
            drop(state);
            let mut held = Held::new(self, 0);
            held.gather();
            // Whoever waits is told.
            let _bound = held.round();
        }
    }

    /// Makes everything durable that was appended before the call. Returns the bound.
    pub fn flush(&self) -> Result<u64, CommitError> {
        let mut state = self.state();
        if let Some(error) = state.ended {
            return Err(error);
        }
        if state.held {
            let waiter = Waiter::thread();
            let number = state.begun + 1;
            state.flushes.push_back((number, Arc::clone(&waiter)));
            drop(state);
            match waiter.park() {
                News::Done(outcome) => return outcome.map(|()| self.durable()),
                News::Lock => {}
            }
        } else {
            state.held = true;
            drop(state);
        }
        Held::new(self, 0).round()
    }

    /// Waits for the flush lock.
    pub fn exclusive(&self) -> Held<'_> {
        let mut state = self.state();
        if state.held {
            let waiter = Waiter::thread();
            state.exclusives.push_back(Arc::clone(&waiter));
            drop(state);
            // Told nothing else.
            let _lock = waiter.park();
        } else {
            state.held = true;
            drop(state);
        }
        Held::new(self, 0)
    }

    /// Waits until records up to `end` of `era` are durable, and flushes if nobody else does.
    pub fn wait(&self, end: u64, era: u64) -> Result<(), CommitError> {
        if self.is_covered(end, era) {
            return Ok(());
        }
        let mut state = self.state();
        if let Some(verdict) = self.verdict(&state, end, era) {
            return verdict;
        }
        if state.held {
            let waiter = Waiter::thread();
            let begun = state.begun;
            state.queue.lead(end, Arc::clone(&waiter), begun);
            self.arrive();
            drop(state);
            match waiter.park() {
                News::Done(outcome) => return outcome,
                News::Lock => {}
            }
        } else {
            state.held = true;
            drop(state);
        }
        self.lead(end, era)
    }

    /// Flushes, with the flush lock held, until records up to `end` of `era` are durable.
    fn lead(&self, end: u64, era: u64) -> Result<(), CommitError> {
        let mut held = Held::new(self, 1);
        for round in 0..ROUNDS {
            if let Some(verdict) = self.verdict(&self.state(), end, era) {
                return verdict;
            }
            if round == 0 {
                held.gather();
            } else {
                held.spread();
            }
            // What it returns is part of the verdict.
            let _bound = held.round();
        }
        let verdict = self.verdict(&self.state(), end, era);
        verdict.unwrap_or(Err(CommitError::SyncFailed))
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("durable", &self.durable.load(Ordering::Acquire))
            .field("ended", &self.ended.load(Ordering::Acquire))
            .finish_non_exhaustive()
    }
}
