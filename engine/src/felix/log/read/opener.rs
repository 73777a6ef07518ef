//! Opening segments for readers, within limits.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ondisk::felix::IndexEntry;
use ondisk::felix::name::SegmentFile;

use super::budget::{Budget, Permit};
use super::index::IndexFile;
use super::pages::{Data, Opened, Tenancy};
use crate::disk::Directory;
use crate::felix::log::config::ReadMode;
use crate::felix::log::live::{LiveSegment, Phase};
use crate::felix::segment::index::Builder;
use crate::felix::segment::{self, Access, Source};
use crate::map::{GrowingMap, Map};

/// Record bytes between the entries of an index that is kept in memory in the place of a wrong one.
const SPACING: u64 = 64 * 1024;

/// How readers of one log open its segments.
#[derive(Debug)]
pub(in crate::felix::log) struct Opener {
    directory: Arc<dyn Directory>,
    mode: ReadMode,
    /// How long an active segment is expected to get, in bytes.
    capacity: u64,
    /// Sealed segments that stay open.
    most: usize,
    budget: Budget,
    /// Counts changes of what was used last, so that what was not used for longest is known.
    uses: AtomicU64,
    /// The sealed segments that are open, in no order. Slots are locked while this is, never the other way round.
    open: Mutex<Vec<Weak<LiveSegment>>>,
    pinned_bytes: Arc<AtomicU64>,
}

impl Opener {
    pub(in crate::felix::log) fn new(
        directory: Arc<dyn Directory>,
        mode: ReadMode,
        capacity: u64,
        most: usize,
        budget: Budget,
    ) -> Self {
        Self {
            directory,
            mode,
            capacity,
            most,
            budget,
            uses: AtomicU64::new(1),
            open: Mutex::default(),
            pinned_bytes: Arc::default(),
        }
    }

    /// Bytes of unlinked and cut files that readers keep alive.
    pub(in crate::felix::log) fn pinned_bytes(&self) -> u64 {
        self.pinned_bytes.load(Ordering::Relaxed)
    }

    /// Where the files are.
    pub(super) fn directory(&self) -> &dyn Directory {
        &*self.directory
    }

    /// What is open of a segment, opened now if need be, that can show its first `end` bytes. None once the segment is
    /// retired: another one is about to take its place, or it goes.
    ///
    /// As long as what is returned lives, its file is not cut.
    pub(super) fn open(
        &self,
        segment: &Arc<LiveSegment>,
        end: u64,
    ) -> io::Result<Option<Arc<Opened>>> {
        segment.slot.touch(&self.uses);
        let mut slot = segment.slot.lock();
        if slot.retired {
            return Ok(None);
        }
        if let Some(opened) = slot.opened.as_ref().filter(|opened| opened.reaches(end)) {
            return Ok(Some(Arc::clone(opened)));
        }
        let tenancy = slot
            .tenancy
            .get_or_insert_with(|| Arc::new(Tenancy::new(&self.pinned_bytes)));
        let tenancy = Arc::clone(tenancy);
        let sealed = segment.phase() == Phase::Sealed;
        let (opened, stays) = self.open_now(segment, sealed, end, tenancy)?;
        let opened = Arc::new(opened);
        if stays {
            slot.opened = Some(Arc::clone(&opened));
            drop(slot);
            if sealed {
                self.note_open(segment);
            }
        }
        Ok(Some(opened))
    }

