//! One thing that is done in the background again and again.

use std::fmt;
use std::time::Duration;

use super::handle::Background;
use super::schedule::Job;

/// A job that was registered: one for each purpose and log. Dropping it is [`cancel`](Self::cancel).
///
/// However often it is woken, it runs in one thread at a time, and waits at most once for its next run: a wake-up before
/// a run begins is served by that run, one that comes later by one more.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::time::Duration;
///
/// use ondisk_engine::background::Background;
/// use ondisk_engine::clock::ManualClock;
///
/// let clock = Arc::new(ManualClock::default());
/// let background = Background::manual(clock.clone());
/// let runs = Arc::new(AtomicUsize::new(0));
/// let counted = Arc::clone(&runs);
/// let task = background.task(move || drop(counted.fetch_add(1, Ordering::Relaxed)));
/// task.wake();
/// task.wake();
/// assert_eq!(background.run_ready(), 1);
///
/// task.at(Duration::from_secs(60));
/// assert_eq!(background.run_ready(), 0);
/// clock.advance(Duration::from_secs(60));
/// assert_eq!(background.run_ready(), 1);
/// assert_eq!(runs.load(Ordering::Relaxed), 2);
/// ```
pub struct Task {
    id: u64,
    background: Background,
}

impl Task {
    pub(super) fn new(background: Background, job: Job) -> Self {
        let id = background.pool().register(job);
        Self { id, background }
    }

    /// Runs it soon. Takes no lock but the schedule's, for a moment, so that it may be called under any other.
    pub fn wake(&self) {
        self.background.pool().wake(self.id);
    }

    /// Runs it once at `deadline` of [`Background::now`], or at the deadline that is already set if that is earlier. A run
    /// for another reason leaves the deadline.
    pub fn at(&self, deadline: Duration) {
        self.background.pool().at(self.id, deadline);
    }

    /// The background it runs in.
    #[must_use]
    pub fn background(&self) -> &Background {
        &self.background
    }

    /// Lets it never begin to run again. A run that is under way goes on.
    pub fn cancel(&self) {
        self.background.pool().cancel(self.id);
    }

    /// Lets it never begin to run again, and waits for the run that is under way; not when called from within that run.
    pub fn cancel_and_wait(&self) {
        self.background.pool().cancel_and_wait(self.id);
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.cancel();
    }
}
