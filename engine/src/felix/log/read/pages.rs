//! Bytes that stay alive as long as somebody looks at them.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::budget::Permit;
use crate::disk::File;
use crate::map::{GrowingMap, Map};

/// A handle of bytes of a segment. Clones are cheap; the bytes live as long as the last of them.
#[derive(Clone, Debug)]
pub(super) enum Pages {
    /// Pages of the file itself, from its front.
    Mapped(Arc<Opened>),
    /// A copy of a part of it.
    Window(Arc<Window>),
}

/// A part of a segment that was read.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// Where it begins in the file.
    pub(super) start: u64,
    pub(super) bytes: Vec<u8>,
}

impl Pages {
    /// The bytes from the front of these pages, up to what lies at `end` in the file.
    #[inline]
    pub(super) fn upto(&self, end: usize) -> &[u8] {
        match self {
            Self::Mapped(opened) => opened.upto(end),
            Self::Window(window) => &window.bytes,
        }
    }
}

/// What is open of a segment, shared by its readers.
pub(super) struct Opened {
    pub(super) data: Data,
    /// The index of a sealed segment, mapped.
    pub(super) index: Option<Map>,
    /// When it was last asked for, by a count of such questions.
    pub(super) last_used: AtomicU64,
    /// Bytes of unlinked and cut files that readers keep alive; this one's are among them once it is `pinned`.
    pinned_bytes: Arc<AtomicU64>,
    pinned: AtomicBool,
    bytes: u64,
    /// Tells a truncation that somebody looks.
    _in_use: Arc<()>,
    _permits: Vec<Permit>,
}

/// How the bytes of a segment are got at.
#[derive(Debug)]
pub(super) enum Data {
    /// All of a segment that is not written to any more.
    Whole(Map),
    /// One that is.
    Growing(GrowingMap),
    /// By `pread`.
    File(Arc<dyn File>),
}

impl Opened {
    pub(super) fn new(
        data: Data,
        index: Option<Map>,
        bytes: u64,
        in_use: Arc<()>,
        pinned_bytes: Arc<AtomicU64>,
        permits: Vec<Permit>,
    ) -> Self {
        Self {
            data,
            index,
            last_used: AtomicU64::new(0),
            pinned_bytes,
            pinned: AtomicBool::new(false),
            bytes,
            _in_use: in_use,
            _permits: permits,
        }
    }

    /// The mapped bytes up to `end`; none of a file that is read by `pread`.
    #[inline]
    pub(super) fn upto(&self, end: usize) -> &[u8] {
        match &self.data {
            Data::Whole(map) => map.get(..end).unwrap_or(map),
            Data::Growing(growing) => growing.upto(end),
            Data::File(_) => &[],
        }
    }

    /// Whether a record that ends at `end` can be shown.
    pub(super) fn reaches(&self, end: u64) -> bool {
        match &self.data {
            Data::Whole(map) => map.len() as u64 >= end,
            Data::Growing(growing) => growing.capacity() as u64 >= end,
            Data::File(_) => true,
        }
    }

    /// Its file has no name any more: only readers keep its bytes.
    pub(super) fn pin(&self) {
        if !self.pinned.swap(true, Ordering::Relaxed) {
            self.pinned_bytes.fetch_add(self.bytes, Ordering::Relaxed);
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if *self.pinned.get_mut() {
            self.pinned_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

/// Bytes read at once; a longer record is read whole.
pub(super) const WINDOW: usize = 64 * 1024;

impl Window {
    /// A window with nothing in it: what it holds may be of another file. The buffer is used again if nobody keeps it.
    pub(super) fn emptied(mut window: Arc<Self>) -> Arc<Self> {
        match Arc::get_mut(&mut window) {
            Some(free) => {
                free.bytes.clear();
                window
            }
            None => Arc::default(),
        }
    }

    /// Reads at least `wanted` bytes from `position` on, or all up to `end`. A window that nobody keeps is used again.
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
        let len = wanted.max(WINDOW).min(left);
        free.start = position;
        free.bytes.clear();
        free.bytes
            .try_reserve(len)
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        free.bytes.resize(len, 0);
        let read = crate::disk::read_exact_at(file, &mut free.bytes, position);
        if read.is_err() {
            // It must not claim bytes that it does not have.
            free.bytes.clear();
        }
        read
    }
}
