//! Flushing (Felix 8.5).

use std::io;
use std::sync::Arc;

use super::live::{LiveSegment, Phase};
use super::mark::UNSYNCED_BYTES;
use super::shared::Shared;
use crate::commit::Flush;
use crate::felix::error::StorageError;
use crate::planted::{self, Planted};

impl Flush for Shared {
    /// Makes everything that is published now durable, and returns the tail that this covers. Called by group commit, one
    /// flush at a time.
    ///
    /// The tail is noted first, then the segments: a roll in between only adds one behind, so every record below the tail
    /// lies in a segment that is synced here, or was.
    fn flush(&self) -> io::Result<u64> {
        // Readers are to stop at the durable bound at once.
        self.sync_segments()
            .inspect_err(|error| self.poison("flush", error))
    }

    fn published(&self) {
        self.appended.notify();
    }
}

impl Shared {
    fn sync_segments(&self) -> io::Result<u64> {
        let begun = self.clock.monotonic();
        let before = self.commit.durable();
        let tail = self.published.tail();
        let segments = self.published.segments();
        let sealed = segments
            .iter()
            .rposition(|segment| segment.phase() == Phase::Sealed)
            .map_or(0, |newest| newest + 1);
        if planted::is(Planted::MarkBeforeSync)
            && let Some(newest) = segments.last()
        {
            let _may_lag = self.mark.advance(newest.id, newest.bytes(), false);
        }
        let mut synced = None;
        for segment in &segments[sealed..] {
            synced = Some((segment.id, sync(segment)?));
        }
        if let Some((segment, bytes)) = synced {
            // It may lag, so a failed write of it is none of the flush.
            let _may_lag = self.mark.advance(segment, bytes, false);
        }
        let took = self.clock.monotonic().saturating_sub(begun);
        self.metrics.flushed(tail.saturating_sub(before), took);
        match self.mark.lag() {
            0 => {}
            UNSYNCED_BYTES.. => self.tasks.wake_mark(),
            _ => self.tasks.plan_mark(self.clock.monotonic()),
        }
        Ok(tail)
    }

    /// Makes everything appended before the call durable, whatever the mode.
    pub(super) fn sync(&self) -> Result<u64, StorageError> {
        let writer = self.writer();
        self.usable(&writer)?;
        drop(writer);
        self.commit
            .flush()
            .map_err(|error| self.commit_error(error))
    }

    /// Syncs the mark while newer flushes exist, at most 64 MiB or five seconds behind them. Runs in the background.
    pub(super) fn sync_mark(&self) {
        if let Err(error) = self.mark.sync() {
            self.poison("sync durable.mark", &error);
        }
    }
}

/// Syncs a segment, and returns up to where that covers it.
fn sync(segment: &Arc<LiveSegment>) -> io::Result<u64> {
    let bytes = segment.bytes();
    if segment.synced() < bytes
        // One that is sealed meanwhile has no file any more, and is synced.
        && let Some(file) = segment.file()
    {
        file.sync_data()?;
        segment.note_synced(bytes);
    }
    Ok(bytes)
}
