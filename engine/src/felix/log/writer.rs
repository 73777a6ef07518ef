//! The end of the log: the active segment, its index, and the buffer that batches are encoded in.

use std::io;
use std::sync::Arc;

use ondisk::encode::Encode;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Index, IndexEntry, Record, RecordView};
use ondisk::format::{Cx, Format, TRUSTED};

use super::batch::Entry;
use super::live::LiveSegment;
use crate::disk::{self, Directory, File};
use crate::felix::producer::ProducerState;
use crate::felix::segment::HEADER_BYTES;

/// What only one append at a time may touch.
#[derive(Debug)]
pub(super) struct Writer {
    /// The segment that is appended to.
    pub(super) active: Arc<LiveSegment>,
    /// Its file.
    pub(super) file: Arc<dyn File>,
    /// Its length: header and whole records.
    pub(super) bytes: u64,
    /// One past the newest offset.
    pub(super) tail: u64,
    /// Its index.
    pub(super) index: IndexWriter,
    /// Where a batch is encoded.
    pub(super) buffer: Vec<u8>,
    /// What is known of producers.
    pub(super) producers: ProducerState,
    /// Up to where blocks are reserved; `u64::MAX` when they are not to be.
    pub(super) reserved: u64,
}

/// Bytes reserved for a new segment at first (Felix 8.3).
const FIRST_RESERVATION: u64 = 1 << 20;

/// Bytes of the buffer that are kept from one batch to the next.
const BUFFER_KEPT: usize = 4 << 20;

impl Writer {
    /// Reserves blocks ahead: 1 MiB at first, doubled each time the records reach beyond its half, at most the size of a
    /// segment. Only a hint for the file system, so a failure is none.
    pub(super) fn reserve(&mut self, segment_size: u64) {
        if self.reserved >= segment_size || self.bytes <= self.reserved / 2 {
            return;
        }
        let mut wanted = self.reserved.max(FIRST_RESERVATION);
        while self.bytes > wanted / 2 && wanted < segment_size {
            wanted = wanted.saturating_mul(2);
        }
        self.reserved = wanted.min(segment_size);
        let _hint = self.file.allocate(self.reserved);
    }

    /// Takes in a batch that lies in the buffer and was written behind the rest. `marked` says that a record of it bears a
    /// producer's mark or is a generation start.
    pub(super) fn take_in(&mut self, entries: &[Entry<'_>], marked: bool) {
        if marked {
            self.feed_producers();
        } else {
            // Any number of ordinary records amounts to this.
            self.producers.abandon();
        }
        for entry in entries {
            let length = entry.disk_bytes();
            if let Some(entry) = self.index.meet(self.tail, self.bytes, length) {
                self.active.add_entry(entry);
            }
            self.tail += 1;
            self.bytes += length;
        }
        self.buffer.clear();
        self.buffer.shrink_to(BUFFER_KEPT);
    }

    fn feed_producers(&mut self) {
        let mut rest = self.buffer.as_slice();
        while let Some((record, after)) = next(rest, self.active.version) {
            self.producers.feed(record);
            rest = after;
        }
    }
}

/// The record at the front of what the writer encoded itself, which needs no check.
fn next(bytes: &[u8], version: u32) -> Option<(RecordView<'_>, &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let opened = Record::open::<(), TRUSTED>(bytes, 0, Cx::prefix(version));
    let (view, taken) = opened.ok()?;
    Some((view, bytes.get(taken..)?))
}

/// The index of the active segment on its way to its file. It is derived: what fails here drops the file, and the next
/// open makes it anew (Felix 5).
#[derive(Debug)]
pub(super) struct IndexWriter {
    spacing: u64,
    /// Record bytes since the last entry; none before the first.
    since: Option<u64>,
    file: Option<Arc<dyn File>>,
    /// Bytes of the file that are written.
    written: u64,
    waiting: Vec<IndexEntry>,
}

/// Entries that are written at once.
const GROUP: usize = 256;

impl IndexWriter {
    /// The index of a segment that has `entries` in `file` already, or is new.
    pub(super) fn new(spacing: u64, file: Option<Arc<dyn File>>, entries: usize) -> Self {
        Self {
            spacing: spacing.max(1),
            since: (entries > 0).then_some(0),
            file,
            written: (Index::MIN + entries * IndexEntry::MIN) as u64,
            waiting: Vec::new(),
        }
    }

    /// Creates the index file of a new segment, unsynced; none when that fails.
    pub(super) fn create(
        directory: &dyn Directory,
        id: u64,
        base_offset: u64,
    ) -> Option<Arc<dyn File>> {
        let name = SegmentFile::Index { id }.to_string();
        // One without its segment is left from a roll that was undone.
        let _absent = directory.unlink(&name);
        let file = directory.create(&name).ok()?;
        let header = Index {
            base_offset,
            entries: Vec::new(),
        };
        let mut bytes = Vec::new();
        let version = Index::write_version(&ondisk::FeatureLevels::NONE);
        header.encode(version, &mut bytes).ok()?;
        disk::write_all_at(&*file, &bytes, 0).ok()?;
        Some(file)
    }

    /// The next record, of `length` bytes; whether it gets an entry.
    fn meet(&mut self, offset: u64, position: u64, length: u64) -> Option<IndexEntry> {
        let gets_one = self.since.is_none_or(|since| since >= self.spacing);
        let since = if gets_one { 0 } else { self.since.unwrap_or(0) };
        self.since = Some(since.saturating_add(length));
        if !gets_one {
            return None;
        }
        let entry = IndexEntry { offset, position };
        self.waiting.push(entry);
        if self.waiting.len() >= GROUP {
            self.write_out();
        }
        Some(entry)
    }

    /// Writes the entries that wait.
    pub(super) fn write_out(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let Some(file) = self.file.as_ref().filter(|_| !waiting.is_empty()) else {
            return;
        };
        let mut bytes = Vec::with_capacity(waiting.len() * IndexEntry::MIN);
        let encoded = waiting
            .iter()
            .try_for_each(|entry| entry.encode_at(0, &mut bytes));
        let wrote = encoded.is_ok() && disk::write_all_at(&**file, &bytes, self.written).is_ok();
        if wrote {
            self.written += bytes.len() as u64;
        } else {
            self.file = None;
        }
    }

    /// Writes what waits and syncs the file. Whether the index is whole.
    pub(super) fn finish(&mut self) -> bool {
        self.write_out();
        let synced = self.file.as_ref().map(|file| file.sync_data());
        if !matches!(synced, Some(Ok(()))) {
            self.file = None;
        }
        self.file.is_some()
    }
}

/// The header of a new segment, as bytes.
pub(super) fn header_bytes(
    version: u32,
    base_offset: u64,
    created_at_micros: u64,
) -> io::Result<Vec<u8>> {
    let header = ondisk::felix::SegmentHeader {
        base_offset,
        created_at_micros,
    };
    let mut bytes = Vec::new();
    // A log that has a segment of version 4 goes on in that version, whatever is finalized by now (Felix 8.2).
    header
        .encode_at(version, &mut bytes)
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    debug_assert_eq!(bytes.len() as u64, HEADER_BYTES);
    Ok(bytes)
}
