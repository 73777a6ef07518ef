//! Deleting the oldest segments (Felix 10).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ondisk::felix::name::SegmentFile;

use super::live::{LiveSegment, Phase};
use super::shared::Shared;
use crate::clock::Clock;
use crate::felix::error::StorageError;

/// The clocks at the last retention pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastPass {
    wall_micros: u64,
    monotonic: Duration,
}

impl LastPass {
    /// The clocks now.
    pub(super) fn at(clock: &dyn Clock) -> Self {
        Self {
            wall_micros: clock.wall_micros(),
            monotonic: clock.monotonic(),
        }
    }

    /// Whether the wall clock went ahead by more than `tolerance` of the time that passed since.
    fn jumped(self, now: Self, tolerance: Duration) -> bool {
        let passed = now.monotonic.saturating_sub(self.monotonic);
        let expected = self.wall_micros.saturating_add(micros(passed));
        now.wall_micros > expected.saturating_add(micros(tolerance))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Why the pass goes on.
enum Due {
    Bytes,
    Age,
}

impl Shared {
    /// One pass: deletes from the oldest sealed segment on until one is to stay. Returns how many went.
    pub(super) fn retain(&self) -> Result<u64, StorageError> {
        // One pass at a time; also the clocks of the pass before.
        let _open = self.open_for_writes()?;
        let mut last = self.last_pass();
        let now = LastPass::at(&*self.clock);
        // One bad clock must not empty a log: whoever set it right has an interval to notice.
        let trusted = !last.jumped(now, self.config.retention.interval);
        *last = now;
        let mut removed = 0;
        let ended = loop {
            let trimmed = match self.oldest_to_go(now.wall_micros, trusted) {
                Ok(Some(oldest)) => self.trim(&oldest),
                Ok(None) => Ok(false),
                Err(error) => Err(error),
            };
            match trimmed {
                Ok(true) => removed += 1,
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if removed > 0 {
            let base = self.published.base();
            self.writer().producers.prune(base);
        }
        ended.map(|()| removed)
    }

    fn oldest_to_go(
        &self,
        now_micros: u64,
        clock_trusted: bool,
    ) -> Result<Option<Arc<LiveSegment>>, StorageError> {
        let segments = self.published.segments();
        let [oldest, next, ..] = &segments[..] else {
            return Ok(None);
        };
        if oldest.phase() != Phase::Sealed || self.commit.is_poisoned() {
            return Ok(None);
        }
        // The last offset is one below the next base, or the base of one without records.
        let last_offset = next.base_offset.saturating_sub(1).max(oldest.base_offset);
        let held =
            self.hold_retention.load(Ordering::Relaxed) && last_offset >= self.accepted.commit();
        if held {
            return Ok(None);
        }
        let due = self.due(&segments, oldest, now_micros, clock_trusted);
        Ok(due.map(|_| Arc::clone(oldest)))
    }

    fn due(
        &self,
        segments: &[Arc<LiveSegment>],
        oldest: &LiveSegment,
        now_micros: u64,
        clock_trusted: bool,
    ) -> Option<Due> {
        let retention = &self.config.retention;
        let total: u64 = segments.iter().map(|segment| segment.bytes()).sum();
        if retention.bytes.is_some_and(|most| total > most) {
            return Some(Due::Bytes);
        }
        let age = micros(retention.age.filter(|_| clock_trusted)?);
        let is_past = |micros: u64| now_micros.saturating_sub(micros) > age;
        let written = self.modified_micros(oldest.id)?;
        // One without records, which a generation start at the front leaves behind, has no timestamp and keeps nothing.
        let stamped = match oldest.is_empty() {
            true => 0,
            false => self.last_timestamp_of(oldest)?,
        };
        (is_past(stamped) && is_past(written)).then_some(Due::Age)
    }

    fn modified_micros(&self, id: u64) -> Option<u64> {
        let name = SegmentFile::Log { id }.to_string();
        let (_, stat) = self.directory.stat(&name).ok()?;
        u64::try_from(stat.modified_nanos / 1000).ok()
    }

    /// The timestamp of the last record; none when it cannot be read.
    fn last_timestamp_of(&self, segment: &LiveSegment) -> Option<u64> {
        if let Some(known) = segment.last_timestamp() {
            return Some(known);
        }
        let read = self.read_last_timestamp(segment).ok().flatten()?;
        segment.note_last_timestamp(read);
        Some(read)
    }

    /// Takes the oldest segment out of the log, then off the disk. Whether it was still the oldest.
    ///
    /// A name that cannot be taken away loses nothing: the segment is put back, and the next pass tries again before it
    /// comes to a newer one. Who asks in between is told that it is trimmed. A sync that fails poisons the log like any other.
    fn trim(&self, oldest: &Arc<LiveSegment>) -> Result<bool, StorageError> {
        // A cut in between would leave this segment below a hole, if power is lost before it is gone.
        let _removing = self.removing();
        let base_before = self.published.base();
        {
            let writer = self.writer();
            self.usable(&writer)?;
            let segments = self.published.segments();
            let [first, next, ..] = &segments[..] else {
                return Ok(false);
            };
            if !Arc::ptr_eq(first, oldest) {
                return Ok(false);
            }
            let base = next.base_offset;
            self.published.replace(segments[1..].to_vec(), base);
        }
        self.appended.notify();
        oldest.slot.retire(oldest.bytes());
        if let Err(error) = self.unlink_segment(oldest.id) {
            self.put_back(oldest, base_before);
            return Err(self.segment_error(oldest.id, "remove")(error));
        }
        self.directory.sync().map_err(|error| {
            self.poison("remove a segment", &error);
            self.directory_error("sync")(error)
        })?;
        self.metrics.trimmed();
        Ok(true)
    }

    /// Lets the log begin with a segment again that could not be removed.
    fn put_back(&self, oldest: &LiveSegment, base: u64) {
        let again = LiveSegment::sealed(
            oldest.id,
            oldest.base_offset,
            oldest.version,
            oldest.bytes(),
        );
        if let Some(known) = oldest.last_timestamp() {
            again.note_last_timestamp(known);
        }
        // So that nobody rolls meanwhile.
        let _writer = self.writer();
        let mut segments = vec![Arc::new(again)];
        segments.extend(self.published.segments().iter().map(Arc::clone));
        self.published.put_back(segments, base);
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, LastPass};

    #[test]
    fn a_clock_that_jumps() {
        let at = |wall_seconds: u64, monotonic_seconds| LastPass {
            wall_micros: wall_seconds * 1_000_000,
            monotonic: Duration::from_secs(monotonic_seconds),
        };
        let minute = Duration::from_secs(60);
        for (name, now, jumped) in [
            ("in step", at(1060, 160), false),
            ("a little ahead", at(1119, 160), false),
            ("an interval ahead", at(1121, 160), true),
            ("days ahead", at(900_000, 160), true),
            ("backwards", at(10, 160), false),
        ] {
            assert_eq!(at(1000, 100).jumped(now, minute), jumped, "{name}");
        }
    }
}
