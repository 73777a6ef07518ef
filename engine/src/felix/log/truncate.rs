//! Cutting a log back, and beginning it anew (Felix 14.1 to 14.3).

use std::io;
use std::sync::{Arc, MutexGuard};

use ondisk::felix::IndexEntry;
use ondisk::felix::name::{SegmentFile, ShardEntry, Sidecar};

use super::live::LiveSegment;
use super::roll::Prepared;
use super::shared::Shared;
use super::writer::{IndexWriter, Writer, header_bytes};
use crate::disk::{self, Directory, EntryKind, File, Replace};
use crate::felix::error::StorageError;
use crate::felix::producer::ProducerState;
use crate::felix::segment::HEADER_BYTES;
use crate::felix::sidecar::store;
use crate::map;
use crate::planted::{self, Planted};

/// What a truncation leaves of the segments.
enum Place {
    /// The segment at this place in the list keeps its records up to this position; those behind it go.
    In { at: usize, position: u64 },
    /// No segment keeps a record.
    BelowAll,
}

impl Shared {
    /// Drops all records at or above `offset`.
    pub(super) fn truncate(&self, offset: u64) -> Result<(), StorageError> {
        let _no_flush = self.commit.exclusive();
        let _none_removed = self.removing();
        let mut writer = self.writer();
        self.usable(&writer)?;
        if offset >= writer.tail {
            return Ok(());
        }
        let base = self.published.base();
        self.guard(&writer, base.max(offset))?;
        let cut = self.cut_at(&mut writer, offset);
        self.poisoned_by(cut, "truncate")
    }

    /// Drops all records, and goes on at `base`, which may lie anywhere.
    pub(super) fn reset_to(&self, base: u64) -> Result<(), StorageError> {
        let _no_flush = self.commit.exclusive();
        let _none_removed = self.removing();
        let mut writer = self.writer();
        self.usable(&writer)?;
        if base == u64::MAX {
            return Err(StorageError::InvalidRange);
        }
        self.guard(&writer, self.published.base().max(base))?;
        let reset = self.begin_at(&mut writer, base);
        self.poisoned_by(reset, "reset")
    }

    /// Goes back to `offset`, committed records or not: for a copy that is restored, with nobody else at work.
    pub(super) fn restore_to(&self, offset: u64) -> Result<(), StorageError> {
        let lowering = self.open_for_writes()?;
        let (base, tail) = (self.published.base(), self.published.tail());
        if !(base..=tail).contains(&offset) {
            return Err(StorageError::OutsideLog { offset, base, tail });
        }
        self.accepted
            .lower_commit(&*self.directory, offset)
            .map_err(self.directory_error("write replica in"))?;
        drop(lowering);
        self.truncate(offset)
    }

    /// Refuses to drop what a majority holds; `lowest` is the lowest offset that would go.
    fn guard(&self, writer: &Writer, lowest: u64) -> Result<(), StorageError> {
        let commit = self.accepted.commit();
        if lowest < commit.min(writer.tail) {
            let offset = lowest;
            return Err(StorageError::BelowCommit { offset, commit });
        }
        Ok(())
    }

    /// Half a cut is no state to go on from: what failed is done by the recovery of the next open.
    fn poisoned_by(&self, done: io::Result<()>, doing: &'static str) -> Result<(), StorageError> {
        done.map_err(|error| {
            self.poison(doing, &error);
            self.directory_error(doing)(error)
        })
    }

