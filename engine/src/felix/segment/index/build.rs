//! The index that a full scan makes.

use ondisk::felix::IndexEntry;

use crate::felix::segment::Met;

/// Collects the entries of an index while its segment is scanned from the front.
///
/// The first record gets an entry; a later one does when the records since the last entry, itself not counted, amount to
/// the spacing. Two scans at one spacing agree byte for byte; an index that was written while the log grew may have other
/// entries and be just as right.
#[derive(Clone, Debug)]
pub struct Builder {
    spacing: u64,
    /// Record bytes since the last entry.
    since: u64,
    entries: Vec<IndexEntry>,
}

impl Builder {
    /// For entries that lie `spacing` record bytes apart, at least 1.
    #[must_use]
    pub fn new(spacing: u64) -> Self {
        Self {
            spacing: spacing.max(1),
            since: 0,
            entries: Vec::new(),
        }
    }

    /// The next record.
    pub fn meet(&mut self, met: &Met<'_>) {
        if self.entries.is_empty() || self.since >= self.spacing {
            self.entries.push(IndexEntry {
                offset: met.record.offset(),
                position: met.position,
            });
            self.since = 0;
        }
        self.since = self.since.saturating_add(met.bytes);
    }

    /// The entries, in order.
    #[must_use]
    pub fn finish(self) -> Vec<IndexEntry> {
        self.entries
    }
}
