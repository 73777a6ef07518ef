//! What is known of a log's commits, under one lock that is held for moments only.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use super::eras::{Cut, Eras};
use super::error::CommitError;
use super::queue::Queue;
use super::waiter::{News, Waiter, Wakes};

/// Flushes that may return without covering what somebody waits for, before it fails.
pub const ROUNDS: u64 = 8;

/// Who waits for what, and who flushes.
pub struct State {
    /// Whether somebody has the flush lock.
    pub held: bool,
    /// Flushes that have begun; the newest has this number.
    pub begun: u64,
    /// How many waited when the newest flush returned, its leader and those it did not cover among them.
    pub party: usize,
    /// How long it took.
    pub took: Duration,
    /// What nothing becomes durable by any more.
    pub ended: Option<CommitError>,
    /// Cuts.
    pub eras: Eras,
    /// Those that wait for their records.
    pub queue: Queue,
    /// Those that wait for the flush lock, to cut the log.
    pub exclusives: VecDeque<Arc<Waiter>>,
    /// Those that wait for a flush that begins after they came: with the number of the first such flush.
    pub flushes: VecDeque<(u64, Arc<Waiter>)>,
    /// Records below are to become durable though nobody waits for them.
    pub wanted: u64,
    /// Flushes that had begun when they were last wanted.
    pub wanted_since: u64,
    /// Whether the background was told that there is something to do, and has not begun.
    pub kicked: bool,
    /// Wakers that fell due where no code of others may run.
    pub due: Vec<Waker>,
}

impl State {
    /// Nobody waits.
    pub fn new() -> Self {
        Self {
            held: false,
            begun: 0,
            party: 0,
            took: Duration::ZERO,
            ended: None,
            eras: Eras::new(),
            queue: Queue::default(),
            exclusives: VecDeque::new(),
            flushes: VecDeque::new(),
            wanted: 0,
            wanted_since: 0,
            kicked: false,
            due: Vec::new(),
        }
    }

    /// What became of records up to `end` that were appended in `era`; none while that is open.
    pub fn verdict(&self, end: u64, era: u64, durable: u64) -> Option<Result<(), CommitError>> {
        let cut = self.eras.lowest_since(era);
        match (cut.filter(|cut| cut.above < end), self.ended) {
            (Some(Cut { to, .. }), _) => Some(Err(CommitError::Rewound { to })),
            _ if end <= durable => Some(Ok(())),
            (_, Some(error)) => Some(Err(error)),
            (None, None) => None,
        }
    }

    /// The bound has risen to `durable`.
    pub fn cover(&mut self, durable: u64, wakes: &mut Wakes) {
        while let Some(waiter) = self.queue.pop_covered(durable) {
            waiter.tell(News::Done(Ok(())), wakes);
        }
    }

    /// The newest flush has returned.
    pub fn flushed(&mut self, wakes: &mut Wakes) {
        while let Some((number, _)) = self.flushes.front()
            && *number <= self.begun
            && let Some((_, waiter)) = self.flushes.pop_front()
        {
            waiter.tell(News::Done(Ok(())), wakes);
        }
        let Some(first) = self.begun.checked_sub(ROUNDS - 1) else {
            return;
        };
        for waiter in self.queue.take_older(first) {
            waiter.tell(News::Done(Err(CommitError::SyncFailed)), wakes);
        }
        if self.wanted_since < first {
            self.wanted = 0;
        }
    }

    /// The log was cut.
    pub fn rewind(&mut self, cut: Cut, wakes: &mut Wakes) {
        let Cut { above, to } = cut;
        while let Some(waiter) = self.queue.pop_above(above) {
            waiter.tell(News::Done(Err(CommitError::Rewound { to })), wakes);
        }
        self.wanted = self.wanted.min(above);
    }

    /// Nothing becomes durable any more. A failed sync outlasts a close.
    pub fn end(&mut self, error: CommitError, wakes: &mut Wakes) {
        if self.ended != Some(CommitError::SyncFailed) {
            self.ended = Some(error);
        }
        while let Some(waiter) = self.queue.pop_covered(u64::MAX) {
            waiter.tell(News::Done(Err(error)), wakes);
        }
        for (_, waiter) in self.flushes.drain(..) {
            waiter.tell(News::Done(Err(error)), wakes);
        }
        self.wanted = 0;
    }

    /// Whether somebody waits for a flush who cannot run it.
    pub fn wants_flush(&self, durable: u64) -> bool {
        self.queue.has_followers() || self.wanted > durable
    }

    /// Gives the flush lock to whoever is next: a cut, which others must not keep out for ever; then a thread that waits
    /// for a flush, exactly one; or nobody.
    pub fn pass_on(&mut self, wakes: &mut Wakes) {
        let next = self
            .exclusives
            .pop_front()
            .or_else(|| self.flushes.pop_front().map(|(_, waiter)| waiter))
            .or_else(|| self.queue.next_leader());
        self.held = next.is_some();
        if let Some(waiter) = next {
            waiter.tell(News::Lock, wakes);
        }
    }
}
