//! What the sources take from `crate::sync`, under the control of the scheduler. There is no time: whatever waits for a
//! while waits for some steps, and how many is left to chance.

pub use shuttle::sync::atomic::{AtomicU8, AtomicU64};
pub use shuttle::sync::{Condvar, Mutex, MutexGuard};

use std::cell::Cell;
use std::time::Duration;

use shuttle::rand::{Rng, thread_rng};

pub mod thread {
    //! Threads; a wake-up can be lost on purpose.

    pub use shuttle::thread::{Builder, ThreadId, park, yield_now};

    use crate::faults::{Fault, planted};

    /// A handle to a thread.
    #[derive(Clone, Debug)]
    pub struct Thread(shuttle::thread::Thread);

    impl Thread {
        /// Its id.
        pub fn id(&self) -> ThreadId {
            self.0.id()
        }

        /// Lets it go on.
        pub fn unpark(&self) {
            if planted() != Fault::LostWakeUp {
                self.0.unpark();
            }
        }
    }

    /// This one.
    pub fn current() -> Thread {
        Thread(shuttle::thread::current())
    }
}

/// Milliseconds that have passed are the looks at it.
pub struct Stopwatch(Cell<u64>);

impl Stopwatch {
    pub fn start() -> Self {
        Self(Cell::new(thread_rng().gen_range(0..4)))
    }

    pub fn elapsed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_millis(self.0.get())
    }
}

/// Some steps, whatever time is asked for.
pub struct Patience(Cell<u32>);

impl Patience {
    pub fn of(_: Duration) -> Self {
        Self(Cell::new(thread_rng().gen_range(0..20)))
    }

    pub fn park(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        thread::yield_now();
        left == 0
    }
}
