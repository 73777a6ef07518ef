//! Sealing the active segment and going on in a new one (Felix 8.3, 8.4).

use std::io;
use std::sync::Arc;

use ondisk::felix::name::SegmentFile;

use super::live::LiveSegment;
use super::producers::Snapshot;
use super::retired::Retired;
use super::shared::Shared;
use super::writer::{IndexWriter, Writer, header_bytes};
use crate::disk::{self, EntryKind, File};
use crate::felix::error::StorageError;
use crate::felix::segment::HEADER_BYTES;
use crate::planted::{self, Planted};

/// The lowest version that new segments are written in.
const LEAST_VERSION: u32 = 3;

/// A file that waits to become the next segment: created, blocks reserved, its name durable, without a header yet.
#[derive(Debug)]
pub(super) struct Prepared {
    /// Its id, one above that of the active segment.
    pub(super) id: u64,
    file: Arc<dyn File>,
    reserved: u64,
}

impl Shared {
    /// Seals the active segment and goes on in a new one that may hold records which need version `needs`.
    ///
    /// When no new segment can be had, the old one stays active and usable.
    pub(super) fn roll(&self, writer: &mut Writer, needs: u32) -> Result<(), StorageError> {
        if writer.tail == u64::MAX {
            // No segment can begin at the end of all offsets.
            return Err(StorageError::InvalidRange);
        }
        let mut prepared = self.prepared();
        // The mark that follows vouches for every older segment.
        self.seal_all_retired()?;
        let old = Arc::clone(&writer.active);
        self.seal_file(&old, &*writer.file, writer.bytes, &mut writer.index)?;
        // What is sealed has no blocks reserved behind its end.
        writer.reserved = writer.bytes.min(writer.reserved);
        let snapshot = Snapshot::of(writer);
        let _finished = self.switch(writer, prepared.take(), needs)?;
        old.seal();
        self.commit.raise(writer.tail);
        self.appended.notify();
        self.sealed(writer.active.id, snapshot)
    }

    /// Makes a new segment active. The old one is left as it is; what is left of its index to write is returned.
    pub(super) fn switch(
        &self,
        writer: &mut Writer,
        prepared: Option<Prepared>,
        needs: u32,
    ) -> Result<IndexWriter, StorageError> {
        let old = &writer.active;
        let version = old.version.max(needs).max(LEAST_VERSION);
        let id = old.id.checked_add(1).ok_or(StorageError::InvalidRange)?;
        let prepared = match prepared.filter(|prepared| prepared.id == id) {
            Some(prepared) => prepared,
            None => self.prepare(id)?,
        };
        let base = writer.tail;
        let begun = header_bytes(version, base, self.clock.wall_micros())
            .and_then(|header| disk::write_all_at(&*prepared.file, &header, 0));
        if let Err(error) = begun {
            self.discard(id);
            return Err(self.segment_error(id, "create")(error));
        }
        let index = IndexWriter::create(&*self.directory, id, base);
        if let Err(error) = prepared.file.sync_data() {
            self.discard(id);
            self.poison("sync the header of a new segment", &error);
            return Err(StorageError::SyncFailed);
        }
        let active = Arc::new(LiveSegment::active(
            id,
            base,
            version,
            HEADER_BYTES,
            Vec::new(),
            Arc::clone(&prepared.file),
        ));
        active.note_synced(HEADER_BYTES);
        let mut segments = self.published.segments().to_vec();
        segments.push(Arc::clone(&active));
        self.published.replace(segments, self.published.base());
        writer.active = active;
        writer.file = prepared.file;
        writer.bytes = HEADER_BYTES;
        writer.reserved = prepared.reserved;
        let index = IndexWriter::new(self.config.index_spacing_bytes, index, 0);
        self.metrics.rolled();
        Ok(std::mem::replace(&mut writer.index, index))
    }

