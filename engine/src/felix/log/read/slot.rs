//! What readers have open of one segment.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pages::{Opened, Tenancy};

/// The place in a segment where readers share what is open of it.
#[derive(Debug, Default)]
pub(in crate::felix::log) struct Slot {
    /// When it was last asked for, by a count of such questions.
    last_used: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) opened: Option<Arc<Opened>>,
    /// Shared by everything that was ever opened through this slot and is not gone.
    pub(super) tenancy: Option<Arc<Tenancy>>,
    /// The file is about to be cut or unlinked.
    pub(super) retired: bool,
}

impl Slot {
    /// The segment, of `bytes` bytes, is about to be cut or unlinked: from now on nobody opens it, or reads from it, by way
    /// of this slot. Whether somebody still looks at its file.
    pub(in crate::felix::log) fn retire(&self, bytes: u64) -> bool {
        let mut state = self.lock();
        state.retired = true;
        drop(state.opened.take());
        let Some(tenancy) = state.tenancy.take() else {
            return false;
        };
        // If it is the last one, what others did with the file has happened before this.
        match Arc::try_unwrap(tenancy) {
            Ok(_nobody) => false,
            Err(shared) => {
                shared.pin(bytes);
                true
            }
        }
    }

    /// Lets go of what is open; readers that have it keep it.
    pub(in crate::felix::log) fn close(&self) {
        let opened = self.lock().opened.take();
        // Unmapping takes its time.
        drop(opened);
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that it is used now; `uses` counts all changes of what was used last.
    #[inline]
    pub(super) fn touch(&self, uses: &AtomicU64) {
        // Nothing to note while nothing else was used since.
        if self.last_used.load(Ordering::Relaxed) != uses.load(Ordering::Relaxed) {
            let now = uses.fetch_add(1, Ordering::Relaxed) + 1;
            self.last_used.store(now, Ordering::Relaxed);
        }
    }

    /// When it was last used.
    pub(super) fn last_used(&self) -> u64 {
        self.last_used.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::Slot;
    use crate::felix::log::live::LiveSegment;

    #[test]
    fn a_segment_that_nobody_reads_costs_little() {
        assert!(size_of::<Slot>() <= 64, "{}", size_of::<Slot>());
        assert!(
            size_of::<LiveSegment>() <= 200,
            "{}",
            size_of::<LiveSegment>()
        );
    }
}
