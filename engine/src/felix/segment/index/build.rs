//! The index that a full scan makes.

use ondisk::felix::IndexEntry;

use crate::felix::segment::Met;

/// Collects the entries of an index while its segment is scanned from the front.
///
/// The first record gets an entry; a later one does when the records since the last entry, itself not counted, amount to
/// the spacing. Two scans at one spacing agree byte for byte; an index that was written while the log grew may have other
/// entries and be just as right.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::segment::index::Builder;
/// use ondisk_engine::felix::segment::{Access, HEADER_BYTES, Source, full};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let directory = RealDirectory::open(&path)?;
/// let file = directory.file("00000000000000000000.log")?;
/// let len = file.stat()?.len;
/// let mut source = Source::new(file, len, Access::default())?;
/// let mut index = Builder::new(4096);
/// full(&mut source, &mut |met| {
///     index.meet(met);
///     ControlFlow::Continue(())
/// })??;
/// let entries = index.finish();
/// assert_eq!(entries.len(), 1);
/// assert_eq!((entries[0].offset, entries[0].position), (0, HEADER_BYTES));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
