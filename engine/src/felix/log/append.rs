//! Appending (Felix 8.2).

use super::batch::{self, Entry};
use super::shared::Shared;
use super::writer::Writer;
use super::{Commit, FsyncMode, Mark};
use crate::disk;
use crate::felix::error::StorageError;
use crate::planted::{self, Planted};

/// What became of a conditional append.
///
/// ```
/// use ondisk_engine::felix::log::{Appended, Config, Entry, Log};
///
/// # let place = tempfile::tempdir()?;
/// let log = Log::open(place.path(), Config::default())?;
/// assert!(matches!(log.append_at(0, &[Entry::new(b"first")])?, Appended::Written(_)));
/// assert!(matches!(log.append_at(0, &[Entry::new(b"again")])?, Appended::TailIs(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Appended {
    /// The log ended where it was said to, and the batch is written.
    Written(Commit),
    /// It did not: it ends here. Nothing is written.
    TailIs(u64),
}

impl Shared {
    /// Appends a batch in one write; with `expected`, only if the log ends there.
    pub(super) fn append(
        &self,
        entries: &[Entry<'_>],
        expected: Option<u64>,
    ) -> Result<Appended, StorageError> {
        let mut writer = self.writer_in_turn();
        self.usable(&writer)?;
        batch::refuse(entries, &self.config)?;
        let first = writer.tail;
        let last_fits = u64::try_from(entries.len())
            .ok()
            .and_then(|records| first.checked_add(records));
        let Some(tail) = last_fits else {
            return Err(StorageError::InvalidRange);
        };
        if expected.is_some_and(|expected| expected != first) {
            return Ok(Appended::TailIs(first));
        }
        let (needs, last_timestamp) = self.encode(&mut writer, entries)?;
        if self.must_roll_first(&writer, needs) {
            self.roll(&mut writer, needs)?;
        }
        self.write(&mut writer)?;
        let marked = entries.iter().any(|entry| entry.mark != Mark::Ordinary);
        self.metrics
            .appended(entries.len() as u64, writer.buffer.len() as u64);
        writer.take_in(entries, marked);
        writer.active.note_last_timestamp(last_timestamp);
        debug_assert_eq!(writer.tail, tail);
        self.published.append(&writer.active, writer.bytes, tail);
        if self.config.preallocate {
            writer.reserve(self.config.segment_size_bytes);
        }
        self.prepare_when_due(&writer);
        let acknowledged = self.config.fsync != FsyncMode::OnCommit
            || planted::is(Planted::AcknowledgedBeforeFlush);
        // Before a cut can come in between: the handle stands for these records and none that take their place.
        let commit = self.commit.handle(first..tail, acknowledged);
        drop(writer);
        self.appended.notify();
        Ok(Appended::Written(commit))
    }

    /// Refuses whatever comes after a close or a failed sync. Asked with the writer held, so that neither comes in between.
    pub(super) fn usable(&self, _writer: &Writer) -> Result<(), StorageError> {
        if self.is_closed() {
            return Err(self.closed());
        }
        if self.commit.is_poisoned() {
            return Err(StorageError::SyncFailed);
        }
        Ok(())
    }

    /// Encodes the batch into the buffer. Returns the lowest version of a segment that may hold it, and the timestamp of
    /// its last record.
    fn encode(
        &self,
        writer: &mut Writer,
        entries: &[Entry<'_>],
    ) -> Result<(u32, u64), StorageError> {
        writer.buffer.clear();
        let all_timed = entries.iter().all(|entry| entry.timestamp_micros.is_some());
        let now = if all_timed {
            0
        } else {
            self.clock.wall_micros()
        };
        let mut needs = 0;
        for (entry, offset) in entries.iter().zip(writer.tail..) {
            entry.encode(offset, now, &mut writer.buffer)?;
            needs = needs.max(entry.version());
        }
        let last = entries.last().and_then(|entry| entry.timestamp_micros);
        Ok((needs, last.unwrap_or(now)))
    }

    /// An exact fit stays, and so does a batch that is longer than a segment when it finds an empty one.
    fn must_roll_first(&self, writer: &Writer, needs: u32) -> bool {
        if needs > writer.active.version {
            return true;
        }
        let end = writer.bytes.saturating_add(writer.buffer.len() as u64);
        !writer.active.is_empty() && end > self.most_bytes_of_a_segment()
    }

    /// One write behind what is there. When it fails, what it left is cut off again, so that no debris lies between
    /// records; when that fails too, nothing can be trusted any more.
    fn write(&self, writer: &mut Writer) -> Result<(), StorageError> {
        let written = disk::write_all_at(&*writer.file, &writer.buffer, writer.bytes);
        let Err(error) = written else { return Ok(()) };
        writer.buffer.clear();
        let rewound = writer.file.set_len(writer.bytes);
        writer.reserved = writer.bytes.min(writer.reserved);
        if let Err(second) = rewound {
            self.poison("rewind", &second);
        }
        Err(self.segment_error(writer.active.id, "append to")(error))
    }
}
