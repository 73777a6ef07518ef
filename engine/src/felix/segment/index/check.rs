//! Holding an index against the records it points at.

use ondisk::felix::IndexEntry;

use super::{Entries, Unusable};
use crate::felix::segment::Met;

/// What a full scan of the segment shows its index to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does not load.
    Unusable(Unusable),
    /// It loads and has no entry for an intact record: nothing to start from, unless the segment has none either.
    Empty,
    /// Each of its entries points at the record it names. What lies behind the first failure cannot be told.
    Right,
    /// One of its entries does not.
    Wrong,
}

/// A walk over an index in step with a scan of its segment.
pub struct Check {
    entries: Result<Entries, Unusable>,
    /// The entry that comes next.
    pending: Option<IndexEntry>,
    standing: Standing,
}

impl Check {
    /// Begins with the first entry.
    pub fn new(entries: Result<Entries, Unusable>) -> Self {
        let standing = match &entries {
            Ok(_) => Standing::Empty,
            Err(unusable) => Standing::Unusable(*unusable),
        };
        let mut check = Self {
            entries,
            pending: None,
            standing,
        };
        check.advance();
        check
    }

    /// Looks whether the next entry is this record's.
    pub fn meet(&mut self, met: &Met<'_>) {
        let Some(entry) = self.pending else { return };
        if entry.position == met.position && entry.offset == met.record.offset() {
            self.standing = Standing::Right;
            self.advance();
        } else if entry.position <= met.position || entry.offset <= met.record.offset() {
            self.standing = Standing::Wrong;
            self.pending = None;
        }
    }

    /// What it came to. An entry that no record answered to is wrong, unless it points at or behind the record that ended
    /// the scan, which begins at `failure`: a cut there drops it.
    #[must_use]
    pub fn finish(self, failure: Option<u64>) -> Standing {
        let dropped = |entry: IndexEntry| failure.is_some_and(|cut| entry.position >= cut);
        if self.pending.is_none_or(dropped) {
            self.standing
        } else {
            Standing::Wrong
        }
    }

    fn advance(&mut self) {
        let Ok(entries) = &mut self.entries else {
            return;
        };
        match entries.next_entry() {
            Ok(entry) => self.pending = entry,
            Err(_) => {
                self.standing = Standing::Unusable(Unusable::Absent);
                self.pending = None;
            }
        }
    }
}
