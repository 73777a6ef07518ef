//! Opening segments for readers, within limits.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ondisk::felix::name::SegmentFile;

use super::budget::Budget;
use super::pages::{Data, Opened};
use crate::disk::{Directory, File};
use crate::felix::log::config::ReadMode;
use crate::felix::log::live::{LiveSegment, Phase};
use crate::map::{GrowingMap, Map};

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
    /// Counts questions, so that what was asked for least recently is known.
    uses: AtomicU64,
    /// The sealed segments that are open, in no order.
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

    /// What is open of a segment, opened now if need be, that can show its first `end` bytes.
    pub(super) fn open(&self, segment: &Arc<LiveSegment>, end: u64) -> io::Result<Arc<Opened>> {
        let use_of = self.uses.fetch_add(1, Ordering::Relaxed);
        let mut slot = segment.slot.lock();
        if let Some(opened) = slot.opened.as_ref().filter(|opened| opened.reaches(end)) {
            opened.last_used.store(use_of, Ordering::Relaxed);
            return Ok(Arc::clone(opened));
        }
        let sealed = segment.phase() == Phase::Sealed;
        let mapped = match self.mode {
            ReadMode::Mapped if !slot.retired => self.map(segment, sealed, end)?,
            ReadMode::Mapped | ReadMode::Pread => None,
        };
        let (opened, keep) = match mapped {
            Some(opened) => (opened, true),
            None => self.file(segment, slot.retired)?,
        };
        opened.last_used.store(use_of, Ordering::Relaxed);
        let opened = Arc::new(opened);
        if keep {
            slot.opened = Some(Arc::clone(&opened));
            drop(slot);
            if sealed {
                self.note_open(segment);
            }
        }
        Ok(opened)
    }

    /// Maps it; none beyond the budget, or on a disk without pages.
    fn map(&self, segment: &LiveSegment, sealed: bool, end: u64) -> io::Result<Option<Opened>> {
        let Some(permit) = self.budget.mapping() else {
            return Ok(None);
        };
        let file = self.data_file(segment)?;
        if file.descriptor().is_none() {
            return Ok(None);
        }
        let bytes = segment.bytes();
        let mut permits = vec![permit];
        let (data, index) = if sealed {
            let index = self.budget.mapping().and_then(|permit| {
                permits.push(permit);
                self.index(segment)
            });
            (Data::Whole(Map::of(&*file, bytes)?), index)
        } else {
            let capacity = self.capacity.max(bytes).max(end);
            match GrowingMap::of(&*file, capacity)? {
                Some(growing) => (Data::Growing(growing), None),
                None => return Ok(None),
            }
        };
        let in_use = segment.slot.in_use();
        let pinned = Arc::clone(&self.pinned_bytes);
        Ok(Some(Opened::new(
            data, index, bytes, in_use, pinned, permits,
        )))
    }

    /// The index of a sealed segment; none when it cannot be had, since it is derived.
    fn index(&self, segment: &LiveSegment) -> Option<Map> {
        let name = SegmentFile::Index { id: segment.id }.to_string();
        let file = self.directory.file(&name).ok()?;
        let len = file.stat().ok()?.len;
        Map::of(&*file, len).ok()
    }

    /// Opens it for `pread`, and whether it is to stay open for others.
    fn file(&self, segment: &LiveSegment, retired: bool) -> io::Result<(Opened, bool)> {
        let file = self.data_file(segment)?;
        let permit = self.budget.descriptor().filter(|_| !retired);
        let keep = permit.is_some();
        let pinned = Arc::clone(&self.pinned_bytes);
        let permits = permit.into_iter().collect();
        // A copy of bytes is in nobody's way, so it does not count as a look at the file.
        let opened = Opened::new(Data::File(file), None, 0, Arc::default(), pinned, permits);
        Ok((opened, keep))
    }

    /// The file of a segment.
    fn data_file(&self, segment: &LiveSegment) -> io::Result<Arc<dyn File>> {
        match segment.file() {
            Some(file) => Ok(file),
            None => self
                .directory
                .file(&SegmentFile::Log { id: segment.id }.to_string()),
        }
    }

    /// The entries of the index file of a sealed segment, for those who read by `pread`.
    pub(super) fn directory(&self) -> &dyn Directory {
        &*self.directory
    }

    /// Closes the sealed segment that was asked for least recently, while there are too many.
    fn note_open(&self, segment: &Arc<LiveSegment>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(Arc::downgrade(segment));
        while open.len() > self.most {
            let used = |other: &Weak<LiveSegment>| {
                let other = other.upgrade()?;
                let slot = other.slot.lock();
                let opened = slot.opened.as_ref()?;
                Some(opened.last_used.load(Ordering::Relaxed))
            };
            // One that is gone or closed already counts as never used.
            let oldest = (0..open.len()).min_by_key(|&at| used(&open[at]).unwrap_or(0));
            let Some(oldest) = oldest else { return };
            if let Some(segment) = open.swap_remove(oldest).upgrade() {
                segment.slot.close();
            }
        }
    }
}
