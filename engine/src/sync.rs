//! What the threads of [`background`](crate::background) and [`commit`](crate::commit) meet at, in one place: the model of
//! their schedules, `tests/commit_model`, puts other things in its stead.

pub use std::sync::atomic::{AtomicU8, AtomicU64};
pub use std::sync::{Condvar, Mutex, MutexGuard};
pub use std::thread;

use std::time::{Duration, Instant};

/// What passes since it was started.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// What has passed.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// How long a thread is willing to wait.
pub struct Patience {
    /// None when that lies beyond what can be told.
    until: Option<Instant>,
}

impl Patience {
    /// Lasts for `time` from now on.
    pub fn of(time: Duration) -> Self {
        Self {
            until: Instant::now().checked_add(time),
        }
    }

    /// Parks the thread, for as long as it lasts at most; may return early. Whether it had an end already.
    pub fn park(&self) -> bool {
        let Some(until) = self.until else {
            thread::park();
            return false;
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::park_timeout(left);
        false
    }
}
