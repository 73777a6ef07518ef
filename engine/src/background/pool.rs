//! The threads that run what is ready.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::thread::Result as Outcome;
use std::time::Duration;

use super::schedule::{Job, Schedule};
use crate::clock::Clock;
use crate::sync::{Condvar, Mutex, MutexGuard, thread};

/// The schedule, and the threads that serve it.
pub struct Pool {
    pub clock: Arc<dyn Clock>,
    /// Threads that stay: 0 when whoever tests runs the jobs.
    size: usize,
    state: Mutex<State>,
    /// Workers wait here for something that is ready.
    work: Condvar,
    /// The timer thread waits here for an earlier deadline.
    alarm: Condvar,
    /// Whoever cancels waits here for the run that is under way.
    finished: Condvar,
}

#[derive(Default)]
struct State {
    schedule: Schedule,
    /// Threads that run jobs, idle ones among them.
    workers: usize,
    /// Of those, the ones that wait.
    idle: usize,
    /// Since when something is ready that nobody has taken.
    neglected_since: Duration,
    timer: bool,
    stopped: bool,
}

/// How long what is ready waits while every worker is held up, before one more is started.
const PATIENCE: Duration = Duration::from_millis(100);

/// Workers at most, spare ones included.
const MOST_WORKERS: usize = 16;

impl Pool {
    pub fn new(size: usize, clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            size,
            state: Mutex::new(State::default()),
            work: Condvar::new(),
            alarm: Condvar::new(),
            finished: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn register(&self, job: Job) -> u64 {
        self.state().schedule.register(job)
    }

    pub fn wake(self: &Arc<Self>, id: u64) {
        let mut state = self.state();
        if state.schedule.wake(id) {
            self.man(&mut state);
        }
    }

    pub fn at(self: &Arc<Self>, id: u64, deadline: Duration) {
        let mut state = self.state();
        if state.schedule.at(id, deadline) && self.size > 0 {
            self.ensure_timer(&mut state);
        }
    }

    pub fn next_deadline(&self) -> Option<Duration> {
        self.state().schedule.next_deadline()
    }

    pub fn cancel(&self, id: u64) {
        let job = self.state().schedule.cancel(id);
        drop(job);
    }

    pub fn cancel_and_wait(&self, id: u64) {
        let me = thread::current().id();
        let mut state = self.state();
        let job = state.schedule.cancel(id);
        while state.schedule.runner(id).is_some_and(|runner| runner != me) {
            state = self
                .finished
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        drop(job);
    }

    /// Lets the threads end when they are done with what they do.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.work.notify_all();
        self.alarm.notify_all();
    }

    /// Runs the one that is ready for longest in this thread; none when nothing is.
    pub fn run_one(&self) -> Option<Outcome<()>> {
        let mut state = self.state();
        let now = self.clock.monotonic();
        while state.schedule.ring(now) {}
        let (id, job) = state.schedule.take(thread::current().id())?;
        drop(state);
        let (_state, outcome) = self.run(id, job);
        Some(outcome)
    }

    /// Runs a job that was taken.
    fn run(&self, id: u64, job: Job) -> (MutexGuard<'_, State>, Outcome<()>) {
        let outcome = catch_unwind(AssertUnwindSafe(|| job()));
        drop(job);
        let mut state = self.state();
        if let Some(job) = state.schedule.finish(id) {
            self.finished.notify_all();
            drop(state);
            drop(job);
            state = self.state();
        }
        (state, outcome)
    }

    /// Sees to it that somebody takes what has just become ready.
    fn man(self: &Arc<Self>, state: &mut State) {
        if self.size == 0 {
            return;
        }
        if state.schedule.ready() == 1 {
            state.neglected_since = self.clock.monotonic();
        }
        if state.schedule.ready() <= state.idle {
            self.work.notify_one();
        } else if state.workers >= self.size || !self.start_worker(state) {
            self.ensure_timer(state);
        }
    }

    /// Whether there is one more. Where the system has no thread left, those that run must do, and the timer tries again.
    fn start_worker(self: &Arc<Self>, state: &mut State) -> bool {
        let pool = Arc::clone(self);
        let name = format!("ondisk-worker-{}", state.workers);
        let started = thread::Builder::new()
            .name(name)
            .spawn(move || pool.work())
            .is_ok();
        state.workers += usize::from(started);
        started
    }

    fn ensure_timer(self: &Arc<Self>, state: &mut State) {
        if state.timer {
            self.alarm.notify_one();
            return;
        }
        let pool = Arc::clone(self);
        state.timer = thread::Builder::new()
            .name("ondisk-timer".to_owned())
            .spawn(move || pool.keep_time())
            .is_ok();
    }

    /// What a worker does.
    fn work(&self) {
        let me = thread::current().id();
        let mut state = self.state();
        loop {
            while let Some((id, job)) = state.schedule.take(me) {
                state.neglected_since = self.clock.monotonic();
                drop(state);
                let (after, outcome) = self.run(id, job);
                // The hook has told of the panic, and dropping what it carried might be the next one.
                std::mem::forget(outcome);
                state = after;
            }
            if state.stopped || state.workers > self.size {
                break;
            }
            state.idle += 1;
            state = self
                .work
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
        state.workers -= 1;
    }

    /// What the timer thread does: it wakes tasks whose time has come, and starts a spare worker when all others are held
    /// up.
    fn keep_time(self: &Arc<Self>) {
        let mut state = self.state();
        while !state.stopped {
            let now = self.clock.monotonic();
            while state.schedule.ring(now) {
                self.man(&mut state);
            }
            let neglected = state.schedule.ready() > state.idle && state.workers < MOST_WORKERS;
            if neglected && now >= state.neglected_since.saturating_add(PATIENCE) {
                state.neglected_since = now;
                self.start_worker(&mut state);
            }
            let spare = neglected.then(|| state.neglected_since.saturating_add(PATIENCE));
            let next = [state.schedule.next_deadline(), spare];
            state = match next.into_iter().flatten().min() {
                Some(next) => {
                    self.alarm
                        .wait_timeout(state, next.saturating_sub(now))
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
                None => self
                    .alarm
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}
