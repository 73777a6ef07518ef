//! Waking those who wait for the log to move on.

use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tells whoever waits that something changed. Costs whoever changes it a fence and a load while nobody waits.
#[derive(Debug, Default)]
pub(in crate::felix::log) struct Signal {
    waiting: AtomicUsize,
    turn: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    /// After a change.
    pub(in crate::felix::log) fn notify(&self) {
        // Either this sees that somebody waits, or whoever begins to wait sees the change: the fence here and the one in
        // `wait` order the two stores against the two loads.
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::Relaxed) > 0 {
            drop(self.turn.lock().unwrap_or_else(PoisonError::into_inner));
            self.changed.notify_all();
        }
    }

    /// Waits until `changed` says so, or the time is up; without a limit, for as long as it takes. Whether it did.
    pub(super) fn wait(&self, limit: Option<Duration>, mut changed: impl FnMut() -> bool) -> bool {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        self.waiting.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_changed = changed();
        while !is_changed {
            turn = match end {
                None => self
                    .changed
                    .wait(turn)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(end) => {
                    let left = end.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        break;
                    }
                    let woken = self.changed.wait_timeout(turn, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
            is_changed = changed();
        }
        drop(turn);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        is_changed
    }
}
