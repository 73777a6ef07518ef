//! Holding an index against the records it points at.

use std::io;

use ondisk::felix::IndexEntry;

use super::{Entries, Unusable};
use crate::felix::segment::Met;

/// What a full scan of the segment shows its index to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does not load.
    Unusable(Unusable),
    /// It loads and has no entry: nothing to start from, unless the segment has no record either.
    Empty,
    /// Each of its entries points at the record it names.
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
    pub fn new(mut entries: Result<Entries, Unusable>) -> Self {
        let mut standing = Standing::Right;
        let first = match &mut entries {
            Ok(entries) => entries.next_entry(),
            Err(unusable) => {
                standing = Standing::Unusable(*unusable);
                Ok(None)
            }
        };
        let mut check = Self {
            entries,
            pending: None,
            standing,
        };
        check.take(first);
        if check.standing == Standing::Right && check.pending.is_none() {
            check.standing = Standing::Empty;
        }
        check
    }

    /// Looks whether the next entry is this record's.
    pub fn meet(&mut self, met: &Met<'_>) {
        let Some(entry) = self.pending else { return };
        if entry.position == met.position && entry.offset == met.record.offset() {
            let next = match &mut self.entries {
                Ok(entries) => entries.next_entry(),
                Err(_) => Ok(None),
            };
            self.take(next);
        } else if entry.position <= met.position || entry.offset <= met.record.offset() {
            self.standing = Standing::Wrong;
            self.pending = None;
        }
    }

    /// What it came to; an entry that no record answered to is wrong.
    #[must_use]
    pub fn finish(self) -> Standing {
        if self.pending.is_some() {
            Standing::Wrong
        } else {
            self.standing
        }
    }

    fn take(&mut self, next: io::Result<Option<IndexEntry>>) {
        match next {
            Ok(entry) => self.pending = entry,
            Err(_) => self.standing = Standing::Unusable(Unusable::Absent),
        }
    }
}
