//! What the logs hold of the threads.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use super::pool::Pool;
use super::task::Task;
use crate::clock::{Clock, SystemClock};

/// Threads that run tasks, shared by whoever holds a clone. They are started when they are first needed, and end when the
/// last clone and the last task are gone, each when it has finished what it runs: nothing waits for them.
///
/// ```
/// use std::sync::mpsc::channel;
/// use std::time::Duration;
///
/// use ondisk_engine::background::Background;
///
/// let background = Background::threads(2);
/// let (tell, told) = channel();
/// let task = background.task(move || tell.send("done").unwrap_or_default());
/// task.wake();
/// assert_eq!(told.recv(), Ok("done"));
/// // Once more in a millisecond.
/// task.at(background.now() + Duration::from_millis(1));
/// assert_eq!(told.recv(), Ok("done"));
/// ```
#[derive(Clone)]
pub struct Background {
    owner: Arc<Owner>,
}

/// Not held by the threads, so that its end can tell them theirs.
struct Owner {
    pool: Arc<Pool>,
}

/// Workers unless another number is asked for.
const WORKERS: usize = 2;

impl Background {
    /// Runs tasks in `workers` threads, at least one, and times them by one more.
    #[must_use]
    pub fn threads(workers: usize) -> Self {
        Self::new(workers.max(1), Arc::new(SystemClock))
    }

    /// Has no thread at all: what is ready runs when [`run_ready`](Self::run_ready) or [`run_one`](Self::run_one) is
    /// called, in the thread that calls, in the order in which it became ready. Timers follow `clock`.
    #[must_use]
    pub fn manual(clock: Arc<dyn Clock>) -> Self {
        Self::new(0, clock)
    }

    fn new(workers: usize, clock: Arc<dyn Clock>) -> Self {
        let pool = Arc::new(Pool::new(workers, clock));
        Self {
            owner: Arc::new(Owner { pool }),
        }
    }

    /// Registers what is to be done at some time. It does not run before it is woken. What the job captures must not own
    /// the task, or neither will ever go: a `Weak` is what a job wants.
    #[must_use]
    pub fn task(&self, job: impl Fn() + Send + Sync + 'static) -> Task {
        Task::new(self.clone(), Arc::new(job))
    }

    /// The time that deadlines are set by.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.pool().clock.monotonic()
    }

    /// Runs what is ready, including timers that have ended and what becomes ready on the way, until nothing is. Returns
    /// how many jobs ran. A job that always wakes itself keeps this from returning.
    ///
    /// # Panics
    /// When a job does, once the panic is no longer the task's: it can run again.
    pub fn run_ready(&self) -> usize {
        let mut ran = 0;
        while self.run_one() {
            ran += 1;
        }
        ran
    }

    /// Runs the job that is ready for longest. Whether there was one.
    ///
    /// # Panics
    /// As [`run_ready`](Self::run_ready).
    pub fn run_one(&self) -> bool {
        match self.pool().run_one() {
            None => false,
            Some(Ok(())) => true,
            Some(Err(panic)) => resume_unwind(panic),
        }
    }

    /// When the next timer ends, so that a simulation can go there.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Duration> {
        self.pool().next_deadline()
    }

    pub(super) fn pool(&self) -> &Arc<Pool> {
        &self.owner.pool
    }
}

impl Default for Background {
    /// Two threads.
    fn default() -> Self {
        Self::threads(WORKERS)
    }
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background").finish_non_exhaustive()
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.pool.stop();
    }
}
