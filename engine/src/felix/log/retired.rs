//! Background rolls: the next segment is made ready, and the full one sealed, off the path of appends (Felix 8.4).

use std::collections::VecDeque;
use std::sync::Arc;

use super::live::LiveSegment;
use super::producers::Snapshot;
use super::shared::Shared;
use super::writer::{IndexWriter, Writer};
use crate::disk::File;
use crate::felix::error::StorageError;

/// A segment that is full and waits for its seal. A flush syncs it ahead of the active one meanwhile.
#[derive(Debug)]
pub(super) struct Retired {
    /// The segment.
    pub(super) segment: Arc<LiveSegment>,
    /// Its file.
    pub(super) file: Arc<dyn File>,
    /// What is left of its index to write.
    pub(super) index: IndexWriter,
    /// Id of the segment behind it.
    pub(super) next: u64,
    /// One past its last offset.
    pub(super) end: u64,
    /// What was known of producers at its end.
    pub(super) snapshot: Option<Snapshot>,
}

/// Segments that wait for their seal, oldest first.
pub(super) type Queue = VecDeque<Retired>;

impl Shared {
    /// Whether the next segment is prepared ahead of time.
    fn rolls_in_background(&self) -> bool {
        self.config.rollover_threshold_percent < 100
    }

    /// How long a segment may get before an append rolls by itself.
    pub(super) fn most_bytes_of_a_segment(&self) -> u64 {
        let size = self.config.segment_size_bytes;
        if !self.rolls_in_background() {
            return size;
        }
        size.saturating_add(percent_of(size, self.config.max_overshoot_percent))
    }

    /// Has the next segment prepared, once the active one is full enough.
    pub(super) fn prepare_when_due(&self, writer: &Writer) {
        if !self.rolls_in_background() || writer.active.is_empty() {
            return;
        }
        if self.is_due(writer.bytes) {
            self.tasks.wake_roll();
        }
    }

    /// Prepares the next segment, switches to it, and seals what that retires. Runs in the background.
    pub(super) fn roll_in_background(&self) -> Result<(), StorageError> {
        self.retire_active()?;
        self.seal_all_retired()
    }

    /// Whether a segment of this length is due to be followed by another.
    fn is_due(&self, bytes: u64) -> bool {
        let threshold = self.config.rollover_threshold_percent;
        bytes >= percent_of(self.config.segment_size_bytes, threshold)
    }

    fn retire_active(&self) -> Result<(), StorageError> {
        {
            let mut prepared = self.prepared();
            let active = self.published.active();
            // No segment can begin at the end of all offsets.
            let at_the_end = self.published.tail() == u64::MAX;
            let due = !active.is_empty() && self.is_due(active.bytes()) && !at_the_end;
            if !due || self.commit.is_poisoned() {
                return Ok(());
            }
            // Nobody rolls while `prepared` is held, so the id stays the next one. What was prepared before was taken by the
            // roll that followed, or discarded by a cut.
            let id = active.id.checked_add(1).ok_or(StorageError::InvalidRange)?;
            *prepared = Some(self.prepare(id)?);
        }
        let mut writer = self.writer();
        // No segment can begin at the end of all offsets.
        let due = !writer.active.is_empty() && self.is_due(writer.bytes) && writer.tail < u64::MAX;
        if self.usable(&writer).is_err() || !due {
            return Ok(());
        }
        let mut prepared = self.prepared();
        let segment = Arc::clone(&writer.active);
        let file = Arc::clone(&writer.file);
        let snapshot = Snapshot::of(&writer);
        let index = self.switch(&mut writer, prepared.take(), 0)?;
        let next = writer.active.id;
        let end = writer.tail;
        segment.retire();
        self.retired().push_back(Retired {
            segment,
            file,
            index,
            next,
            end,
            snapshot,
        });
        Ok(())
    }
}

/// So much of `size`, rounded down.
fn percent_of(size: u64, percent: u32) -> u64 {
    let of = |part: u64| part.saturating_mul(percent.into());
    of(size / 100).saturating_add(of(size % 100) / 100)
}
