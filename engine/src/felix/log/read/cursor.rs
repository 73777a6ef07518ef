//! A place between two records of one segment.

use std::io;
use std::sync::Arc;

use ondisk::felix::{Record as Definition, RecordKind};

use super::opener::Opener;
use super::pages::{Data, Opened, Pages, WINDOW, Window};
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
    /// It is sound, and lies here.
    Found(Place),
    /// More of the file was read or mapped.
    Read,
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
        let (pages, found) = match &opened.data {
            Data::File(file) => {
                let mut window = Window::empty(window);
                let mut windows = Windows {
                    file: &**file,
                    window: &mut window,
                    end,
                };
                let found = find(opener, &segment, &opened, &mut windows, offset)?;
                (Pages::Window(window), found)
            }
            Data::Mapped(_) => {
                let mut bytes = opened.upto(usize::try_from(end).unwrap_or(usize::MAX));
                let found = find(opener, &segment, &opened, &mut bytes, offset)?;
                (Pages::Mapped(Arc::clone(&opened)), found)
            }
        };
        Ok(Self {
            position: found.map_err(Stop::Failed)?,
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

    /// Whether the records lie in pages of the file, not in what was read of it.
    pub(super) fn is_mapped(&self) -> bool {
        matches!(self.pages, Pages::Mapped(_))
    }

    /// Where the next record begins, or would.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Where the next record lies, if it is at hand, sound, and the one at `offset`. It is checked whole, and once.
    #[inline]
    pub(super) fn check(&self, offset: u64) -> Option<Place> {
        let (start, bytes) = self.at_hand();
        let (view, rest) = Definition::view_prefix(bytes, self.segment.version).ok()?;
        let place = self.place(start, bytes.len() - rest.len());
        (view.offset() == offset).then_some(place)
    }

    /// Has more of the next record at hand, or says why it is not the one at `offset`.
    #[cold]
    pub(super) fn check_further(&mut self, opener: &Opener, offset: u64) -> Result<Step, Stop> {
        if self.position >= self.end && !self.has_grown(opener)? {
            return Ok(Step::End);
        }
        let left = self.end - self.position;
        let (start, bytes) = self.at_hand();
        match Definition::view_prefix(bytes, self.segment.version) {
            Ok((view, rest)) => {
                let length = bytes.len() - rest.len();
                if view.offset() == offset {
                    return Ok(Step::Found(self.place(start, length)));
                }
                Err(Stop::Failed(Failure {
                    position: self.position,
                    kind: CorruptionKind::OffsetOutOfOrder {
                        expected: offset,
                        found: view.offset(),
                    },
                    end: Some(self.position + length as u64),
                }))
            }
            Err(error) => {
                let more = match &self.pages {
                    Pages::Mapped(_) => None,
                    Pages::Window(_) => shortfall(error, bytes.len(), left),
                };
                let Some(more) = more else {
                    return Err(Stop::Failed(failure(error, bytes, self.position, left)));
                };
                self.read(opener, more)?;
                Ok(Step::Read)
            }
        }
    }

    /// What is at hand from the position on, up to the end of the records, and where in the pages that begins.
    #[inline]
    fn at_hand(&self) -> (usize, &[u8]) {
        let start = self.in_pages(self.position);
        (start, self.pages.between(start, self.in_pages(self.end)))
    }

    /// The place of a record of this segment.
    #[inline]
    fn place(&self, start: usize, length: usize) -> Place {
        Place {
            start,
            end: start + length,
            version: self.segment.version,
        }
    }

    /// Where a position lies in the pages. A window is never read behind the position.
    #[inline]
    fn in_pages(&self, position: u64) -> usize {
        let front = match &self.pages {
            Pages::Mapped(_) => 0,
            Pages::Window(window) => window.start(),
        };
        usize::try_from(position.saturating_sub(front)).unwrap_or(usize::MAX)
    }

    /// Steps over the record that was checked there.
    #[inline]
    pub(super) fn step(&mut self, place: Place) {
        self.position += place.bytes();
    }

    /// The record that was checked there, if it is a generation start.
    #[inline]
    pub(super) fn starts_generation(&self, place: Place) -> bool {
        self.record(place)
            .is_some_and(|record| record.view().kind() == RecordKind::GenerationStart)
    }

    /// The record that was checked there. None only if a foreign hand changed its bytes meanwhile.
    #[inline]
    pub(super) fn record(&self, place: Place) -> Option<Record<'_>> {
        Record::checked(&self.pages, place)
    }

    /// Whether records were published since the end was looked at.
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
                Data::Mapped(_) => Pages::Mapped(opened),
            };
        }
        Ok(true)
    }

    /// Reads on from the position, at least `wanted` bytes. The file is not held in between: nobody who cuts the log has to
    /// care for windows.
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

/// Where the record at `offset` begins, or would, by the index as far as that is right.
fn find(
    opener: &Opener,
    segment: &LiveSegment,
    opened: &Opened,
    bytes: &mut impl Bytes,
    offset: u64,
) -> io::Result<Result<u64, Failure>> {
    if offset <= segment.base_offset {
        return Ok(Ok(HEADER_BYTES));
    }
    let header = segment.header();
    let Some(entry) = opener.entry_at(segment, opened, offset) else {
        return segment::seek(bytes, header, None, offset);
    };
    if let Some(position) = segment::seek_from(bytes, header, entry, offset)? {
        return Ok(Ok(position));
    }
    let found = segment::seek(bytes, header, None, offset)?;
    // Otherwise it is a record on the way that is damaged.
    if found.is_ok() {
        opener.distrust_index(segment, opened);
    }
    Ok(found)
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
            let before = self.window.len();
            let read = (2 * before).clamp(FIRST_WINDOW, WINDOW).max(wanted);
            Window::read(self.window, self.file, position, read, self.end)?;
        }
        Ok(self.window.from(position))
    }
}
