//! Iterating over records.

use std::sync::Arc;

use super::cursor::Cursor;
use super::pages::Window;
use super::record::Place;
use super::{Bound, Record, View};
use crate::felix::error::StorageError;
use crate::felix::log::published::Published;

/// An iterator over the records of a log, from an offset on. Each record borrows from it until the next is asked for;
/// [`Record::keep`] gives one that lives by itself.
///
/// At the end of what the bound allows it says `None`, and goes on when asked again after the log has grown. It does not
/// keep the log open: once that is closed, or its last handle gone, it comes to [`StorageError::Closed`] in the place of
/// `None`. What retention trims may still come as long as it lies in pages that are at hand.
#[derive(Debug)]
pub struct Records {
    pub(super) log: Arc<dyn View>,
    pub(super) published: Arc<Published>,
    pub(super) bound: Bound,
    /// The offset of the next record.
    pub(super) position: u64,
    /// Up to where the bound allowed when it was last asked.
    pub(super) limit: u64,
    /// Cuts of the log that it knows of.
    pub(super) seen: u64,
    pub(super) skip_generation_starts: bool,
    pub(super) cursor: Option<Cursor>,
    /// A buffer that nothing is in.
    pub(super) window: Option<Arc<Window>>,
    /// Where the log was cut below it; that is the end.
    pub(super) rewound: Option<u64>,
}

impl Records {
    /// From `from` on. The position is looked for with the first record.
    pub(in crate::felix::log) fn new(
        log: Arc<dyn View>,
        from: u64,
        bound: Bound,
    ) -> Result<Self, StorageError> {
        log.check()?;
        let published = Arc::clone(log.published());
        let seen = published.cuts.count();
        let oldest = published.base();
        if from < oldest {
            let requested = from;
            return Err(StorageError::Trimmed { requested, oldest });
        }
        Ok(Self {
            limit: log.limit(bound),
            log,
            published,
            bound,
            position: from,
            seen,
            skip_generation_starts: false,
            cursor: None,
            window: None,
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
    /// While the log is being cut back it may wait until that is done.
    ///
    /// # Errors
    /// [`StorageError::Rewound`] once the log was cut back below the position, from then on for good;
    /// [`StorageError::Trimmed`] when retention went past it; [`StorageError::Corruption`] with its site for a record that
    /// does not decode; [`StorageError::Closed`]; [`StorageError::SyncFailed`] for what a cut that failed left in doubt;
    /// [`StorageError::Io`].
    #[expect(
        clippy::should_implement_trait,
        reason = "each record borrows from the iterator"
    )]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Record<'_>>, StorageError> {
        match self.ready()? {
            Some(place) => self.take(place).map(Some),
            None => Ok(None),
        }
    }

    /// Where the next record lies, if there is one. It is checked then, and the rest of what may have to be done ahead of
    /// it is done.
    #[inline]
    pub(super) fn ready(&mut self) -> Result<Option<Place>, StorageError> {
        match self.at_hand() {
            Some(place) => Ok(Some(place)),
            None => self.look_further(),
        }
    }

    /// The same, where nothing has to be done but to check it.
    #[inline]
    fn at_hand(&self) -> Option<Place> {
        if self.is_cut() || self.position >= self.limit {
            return None;
        }
        // There is no cursor once it is rewound.
        let cursor = self.cursor.as_ref()?;
        let place = cursor.check(self.position)?;
        let left_out = self.skip_generation_starts && cursor.starts_generation(place);
        (!left_out).then_some(place)
    }

    /// The record that [`ready`](Self::ready) has found there.
    #[inline]
    pub(super) fn take(&mut self, place: Place) -> Result<Record<'_>, StorageError> {
        let record = match &mut self.cursor {
            Some(cursor) => {
                cursor.step(place);
                cursor.record(place)
            }
            None => None,
        };
        let Some(record) = record else {
            let changed = std::io::Error::other("a record changed while it was read");
            return Err(StorageError::io(
                self.log.opener().directory().path(),
                "read",
            )(changed));
        };
        self.position += 1;
        Ok(record)
    }

    /// The log.
    pub(super) fn view(&self) -> Arc<dyn View> {
        Arc::clone(&self.log)
    }

    /// The bound, the position, and how many cuts it knows of.
    pub(super) fn stands(&self) -> (Bound, u64, u64) {
        (self.bound, self.position, self.seen)
    }

    /// Whether there was a cut that it does not know of.
    #[inline]
    pub(super) fn is_cut(&self) -> bool {
        self.published.cuts.count() != self.seen
    }
}
