//! Iterating over records.

use std::sync::Arc;

use super::cursor::{Cursor, Stop};
use super::pages::Window;
use super::{Bound, Record, View};
use crate::felix::error::StorageError;
use crate::felix::log::live::LiveSegment;

/// An iterator over the records of a log, from an offset on. Each record borrows from it until the next is asked for;
/// [`Record::keep`] gives one that lives by itself.
///
/// At the end of what the bound allows it says `None`, and goes on when asked again after the log has grown. It keeps the
/// log open, unless that is closed.
#[derive(Debug)]
pub struct Records {
    log: Arc<dyn View>,
    bound: Bound,
    /// The offset of the next record.
    position: u64,
    /// Up to where the bound allowed when it was last asked.
    limit: u64,
    /// Cuts of the log that it knows of.
    seen: u64,
    skip_generation_starts: bool,
    cursor: Option<Cursor>,
    window: Arc<Window>,
    /// Where the log was cut below it; that is the end.
    rewound: Option<u64>,
}

/// Times that a segment which moved away is looked for again.
const LOOKS: usize = 16;

impl Records {
    /// From `from` on. The position is looked for with the first record.
    pub(in crate::felix::log) fn new(
        log: Arc<dyn View>,
        from: u64,
        bound: Bound,
    ) -> Result<Self, StorageError> {
        log.check()?;
        let seen = log.published().cuts.count();
        let oldest = log.published().base();
        if from < oldest {
            let requested = from;
            return Err(StorageError::Trimmed { requested, oldest });
        }
        Ok(Self {
            limit: log.limit(bound),
            log,
            bound,
            position: from,
            seen,
            skip_generation_starts: false,
            cursor: None,
            window: Arc::default(),
            rewound: None,
        })
    }

    /// Leaves generation starts out, as every reader but replication does (Felix 4.2).
    #[must_use]
    pub fn without_generation_starts(mut self) -> Self {
        self.skip_generation_starts = true;
        self
    }

