//! Bytes that stay alive as long as somebody looks at them.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use ondisk::felix::IndexEntry;

use super::budget::Permit;
use super::index::IndexFile;
use crate::disk::{self, File};
use crate::map::GrowingMap;

/// A handle of bytes of a segment. Clones are cheap; the bytes live as long as the last of them.
#[derive(Clone, Debug)]
pub(super) enum Pages {
    /// Pages of the file itself, from its front.
    Mapped(Arc<Opened>),
    /// A copy of a part of it.
    Window(Arc<Window>),
}

impl Pages {
    /// The bytes from `start` to `end`, both counted from the front of these pages, or as many as there are. `end` must not
    /// lie behind what was published.
    #[inline]
    pub(super) fn between(&self, start: usize, end: usize) -> &[u8] {
        let bytes = match self {
            Self::Mapped(opened) => opened.upto(end),
            Self::Window(window) => window.upto(end),
        };
        bytes.get(start..).unwrap_or_default()
    }
}

/// What is open of a segment, shared by its readers.
pub(super) struct Opened {
    pub(super) data: Data,
    /// The index of a sealed segment.
    pub(super) index: Option<IndexFile>,
    /// What was made from the records when that was found wrong.
    pub(super) instead: OnceLock<Vec<IndexEntry>>,
    _permits: [Option<Permit>; 2],
    /// Dropped after the rest.
    _tenancy: Arc<Tenancy>,
}

/// How the bytes of a segment are got at.
#[derive(Debug)]
pub(super) enum Data {
    /// Mapped: all of a sealed segment, and more than there is of one that is appended to.
    Mapped(GrowingMap),
    /// By `pread`.
    File(Arc<dyn File>),
}

impl Opened {
    pub(super) fn new(
        data: Data,
        index: Option<IndexFile>,
        permits: [Option<Permit>; 2],
        tenancy: Arc<Tenancy>,
    ) -> Self {
        Self {
            data,
            index,
            instead: OnceLock::new(),
            _permits: permits,
            _tenancy: tenancy,
        }
    }

    /// The mapped bytes up to `end`; none of a file that is read by `pread`.
    #[inline]
    pub(super) fn upto(&self, end: usize) -> &[u8] {
        match &self.data {
            Data::Mapped(map) => map.upto(end),
            Data::File(_) => &[],
        }
    }

    /// Whether a record that ends at `end` can be shown.
    pub(super) fn reaches(&self, end: u64) -> bool {
        match &self.data {
            Data::Mapped(map) => map.capacity() as u64 >= end,
            Data::File(_) => true,
        }
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

/// Tells a truncation that somebody looks at a file: held by all that is open of it, and by the slot.
#[derive(Debug)]
pub(super) struct Tenancy {
    /// Bytes of unlinked and cut files that readers keep alive.
    all: Arc<AtomicU64>,
    /// Those of this file among them.
    pinned: AtomicU64,
}

impl Tenancy {
    pub(super) fn new(all: &Arc<AtomicU64>) -> Self {
        Self {
            all: Arc::clone(all),
            pinned: AtomicU64::new(0),
        }
    }

    /// The file, of `bytes` bytes, has no name any more, or no longer this one: only readers keep it.
    pub(super) fn pin(&self, bytes: u64) {
        self.pinned.store(bytes, Ordering::Relaxed);
        self.all.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Drop for Tenancy {
    fn drop(&mut self) {
        self.all
            .fetch_sub(*self.pinned.get_mut(), Ordering::Relaxed);
    }
}

/// A part of a segment that was read.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// Where it begins in the file.
    start: u64,
    /// How much of the buffer was read.
    filled: usize,
    buffer: Vec<u8>,
}

/// Bytes read at once; a longer record is read whole.
pub(super) const WINDOW: usize = 64 * 1024;

impl Window {
    /// Where it begins in the file.
    #[inline]
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// What was read, up to `end` from its front.
    #[inline]
    fn upto(&self, end: usize) -> &[u8] {
        self.buffer.get(..end.min(self.filled)).unwrap_or_default()
    }

    /// How much was read.
    pub(super) fn len(&self) -> usize {
        self.filled
    }

    /// What it has from `position` in the file on.
    pub(super) fn from(&self, position: u64) -> &[u8] {
        let skip = position.checked_sub(self.start);
        let skip = skip.and_then(|skip| usize::try_from(skip).ok());
        skip.and_then(|skip| self.upto(self.filled).get(skip..))
            .unwrap_or_default()
    }

    /// A window with nothing in it. The buffer of `before` is used again if nobody keeps it.
    pub(super) fn empty(before: Option<Arc<Self>>) -> Arc<Self> {
        let Some(mut window) = before else {
            return Arc::default();
        };
        match Arc::get_mut(&mut window) {
            Some(free) => {
                free.filled = 0;
                window
            }
            None => Arc::default(),
        }
    }

    /// Reads at least `wanted` bytes from `position` on, or all up to `end`. A buffer that nobody keeps is used again.
    pub(super) fn read(
        window: &mut Arc<Self>,
        file: &dyn File,
        position: u64,
        wanted: usize,
        end: u64,
    ) -> io::Result<()> {
        if Arc::get_mut(window).is_none() {
            *window = Arc::default();
        }
        let Some(free) = Arc::get_mut(window) else {
            return Err(io::ErrorKind::OutOfMemory.into());
        };
        let left = usize::try_from(end.saturating_sub(position)).unwrap_or(usize::MAX);
        let len = wanted.min(left);
        // It must not claim bytes that it does not have, whatever becomes of the read.
        free.filled = 0;
        free.start = position;
        free.make_room(len)?;
        let buffer = free.buffer.split_at_mut(len).0;
        disk::read_exact_at(file, buffer, position)?;
        free.filled = len;
        Ok(())
    }

    /// A buffer of at least `len` bytes; one that was made for a long record is not kept.
    fn make_room(&mut self, len: usize) -> io::Result<()> {
        if self.buffer.len() > WINDOW && len <= WINDOW {
            self.buffer = Vec::new();
        }
        let more = len.saturating_sub(self.buffer.len());
        self.buffer
            .try_reserve_exact(more)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        if more > 0 {
            self.buffer.resize(len, 0);
        }
        Ok(())
    }
}
