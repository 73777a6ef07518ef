//! What may have to be done ahead of a record: learning of cuts, asking for the bound, finding the next segment, waiting
//! for a cut to end, and saying what failed.

use std::sync::Arc;
use std::time::Duration;

use ondisk::felix::Record as Definition;
use ondisk::felix::name::SegmentFile;

use super::Records;
use super::cursor::{Cursor, Step, Stop};
use super::record::Place;
use crate::felix::error::{CorruptionKind, StorageError};
use crate::felix::log::live::LiveSegment;

/// Times that something which failed is tried again, if the log moved meanwhile.
const TRIES: usize = 16;

/// How long a reader waits for the end of a cut before it looks by itself.
const CUT_PAUSE: Duration = Duration::from_millis(20);

impl Records {
    /// Where the next record lies, if there is one, with all that has to be done for it.
    #[cold]
    pub(super) fn look_further(&mut self) -> Result<Option<Place>, StorageError> {
        let mut tries = 0;
        loop {
            if let Some(to) = self.rewound {
                return Err(StorageError::Rewound { to });
            }
            if self.is_cut() {
                self.learn_of_cuts();
                continue;
            }
            if self.position >= self.limit && !self.may_go_on()? {
                return Ok(None);
            }
            let Some(cursor) = &mut self.cursor else {
                self.enter(&mut tries)?;
                continue;
            };
            match cursor.check_further(self.log.opener(), self.position) {
                Ok(Step::Found(place)) => {
                    if !(self.skip_generation_starts && cursor.starts_generation(place)) {
                        return Ok(Some(place));
                    }
                    cursor.step(place);
                    self.position += 1;
                }
                // What was read may be of after a cut, so that is asked for once more; and another process may have cut
                // the file that it was read from.
                Ok(Step::Read) => self.log.look_back()?,
                Ok(Step::End) => self.leave()?,
                Err(stop) => {
                    let segment = Arc::clone(&cursor.segment);
                    self.stopped(stop, &segment, &mut tries)?;
                }
            }
        }
    }

    /// Asks for the bound anew.
    #[cold]
    fn may_go_on(&mut self) -> Result<bool, StorageError> {
        self.log.check()?;
        self.limit = self.log.limit(self.bound);
        Ok(self.position < self.limit)
    }

    #[cold]
    fn learn_of_cuts(&mut self) {
        let cuts = &self.published.cuts;
        let now = cuts.count();
        let lowest = cuts.lowest_since(self.seen);
        self.seen = now;
        self.drop_cursor();
        self.limit = self.log.limit(self.bound);
        self.rewound = lowest.filter(|&to| self.position > to);
    }

    fn drop_cursor(&mut self) {
        if let Some(cursor) = self.cursor.take() {
            self.window = cursor.into_window();
        }
    }

    /// Finds the next record in the segments as they are now.
    #[cold]
    fn enter(&mut self, tries: &mut usize) -> Result<(), StorageError> {
        let segments = self.published.segments();
        let at = segments.partition_point(|segment| segment.base_offset <= self.position);
        let Some(segment) = at.checked_sub(1).and_then(|at| segments.get(at)) else {
            let requested = self.position;
            let oldest = segments.first().map_or(0, |oldest| oldest.base_offset);
            return Err(StorageError::Trimmed { requested, oldest });
        };
        let window = self.window.take();
        let opener = self.log.opener();
        match Cursor::seek(opener, Arc::clone(segment), self.position, window) {
            Ok(cursor) => {
                let is_read = !cursor.is_mapped();
                self.cursor = Some(cursor);
                if is_read {
                    // As for whatever is read.
                    self.log.look_back()?;
                }
                Ok(())
            }
            Err(stop) => self.stopped(stop, segment, tries),
        }
    }

    /// Whether the next record lies in another segment than this one now.
    fn is_elsewhere(&self, segment: &Arc<LiveSegment>) -> bool {
        let segments = self.published.segments();
        let at = segments.partition_point(|segment| segment.base_offset <= self.position);
        let now = at.checked_sub(1).and_then(|at| segments.get(at));
        now.is_none_or(|now| !Arc::ptr_eq(now, segment))
    }

    /// The segment ends here, though there are more records: they are in the next one.
    #[cold]
    fn leave(&mut self) -> Result<(), StorageError> {
        let Some(cursor) = &self.cursor else {
            return Ok(());
        };
        let (segment, end) = (Arc::clone(&cursor.segment), cursor.position());
        if self.is_elsewhere(&segment) {
            self.drop_cursor();
            return Ok(());
        }
        // A cut lowers the tail before it puts a shorter segment in place, and is noted before anything is appended behind
        // it. So if the tail still lies above, and there was no cut, and the segment is as it was, a record is missing.
        self.limit = self.log.limit(self.bound);
        if self.position >= self.limit || self.is_cut() || segment.bytes() > end {
            return Ok(());
        }
        let kind = CorruptionKind::Truncated {
            needed: Definition::MIN as u64,
            available: 0,
        };
        let corruption = kind.at(segment.id, end);
        Err(corruption.in_shard(self.log.label()).into())
    }

    /// Something failed in this segment. No error if the log has moved on since, so that it is to be tried again.
    #[cold]
    fn stopped(
        &mut self,
        stop: Stop,
        segment: &Arc<LiveSegment>,
        tries: &mut usize,
    ) -> Result<(), StorageError> {
        if matches!(stop, Stop::Retired) {
            return self.await_cut(segment);
        }
        *tries += 1;
        if *tries < TRIES {
            // Another process may have cut or trimmed the log.
            self.log.refresh()?;
            if self.is_cut() {
                return Ok(());
            }
            if self.is_elsewhere(segment) {
                self.drop_cursor();
                return Ok(());
            }
        }
        Err(match stop {
            Stop::Failed(failure) => {
                let corruption = failure.kind.at(segment.id, failure.position);
                corruption.in_shard(self.log.label()).into()
            }
            Stop::Io(source) => {
                let name = SegmentFile::Log { id: segment.id }.to_string();
                let path = self.log.opener().directory().path().join(name);
                StorageError::io(path, "read")(source)
            }
            Stop::Retired => StorageError::SyncFailed,
        })
    }

    /// Waits until a cut that is under way is done, or the segment is out of the list.
    fn await_cut(&mut self, segment: &Arc<LiveSegment>) -> Result<(), StorageError> {
        self.drop_cursor();
        let log = Arc::clone(&self.log);
        loop {
            let moved = || self.is_cut() || self.is_elsewhere(segment);
            let ended = || log.is_poisoned() || log.check().is_err();
            if log.signal().wait(Some(CUT_PAUSE), || moved() || ended()) {
                if moved() {
                    return Ok(());
                }
                log.check()?;
                // What the cut that failed has done to the segment is not known.
                return Err(StorageError::SyncFailed);
            }
        }
    }
}
