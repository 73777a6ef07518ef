//! What readers have open of one segment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pages::Opened;

/// The place in a segment where readers share what is open of it.
#[derive(Debug, Default)]
pub(in crate::felix::log) struct Slot {
    state: Mutex<State>,
    /// Held by everything that was ever opened through this slot and is not gone.
    in_use: Arc<()>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) opened: Option<Arc<Opened>>,
    /// The file is about to be cut or unlinked: whoever still comes reads it by `pread`.
    pub(super) retired: bool,
}

impl Slot {
    /// From now on nobody gets pages of the file from here. Whether somebody who got them before still has some.
    pub(in crate::felix::log) fn retire(&self) -> bool {
        let mut state = self.lock();
        state.retired = true;
        if let Some(opened) = state.opened.take() {
            opened.pin();
        }
        Arc::strong_count(&self.in_use) > 1
    }

    /// Lets go of what is open; readers that have it keep it.
    pub(in crate::felix::log) fn close(&self) {
        self.lock().opened = None;
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn in_use(&self) -> Arc<()> {
        Arc::clone(&self.in_use)
    }
}
