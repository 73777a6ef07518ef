//! The durable mark of an open log (Felix 6).

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::Directory;
use crate::felix::sidecar::mark::MarkFile;

/// What `durable.mark` says, and how much of that is on the device.
#[derive(Debug)]
pub(super) struct DurableMark(Mutex<State>);

#[derive(Debug)]
struct State {
    file: MarkFile,
    /// Segment and bytes that the mark gives.
    now: (u64, u64),
    /// What was there when it was last synced.
    synced: (u64, u64),
    /// Bytes flushed since.
    since: u64,
    /// Whether the file says what `now` does.
    written: bool,
}

/// Bytes that may be flushed before the mark is synced again (Felix 6).
pub(super) const UNSYNCED_BYTES: u64 = 64 << 20;

impl DurableMark {
    /// Opens the file; nothing is written.
    pub(super) fn open(directory: &dyn Directory) -> Self {
        Self(Mutex::new(State {
            file: MarkFile::open(directory),
            now: (0, 0),
            synced: (0, 0),
            since: 0,
            written: false,
        }))
    }

    /// Lets the mark say that a flush covered `segment` up to `bytes`. It never goes back by this: a flush that ends late
    /// may know of less than a seal that overtook it.
    ///
    /// # Errors
    /// A sync that was asked for and failed. A write that fails is ignored: the mark may lag.
    pub(super) fn advance(&self, segment: u64, bytes: u64, sync: bool) -> io::Result<()> {
        let mut state = self.state();
        if (segment, bytes) > state.now {
            let grown = match segment == state.now.0 {
                true => bytes - state.now.1,
                false => bytes,
            };
            state.since = state.since.saturating_add(grown);
            state.now = (segment, bytes);
            state.write();
        }
        if sync { state.sync() } else { Ok(()) }
    }

    /// Moves the mark to this place, be it forward or back, and syncs it: ahead of a truncation or reset, and after it.
    ///
    /// # Errors
    /// When the mark cannot be written or synced.
    pub(super) fn set(&self, segment: u64, bytes: u64) -> io::Result<()> {
        let mut state = self.state();
        state.now = (segment, bytes);
        state.written = false;
        state.sync()
    }

    /// Moves the mark back to this place, synced; one that lies before it already stays.
    ///
    /// # Errors
    /// When the mark cannot be written or synced.
    pub(super) fn set_back(&self, segment: u64, bytes: u64) -> io::Result<()> {
        if self.state().now > (segment, bytes) {
            self.set(segment, bytes)
        } else {
            self.sync()
        }
    }

    /// Syncs what it says.
    ///
    /// # Errors
    /// When the sync fails.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.state().sync()
    }

    /// Bytes flushed since it was last synced.
    pub(super) fn lag(&self) -> u64 {
        let state = self.state();
        if state.now == state.synced {
            0
        } else {
            state.since.max(1)
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self) {
        let (segment, bytes) = self.now;
        self.written = self.file.write(segment, bytes).is_ok();
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.now != self.synced || !self.written {
            // One that failed before is made up for here, where somebody is told.
            let (segment, bytes) = self.now;
            if !self.written {
                self.file.write(segment, bytes)?;
                self.written = true;
            }
            self.file.sync()?;
            self.synced = self.now;
            self.since = 0;
        }
        Ok(())
    }
}
