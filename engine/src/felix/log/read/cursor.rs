//! A place between two records of one segment.

use std::io;
use std::sync::Arc;

use ondisk::felix::{Record as Definition, RecordKind};

use super::opener::Opener;
use super::pages::{Data, Pages, WINDOW, Window};
use super::record::{Place, Record};
use crate::disk::File;
use crate::felix::error::CorruptionKind;
use crate::felix::log::live::LiveSegment;
use crate::felix::segment::{self, Bytes, Failure, HEADER_BYTES, failure, shortfall};

/// Walks over the records of a segment.
#[derive(Debug)]
pub(super) struct Cursor {
    pub(super) segment: Arc<LiveSegment>,
    pages: Pages,
    /// Where the next record begins in the file.
    position: u64,
    /// Where the records that were published end.
    end: u64,
    /// The next record, once it was checked.
    place: Place,
}

/// Why a step was not made.
pub(super) enum Stop {
    /// A record that does not decode.
    Failed(Failure),
    /// The file cannot be read.
    Io(io::Error),
    /// The segment is about to be cut or unlinked.
    Retired,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What a look at the next record found.
pub(super) enum Step {
    /// It is sound.
    Found {
        /// Whether it is a generation start.
        starts_generation: bool,
        /// Whether the file was read for it just now.
        read: bool,
    },
    /// The segment has no other.
    End,
}

/// Bytes read at first where a record is looked for: with the usual spacing of an index it lies among them.
const FIRST_WINDOW: usize = 8 * 1024;

impl Cursor {
    /// At the record at `offset`, which lies in `segment` or is the next one to be appended there. `window` is used again
    /// if nobody keeps it.
    pub(super) fn seek(
        opener: &Opener,
        segment: Arc<LiveSegment>,
        offset: u64,
        window: Option<Arc<Window>>,
    ) -> Result<Self, Stop> {
        let end = segment.bytes();
        let opened = opener.open(&segment, end)?.ok_or(Stop::Retired)?;
        let header = segment.header();
        let is_first = offset <= segment.base_offset;
        let hint = || opener.entry_at(&segment, &opened, offset);
        let (pages, found) = match &opened.data {
            Data::File(file) => {
                let mut window = Window::empty(window);
                let mut windows = Windows {
                    file: &**file,
                    window: &mut window,
                    end,
                };
                let found = match is_first {
                    true => Ok(HEADER_BYTES),
                    false => segment::seek(&mut windows, header, hint(), offset)?,
                };
                (Pages::Window(window), found)
            }
            Data::Whole(_) | Data::Growing(_) => {
                let mut bytes = opened.upto(usize::try_from(end).unwrap_or(usize::MAX));
                let found = match is_first {
                    true => Ok(HEADER_BYTES),
                    false => segment::seek(&mut bytes, header, hint(), offset)?,
                };
                (Pages::Mapped(Arc::clone(&opened)), found)
            }
        };
        Ok(Self {
            position: found.map_err(Stop::Failed)?,
            place: Place::nowhere(segment.version),
            segment,
            pages,
            end,
        })
    }

    /// The window that it read into, for the next one.
    pub(super) fn into_window(self) -> Option<Arc<Window>> {
        match self.pages {
            Pages::Window(window) => Some(window),
            Pages::Mapped(_) => None,
        }
    }