    /// Opens a segment, and whether that may stay.
    fn open_now(
        &self,
        segment: &LiveSegment,
        sealed: bool,
        end: u64,
        tenancy: Arc<Tenancy>,
    ) -> io::Result<(Opened, bool)> {
        let name = SegmentFile::Log { id: segment.id }.to_string();
        let file = self.directory.file(&name)?;
        let wants_map = self.mode == ReadMode::Mapped && file.descriptor().is_some();
        if let Some(permit) = wants_map.then(|| self.budget.mapping()).flatten() {
            let bytes = end.max(segment.bytes());
            // A foreign hand may have shortened it.
            if file.stat()?.len < bytes {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let capacity = if sealed {
                bytes
            } else {
                self.capacity_for(bytes)
            };
            match GrowingMap::of(&*file, capacity) {
                Ok(Some(map)) => {
                    let data = Data::Mapped(map);
                    let index = sealed.then(|| self.open_index(segment, true)).flatten();
                    let (index, second) = index.unzip();
                    let permits = [Some(permit), second];
                    return Ok((Opened::new(data, index, permits, tenancy), true));
                }
                Ok(None) => {}
                // The system has a limit of its own.
                Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {}
                Err(error) => return Err(error),
            }
        }
        let permit = self.budget.descriptor();
        let stays = permit.is_some();
        let index = (sealed && stays)
            .then(|| self.open_index(segment, false))
            .flatten();
        let (index, second) = index.unzip();
        let opened = Opened::new(Data::File(file), index, [permit, second], tenancy);
        Ok((opened, stays))
    }

    /// How much of a file to map that has `bytes` bytes and grows.
    fn capacity_for(&self, bytes: u64) -> u64 {
        if bytes <= self.capacity {
            self.capacity
        } else {
            // Longer than it was expected to get, so that is no measure any more.
            bytes.saturating_add(bytes / 2)
        }
    }

    /// The index of a sealed segment, if it may stay open; none when it cannot be had, since it is derived.
    fn open_index(&self, segment: &LiveSegment, mapped: bool) -> Option<(IndexFile, Permit)> {
        let permit = if mapped {
            self.budget.mapping()?
        } else {
            self.budget.descriptor()?
        };
        Some((self.index_file(segment, mapped)?, permit))
    }

    fn index_file(&self, segment: &LiveSegment, mapped: bool) -> Option<IndexFile> {
        let name = SegmentFile::Index { id: segment.id }.to_string();
        let file = self.directory.file(&name).ok()?;
        let index = if mapped {
            let len = file.stat().ok()?.len;
            IndexFile::Mapped(Map::of(&*file, len).ok()?)
        } else {
            IndexFile::File(file)
        };
        index.of(segment.base_offset)
    }

    /// The greatest entry at or below `offset` in the index of a segment that is open.
    pub(super) fn entry_at(
        &self,
        segment: &LiveSegment,
        opened: &Opened,
        offset: u64,
    ) -> Option<IndexEntry> {
        if let Some(entries) = opened.instead.get() {
            let above = entries.partition_point(|entry| entry.offset <= offset);
            return above.checked_sub(1).and_then(|at| entries.get(at).copied());
        }
        if let Some(index) = &opened.index {
            return index.last_until(offset);
        }
        if segment.phase() != Phase::Sealed
            && let Some(entry) = segment.entry_at(offset)
        {
            return Some(entry);
        }
        // It may have been sealed in between: its entries are in the file then.
        if segment.phase() != Phase::Sealed {
            return None;
        }
        self.index_file(segment, false)?.last_until(offset)
    }

    /// The index of a segment was found wrong: as long as it is open, entries from its records take its place. The file is
    /// written anew by the next open that reads the segment whole (Felix 5).
    pub(super) fn distrust_index(&self, segment: &LiveSegment, opened: &Opened) {
        if segment.phase() != Phase::Sealed {
            return;
        }
        opened.instead.get_or_init(|| {
            tracing::warn!(segment = segment.id, "an index is wrong, and not used");
            // What cannot be read has no entries: the walk to it begins further ahead.
            self.entries_of(segment).unwrap_or_default()
        });
    }

    /// Index entries that the records of a segment come to, up to the first that does not decode.
    fn entries_of(&self, segment: &LiveSegment) -> io::Result<Vec<IndexEntry>> {
        let name = SegmentFile::Log { id: segment.id }.to_string();
        let file = self.directory.file(&name)?;
        let mut source = Source::new(file, segment.bytes(), Access::default())?;
        let mut index = Builder::new(SPACING);
        let base = segment.base_offset;
        segment::resume(&mut source, segment.header(), 0, base, &mut |met| {
            index.meet(met);
            ControlFlow::Continue(())
        })?;
        Ok(index.finish())
    }

    /// Closes the sealed segment that was not used for longest, while there are too many.
    fn note_open(&self, segment: &Arc<LiveSegment>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(Arc::downgrade(segment));
        while open.len() > self.most {
            let used = |other: &Weak<LiveSegment>| {
                // One that is gone counts as never used.
                other.upgrade().map_or(0, |other| other.slot.last_used())
            };
            let Some(oldest) = (0..open.len()).min_by_key(|&at| used(&open[at])) else {
                return;
            };
            if let Some(segment) = open.swap_remove(oldest).upgrade() {
                segment.slot.close();
            }
        }
    }
}