    /// The offset of the next record.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The next record; none at the end of what the bound allows now.
    ///
    /// # Errors
    /// [`StorageError::Rewound`] once the log was cut back below the position, from then on for good;
    /// [`StorageError::Trimmed`] when retention went past it; [`StorageError::Corruption`] with its site for a record that
    /// does not decode; [`StorageError::Closed`]; [`StorageError::Io`].
    #[expect(
        clippy::should_implement_trait,
        reason = "each record borrows from the iterator"
    )]
    pub fn next(&mut self) -> Result<Option<Record<'_>>, StorageError> {
        if !self.ready()? {
            return Ok(None);
        }
        self.take().map(Some)
    }

    /// Whether there is a next record; all is at hand for it then.
    pub(super) fn ready(&mut self) -> Result<bool, StorageError> {
        loop {
            if !self.stand_before_next()? {
                return Ok(false);
            }
            if !self.skip_generation_starts {
                return Ok(true);
            }
            let position = self.position;
            let stepped = self
                .cursor
                .as_mut()
                .is_some_and(|cursor| cursor.step_over_generation_start(position));
            if !stepped {
                return Ok(true);
            }
            self.position += 1;
        }
    }

    /// The log.
    pub(super) fn view(&self) -> Arc<dyn View> {
        Arc::clone(&self.log)
    }

    /// The bound, the position, and how many cuts it knows of.
    pub(super) fn stands(&self) -> (Bound, u64, u64) {
        (self.bound, self.position, self.seen)
    }

    /// The record that [`ready`](Self::ready) has made ready.
    pub(super) fn take(&mut self) -> Result<Record<'_>, StorageError> {
        let Self {
            log,
            cursor,
            position,
            ..
        } = self;
        let Some(cursor) = cursor.as_mut() else {
            return Err(StorageError::InvalidRange);
        };
        let id = cursor.segment.id;
        match cursor.next(*position) {
            Ok(record) => {
                *position += 1;
                Ok(record)
            }
            Err(failure) => Err(failed(&**log, id, *position, Stop::Failed(failure))),
        }
    }

    fn stand_before_next(&mut self) -> Result<bool, StorageError> {
        for _ in 0..LOOKS {
            if self.log.published().cuts.count() != self.seen {
                self.learn_of_cuts()?;
            }
            if let Some(to) = self.rewound {
                return Err(StorageError::Rewound { to });
            }
            if self.position >= self.limit {
                self.log.check()?;
                self.limit = self.log.limit(self.bound);
                if self.position >= self.limit {
                    return Ok(false);
                }
            }
            match self.try_stand() {
                Ok(true) => {}
                // The segment ended, or moved away: look at the list again.
                Ok(false) => continue,
                Err(error) if self.log.published().cuts.count() == self.seen => return Err(error),
                Err(_) => continue,
            }
            // What was read by `pread` may be of after a cut, so the count is looked at once more.
            if self.log.published().cuts.count() == self.seen {
                return Ok(true);
            }
        }
        let requested = self.position;
        let oldest = self.log.published().base();
        Err(StorageError::Trimmed { requested, oldest })
    }

    /// Puts the cursor before the next record, and has its bytes at hand.
    fn try_stand(&mut self) -> Result<bool, StorageError> {
        let log = Arc::clone(&self.log);
        let opener = log.opener();
        let position = self.position;
        if let Some(cursor) = &mut self.cursor {
            let id = cursor.segment.id;
            let stands = cursor.has_next(opener).and_then(|there| {
                if there {
                    cursor.load()?;
                }
                Ok(there)
            });
            match stands {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(stop) => return Err(failed(&*log, id, position, stop)),
            }
        }
        if let Some(cursor) = self.cursor.take() {
            self.window = cursor.into_window();
        }
        let oldest = log.published().base();
        if position < oldest {
            let requested = position;
            return Err(StorageError::Trimmed { requested, oldest });
        }
        let Some(segment) = segment_of(&*log, position) else {
            return Ok(false);
        };
        let id = segment.id;
        let window = std::mem::take(&mut self.window);
        match Cursor::seek(opener, segment, position, window) {
            Ok(cursor) => {
                self.cursor = Some(cursor);
                Ok(false)
            }
            // Unlinked between the look at the list and the open: retention went on, or the log was cut.
            Err(Stop::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(stop) => Err(failed(&*log, id, position, stop)),
        }
    }

    #[cold]
    fn learn_of_cuts(&mut self) -> Result<(), StorageError> {
        let cuts = &self.log.published().cuts;
        let now = cuts.count();
        let lowest = cuts.lowest_since(self.seen);
        self.seen = now;
        self.cursor = None;
        self.limit = self.log.limit(self.bound);
        if let Some(to) = lowest.filter(|&to| self.position > to) {
            self.rewound = Some(to);
        }
        Ok(())
    }
}

/// The segment that the record at `offset` lies in, if there is one.
fn segment_of(log: &dyn View, offset: u64) -> Option<Arc<LiveSegment>> {
    let segments = log.published().segments();
    let after = segments.partition_point(|segment| segment.base_offset <= offset);
    // Empty segments share their base with the next; the last of those is the one.
    let at = after.checked_sub(1)?;
    segments.get(at).map(Arc::clone)
}

/// What a step that failed is. A record at or above the end of the log is none that is damaged: it was cut off.
fn failed(log: &dyn View, segment: u64, position: u64, stop: Stop) -> StorageError {
    let tail = log.published().tail();
    if position >= tail {
        return StorageError::Rewound { to: tail };
    }
    match stop {
        Stop::Failed(failure) => {
            let corruption = failure.kind.at(segment, failure.position);
            corruption.in_shard(log.label()).into()
        }
        Stop::Io(source) => {
            let id = segment;
            let name = ondisk::felix::name::SegmentFile::Log { id }.to_string();
            let path = log.opener().directory().path().join(name);
            StorageError::io(path, "read")(source)
        }
    }
}