    /// Creates the file of a segment, without a header: what a crash leaves of it is recognised as blank.
    pub(super) fn prepare(&self, id: u64) -> Result<Prepared, StorageError> {
        let file = self
            .create_next(id)
            .map_err(self.segment_error(id, "create"))?;
        let mut reserved = 0;
        if self.config.preallocate {
            reserved = (1 << 20).min(self.config.segment_size_bytes);
            if let Err(error) = file.allocate(reserved) {
                self.discard(id);
                return Err(self.segment_error(id, "reserve blocks for")(error));
            }
        }
        if !planted::is(Planted::RollWithoutDirectorySync)
            && let Err(error) = self.directory.sync()
        {
            self.discard(id);
            self.poison("sync the directory", &error);
            return Err(StorageError::SyncFailed);
        }
        Ok(Prepared { id, file, reserved })
    }

    fn create_next(&self, id: u64) -> io::Result<Arc<dyn File>> {
        let name = SegmentFile::Log { id }.to_string();
        let refused = match self.directory.create(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => error,
            created => return created,
        };
        // What an attempt that failed could not even take away again: it never held a record.
        let blank = |len| len <= HEADER_BYTES;
        match self.directory.stat(&name) {
            Ok((EntryKind::File, stat)) if blank(stat.len) => self.directory.unlink(&name)?,
            _ => return Err(refused),
        }
        self.directory.create(&name)
    }

    /// Takes away a segment that holds no record, so that it does not stand in the way of the next attempt.
    pub(super) fn discard(&self, id: u64) {
        for file in [SegmentFile::Log { id }, SegmentFile::Index { id }] {
            // One that stays is blank, and recovery knows it.
            let _left = self.directory.unlink(&file.to_string());
        }
    }

    /// Steps 1 to 4 of a seal: the data, then the index, then the length, which frees what was reserved behind it.
    pub(super) fn seal_file(
        &self,
        segment: &LiveSegment,
        file: &dyn File,
        bytes: u64,
        index: &mut IndexWriter,
    ) -> Result<(), StorageError> {
        let failed = |error: io::Error| {
            self.poison("seal a segment", &error);
            StorageError::SyncFailed
        };
        file.sync_data().map_err(failed)?;
        if !index.finish() {
            // A rebuilt one is better than one that ends early.
            let name = SegmentFile::Index { id: segment.id }.to_string();
            let _derived = self.directory.unlink(&name);
        }
        file.set_len(bytes).map_err(failed)?;
        file.sync_data().map_err(failed)?;
        segment.note_synced(bytes);
        Ok(())
    }

    /// Step 5 of a seal, once `next` follows what was sealed: the mark vouches for it, the producers are saved.
    pub(super) fn sealed(&self, next: u64, snapshot: Option<Snapshot>) -> Result<(), StorageError> {
        if let Err(error) = self.mark.advance(next, HEADER_BYTES, true) {
            self.poison("sync durable.mark", &error);
            return Err(StorageError::SyncFailed);
        }
        if let Some(snapshot) = snapshot {
            snapshot.store(&*self.directory);
        }
        Ok(())
    }

    /// Seals whatever waits for it, oldest first. What could not be sealed goes on waiting, in a log that is poisoned.
    pub(super) fn seal_all_retired(&self) -> Result<(), StorageError> {
        let mut waiting = self.retired();
        while let Some(oldest) = waiting.front_mut() {
            self.seal_retired(oldest)?;
            waiting.pop_front();
        }
        Ok(())
    }

    /// Seals a segment that a background roll retired.
    fn seal_retired(&self, retired: &mut Retired) -> Result<(), StorageError> {
        let segment = Arc::clone(&retired.segment);
        self.seal_file(
            &segment,
            &*retired.file,
            segment.bytes(),
            &mut retired.index,
        )?;
        segment.seal();
        self.commit.raise(retired.end);
        self.appended.notify();
        self.sealed(retired.next, retired.snapshot.take())
    }
}