    /// Where the next record begins, or would.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Checks the next record, which must be that at `offset`, whole and once.
    #[inline]
    pub(super) fn check(&mut self, opener: &Opener, offset: u64) -> Result<Step, Stop> {
        let mut read = false;
        loop {
            if self.position >= self.end && !self.has_grown(opener)? {
                return Ok(Step::End);
            }
            let window_start = match &self.pages {
                Pages::Mapped(_) => 0,
                Pages::Window(window) => window.start(),
            };
            // A window is never read behind the position.
            let in_pages = |position: u64| {
                usize::try_from(position.saturating_sub(window_start)).unwrap_or(usize::MAX)
            };
            let start = in_pages(self.position);
            let bytes = self.pages.between(start, in_pages(self.end));
            let (view, rest) = match Definition::view_prefix(bytes, self.segment.version) {
                Ok(read) => read,
                Err(error) => {
                    let left = self.end - self.position;
                    let more = match &self.pages {
                        Pages::Mapped(_) => None,
                        Pages::Window(_) => shortfall(error, bytes.len(), left),
                    };
                    let Some(more) = more else {
                        return Err(Stop::Failed(failure(error, bytes, self.position, left)));
                    };
                    self.read(opener, more)?;
                    read = true;
                    continue;
                }
            };
            let length = bytes.len() - rest.len();
            let found = view.offset();
            if found != offset {
                let expected = offset;
                return Err(Stop::Failed(Failure {
                    position: self.position,
                    kind: CorruptionKind::OffsetOutOfOrder { expected, found },
                    end: Some(self.position + length as u64),
                }));
            }
            let starts_generation = view.kind() == RecordKind::GenerationStart;
            self.place.start = start;
            self.place.end = start + length;
            return Ok(Step::Found {
                starts_generation,
                read,
            });
        }
    }

    /// Steps over the record that was checked.
    #[inline]
    pub(super) fn step(&mut self) {
        self.position += (self.place.end - self.place.start) as u64;
    }

    /// The record that was checked and stepped over. None only if a foreign hand changed its bytes meanwhile.
    #[inline]
    pub(super) fn record(&self) -> Option<Record<'_>> {
        Record::checked(&self.pages, self.place)
    }

    /// Whether records were published since the end was looked at.
    #[cold]
    fn has_grown(&mut self, opener: &Opener) -> Result<bool, Stop> {
        self.end = self.segment.bytes();
        if self.position >= self.end {
            return Ok(false);
        }
        if let Pages::Mapped(opened) = &self.pages
            && !opened.reaches(self.end)
        {
            // More than was expected of the whole segment.
            let opened = opener.open(&self.segment, self.end)?;
            let opened = opened.ok_or(Stop::Retired)?;
            self.pages = match &opened.data {
                Data::File(_) => Pages::Window(Arc::default()),
                Data::Whole(_) | Data::Growing(_) => Pages::Mapped(opened),
            };
        }
        Ok(true)
    }

    /// Reads on from the position, at least `wanted` bytes. The file is not held in between: nobody who cuts the log has to
    /// care for windows.
    #[cold]
    fn read(&mut self, opener: &Opener, wanted: usize) -> Result<(), Stop> {
        let opened = opener.open(&self.segment, self.end)?;
        let opened = opened.ok_or(Stop::Retired)?;
        match (&opened.data, &mut self.pages) {
            (Data::File(file), Pages::Window(window)) => {
                let wanted = wanted.max(WINDOW);
                Window::read(window, &**file, self.position, wanted, self.end)?;
            }
            (_, pages) => *pages = Pages::Mapped(opened),
        }
        Ok(())
    }
}

/// A file that a record is looked for in.
struct Windows<'a> {
    file: &'a dyn File,
    window: &'a mut Arc<Window>,
    end: u64,
}

impl Bytes for Windows<'_> {
    fn end(&self) -> u64 {
        self.end
    }

    fn bytes_at(&mut self, position: u64, wanted: usize) -> io::Result<&[u8]> {
        let left = usize::try_from(self.end.saturating_sub(position)).unwrap_or(usize::MAX);
        if self.window.from(position).len() < wanted.min(left) {
            // Further and further, when it takes more than one.
            let before = self.window.bytes().len();
            let read = (2 * before).clamp(FIRST_WINDOW, WINDOW).max(wanted);
            Window::read(self.window, self.file, position, read, self.end)?;
        }
        Ok(self.window.from(position))
    }
}
