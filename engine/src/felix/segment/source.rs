//! The bytes of a file up to the length first seen.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::disk::{self, File};
use crate::map::Map;

/// How files are read.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    /// By which means.
    pub mode: Mode,
    /// Threads that may scan at the same time.
    pub jobs: NonZeroUsize,
    /// Told how many more bytes are done with, from any of the threads.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

/// By which means files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Mapped: for a local directory that nobody else writes, since a page that fails to come raises `SIGBUS`.
    Mapped,
    /// `pread` into a window: every failure is an error.
    Windowed,
    /// The same, and what was read is dropped from the page cache, so that looking at a directory does not push out
    /// what the machine works with.
    WindowedOnce,
}

impl Default for Access<'_> {
    /// One thread with a window.
    fn default() -> Self {
        Self {
            mode: Mode::Windowed,
            jobs: NonZeroUsize::MIN,
            progress: None,
        }
    }
}

impl std::fmt::Debug for Access<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("mode", &self.mode)
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}

/// Bytes read at once. A longer record is read whole, once its header has verified and its length lies within the file.
const WINDOW: usize = 64 * 1024;

/// How far a pass gets between two calls of the progress callback.
const STRIDE: u64 = 1 << 20;

/// The bytes of one file up to a length that was seen once: whatever is appended later does not exist.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::segment::{Access, Header, Source};
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
/// assert_eq!(source.at(0, 4)?.get(..4), Some(&b"FLSG"[..]));
/// assert_eq!(Header::read(&mut source)??.base_offset, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Source<'a> {
    file: Arc<dyn File>,
    len: u64,
    bytes: Bytes,
    progress: Option<&'a (dyn Fn(u64) + Sync)>,
    told: u64,
}

enum Bytes {
    Mapped(Map),
    Window {
        start: u64,
        bytes: Vec<u8>,
        forget: bool,
    },
}

impl<'a> Source<'a> {
    /// The first `len` bytes of `file`.
    ///
    /// # Errors
    /// Those of [`Map::of`] in mapped mode; none otherwise.
    pub fn new(file: Arc<dyn File>, len: u64, access: Access<'a>) -> io::Result<Self> {
        let bytes = match access.mode {
            Mode::Mapped => Bytes::Mapped(Map::of(&*file, len)?),
            Mode::Windowed => Bytes::Window {
                start: 0,
                bytes: Vec::new(),
                forget: false,
            },
            Mode::WindowedOnce => Bytes::Window {
                start: 0,
                bytes: Vec::new(),
                forget: true,
            },
        };
        Ok(Self {
            file,
            len,
            bytes,
            progress: access.progress,
            told: 0,
        })
    }

    /// The length, in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no byte.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Ends it at `len`, if that is not more than it has.
    pub fn end_at(&mut self, len: u64) {
        self.len = self.len.min(len);
    }

    /// The bytes from `position` on: at least `wanted` of them, or all up to the end where there are fewer.
    ///
    /// `wanted` sizes a buffer, so a caller holds it against a limit first; what lies behind the end never does.
    ///
    /// # Errors
    /// Of kind `UnexpectedEof` when the file is shorter by now than it was, or whatever the system reports.
    pub fn at(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]> {
        let left = self.len.saturating_sub(position);
        let wanted = usize::try_from(left).map_or(wanted, |left| left.min(wanted));
        if position.saturating_sub(self.told) >= STRIDE {
            self.tell(position);
        }
        match &mut self.bytes {
            Bytes::Mapped(map) => {
                let from = usize::try_from(position).unwrap_or(usize::MAX);
                let end = usize::try_from(self.len).unwrap_or(usize::MAX);
                Ok(map.get(from..end).unwrap_or_default())
            }
            Bytes::Window {
                start,
                bytes,
                forget,
            } => {
                let covered = position
                    .checked_sub(*start)
                    .and_then(|skip| usize::try_from(skip).ok());
                let covered = covered.filter(|&skip| {
                    bytes
                        .len()
                        .checked_sub(skip)
                        .is_some_and(|have| have >= wanted)
                });
                if let Some(skip) = covered {
                    let there = &bytes[skip..];
                    let most = usize::try_from(left).unwrap_or(usize::MAX);
                    return Ok(there.get(..most).unwrap_or(there));
                }
                if *forget {
                    self.file.forget(*start, position.saturating_sub(*start));
                }
                let read = usize::try_from(left)
                    .map_or(WINDOW, |left| left.min(WINDOW))
                    .max(wanted);
                if read > bytes.len() {
                    bytes
                        .try_reserve_exact(read - bytes.len())
                        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
                }
                bytes.resize(read, 0);
                *start = position;
                if let Err(error) = disk::read_exact_at(&*self.file, bytes, position) {
                    // The window must not claim bytes of another place.
                    bytes.clear();
                    return Err(error);
                }
                Ok(bytes)
            }
        }
    }

    /// The first position from `from` on that does not lie in a hole, if one is left before the end.
    ///
    /// # Errors
    /// Whatever the system reports.
    pub fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        Ok(self
            .file
            .next_data(from)?
            .filter(|&position| position < self.len))
    }

    fn tell(&mut self, position: u64) {
        let done = position.min(self.len).saturating_sub(self.told);
        if let Some(progress) = self.progress.filter(|_| done > 0) {
            progress(done);
            self.told += done;
        }
    }
}

impl Drop for Source<'_> {
    /// Whatever ended the pass, nobody comes back for the rest of the file.
    fn drop(&mut self) {
        self.tell(self.len);
        if let Bytes::Window {
            start,
            bytes,
            forget: true,
        } = &self.bytes
        {
            self.file.forget(*start, bytes.len() as u64);
        }
    }
}