    /// Steps 3 to 10 of a truncation.
    fn cut_at(&self, writer: &mut Writer, offset: u64) -> io::Result<()> {
        let directory = &*self.directory;
        let _none_prepared = self.settle_segments(writer)?;
        if !planted::is(Planted::SegmentBeforeManifest) {
            self.manifest.truncate_from(directory, offset)?;
        }
        if !planted::is(Planted::SnapshotKept) {
            remove_snapshots(directory)?;
        }
        let segments = self.published.segments();
        let place = self.place_of(&segments, offset)?;
        let (id, position) = match place {
            Place::In { at, position } => (segments[at].id, position),
            Place::BelowAll => (segments[0].id, HEADER_BYTES),
        };
        self.mark.set_back(id, position)?;
        let base = match place {
            Place::In { .. } => {
                self.published.lower_tail(offset);
                self.published.base()
            }
            Place::BelowAll => {
                self.published.lower_tail(offset);
                offset
            }
        };
        let (sealed, active) = match place {
            Place::In { at, position } => {
                self.remove_newest_first(&segments[at + 1..])?;
                let cut = self.cut_segment(writer, &segments[at], position)?;
                (segments[..at].to_vec(), cut)
            }
            Place::BelowAll => (Vec::new(), self.begin_segment(writer, &segments, base)?),
        };
        self.finish_cut(writer, sealed, active, base, offset)?;
        if planted::is(Planted::SegmentBeforeManifest) {
            self.manifest.truncate_from(directory, offset)?;
        }
        self.epochs.truncate_from(directory, offset)?;
        writer.producers = self.producers_of_log()?;
        Ok(())
    }

    /// The steps of a reset.
    fn begin_at(&self, writer: &mut Writer, base: u64) -> io::Result<()> {
        let directory = &*self.directory;
        let _none_prepared = self.settle_segments(writer)?;
        self.manifest.truncate_from(directory, 0)?;
        remove_snapshots(directory)?;
        self.epochs.clear(directory)?;
        let segments = self.published.segments();
        self.mark.set_back(segments[0].id, HEADER_BYTES)?;
        self.published.lower_tail(base.min(writer.tail));
        let begun = self.begin_segment(writer, &segments, base)?;
        self.finish_cut(writer, Vec::new(), begun, base, base)?;
        writer.producers = ProducerState::default();
        Ok(())
    }

    /// Lets every segment but the active one be sealed, and none wait to be the next. While what it returns is held the
    /// background prepares none either: it would take its id from a segment that goes.
    fn settle_segments(&self, writer: &mut Writer) -> io::Result<MutexGuard<'_, Option<Prepared>>> {
        let mut prepared = self.prepared();
        self.seal_all_retired().map_err(io::Error::other)?;
        if let Some(prepared) = prepared.take() {
            self.discard(prepared.id);
        }
        writer.index.write_out();
        Ok(prepared)
    }

    /// Where the record at `offset` begins, or would.
    fn place_of(&self, segments: &[Arc<LiveSegment>], offset: u64) -> io::Result<Place> {
        let after = segments.partition_point(|segment| segment.base_offset < offset);
        let Some(at) = after.checked_sub(1) else {
            return Ok(Place::BelowAll);
        };
        let position = self
            .position_of(&segments[at], offset)
            .map_err(io::Error::other)?;
        Ok(Place::In { at, position })
    }

    /// The new segment of a log that keeps no record: whole under a temporary name before the old ones go, so that at no
    /// moment there is neither.
    fn begin_segment(
        &self,
        writer: &mut Writer,
        old: &[Arc<LiveSegment>],
        base: u64,
    ) -> io::Result<Arc<LiveSegment>> {
        let directory = &*self.directory;
        for entry in directory.entries()? {
            let left = entry.name.to_str().map(ShardEntry::of);
            if let Some(ShardEntry::Segment(file @ SegmentFile::Temporary { .. })) = left {
                directory.unlink(&file.to_string())?;
            }
        }
        let newest = &writer.active;
        let id = newest.id.checked_add(1).ok_or(io::ErrorKind::Unsupported)?;
        let version = newest.version.max(3);
        let temporary = SegmentFile::Temporary { id }.to_string();
        let file = directory.create(&temporary)?;
        let header = header_bytes(version, base, self.clock.wall_micros())?;
        disk::write_all_at(&*file, &header, 0)?;
        file.sync_all()?;
        directory.sync()?;
        for segment in old {
            segment.slot.retire(segment.bytes());
        }
        self.remove_newest_first(old)?;
        let name = SegmentFile::Log { id }.to_string();
        directory.rename(&temporary, directory, &name, Replace::Yes)?;
        directory.sync()?;
        let index = IndexWriter::create(directory, id, base);
        let begun = LiveSegment::active(
            id,
            base,
            version,
            HEADER_BYTES,
            Vec::new(),
            Arc::clone(&file),
        );
        writer.file = file;
        writer.index = IndexWriter::new(self.config.index_spacing_bytes, index, 0);
        Ok(Arc::new(begun))
    }

    /// The segment that ends at `position` from now on, and is appended to.
    fn cut_segment(
        &self,
        writer: &mut Writer,
        old: &LiveSegment,
        position: u64,
    ) -> io::Result<Arc<LiveSegment>> {
        let directory = &*self.directory;
        let name = SegmentFile::Log { id: old.id }.to_string();
        let there = directory.edit(&name)?;
        // By our readers, or by those of a log on this directory that is closed.
        let in_use = old.slot.retire(old.bytes()) || map::is_mapped(&*there)?;
        let file = if in_use {
            store::replace_by_prefix(directory, &*there, old.id, position)?
        } else {
            there.set_len(position)?;
            there.sync_data()?;
            there
        };
        let entries = self.entries_below(old, position);
        let index = store_index(directory, old, &entries);
        let cut = LiveSegment::active(
            old.id,
            old.base_offset,
            old.version,
            position,
            entries,
            Arc::clone(&file),
        );
        writer.index =
            IndexWriter::new(self.config.index_spacing_bytes, index, cut.entries().len());
        writer.file = file;
        Ok(Arc::new(cut))
    }

    /// Unlinks segments from the newest on, each durably before the next, so that no crash leaves a hole.
    fn remove_newest_first(&self, segments: &[Arc<LiveSegment>]) -> io::Result<()> {
        for segment in segments.iter().rev() {
            segment.slot.retire(segment.bytes());
            self.remove_segment(segment.id)?;
        }
        Ok(())
    }

    /// Unlinks a segment and its index, durably.
    fn remove_segment(&self, id: u64) -> io::Result<()> {
        self.unlink_segment(id)?;
        self.directory.sync()
    }

    /// Unlinks a segment and its index. Durable when the directory was synced; on an error the segment is there.
    pub(super) fn unlink_segment(&self, id: u64) -> io::Result<()> {
        for file in [SegmentFile::Log { id }, SegmentFile::Index { id }] {
            match self.directory.unlink(&file.to_string()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    // An index that is no file of ours is in nobody's way.
                    if matches!(file, SegmentFile::Log { .. }) {
                        return Err(error);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lets readers, the mark and the durable bound see what is left.
    fn finish_cut(
        &self,
        writer: &mut Writer,
        sealed: Vec<Arc<LiveSegment>>,
        active: Arc<LiveSegment>,
        base: u64,
        tail: u64,
    ) -> io::Result<()> {
        let bytes = active.bytes();
        active.note_synced(bytes);
        self.mark.set(active.id, bytes)?;
        if base == tail {
            // No record is left, and the log may go on above where it ended: every earlier handle is of one that is gone.
            self.commit.restart(tail);
        } else {
            // Records at offsets that are used again must not count as flushed.
            self.commit.lower(tail);
        }
        let mut kept = sealed;
        kept.push(Arc::clone(&active));
        self.published.cut(kept, base, tail, tail);
        self.metrics.truncated();
        self.appended.notify();
        writer.bytes = bytes;
        writer.tail = tail;
        writer.reserved = 0;
        writer.active = active;
        Ok(())
    }
}

/// Takes away what describes records that go: durably, before anything is written past the cut.
fn remove_snapshots(directory: &dyn Directory) -> io::Result<()> {
    let names = [
        Some(Sidecar::Producers.file_name()),
        Some(Sidecar::KeyIndex.file_name()),
        Sidecar::KeyIndex.temporary_name(),
    ];
    let mut removed = false;
    for name in names.into_iter().flatten() {
        match directory.unlink(name) {
            Ok(()) => removed = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Never read, so it describes nothing.
            Err(_) if matches!(directory.stat(name), Ok((EntryKind::Directory, _))) => {}
            Err(error) => return Err(error),
        }
    }
    if removed { directory.sync() } else { Ok(()) }
}

/// Writes the index of a segment anew; none when that fails, since it is derived.
fn store_index(
    directory: &dyn Directory,
    segment: &LiveSegment,
    entries: &[IndexEntry],
) -> Option<Arc<dyn File>> {
    let name = SegmentFile::Index { id: segment.id }.to_string();
    let written = store::index(directory, segment.id, segment.base_offset, entries);
    written.ok().and_then(|()| directory.edit(&name).ok())
}
