//! A place between two records of one segment.

use std::io;
use std::sync::Arc;

use ondisk::felix::{Index, IndexEntry, Record as Definition};

use super::opener::Opener;
use super::pages::{Data, Opened, Pages, Window};
use super::record::{Place, Record};
use crate::disk::File;
use crate::felix::error::CorruptionKind;
use crate::felix::log::Mark;
use crate::felix::log::live::{LiveSegment, Phase};
use crate::felix::segment::index::Entries;
use crate::felix::segment::{
    self, Access, Failure, HEADER_BYTES, Header, Source, failure, shortfall,
};

/// Walks over the records of a segment.
#[derive(Debug)]
pub(super) struct Cursor {
    pub(super) segment: Arc<LiveSegment>,
    pages: Pages,
    /// The file, where it is read by `pread`.
    file: Option<Arc<dyn File>>,
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
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Cursor {
    /// At the record at `offset`, which lies in `segment` or is the next one to be appended there. `window` is used again
    /// if nobody keeps it.
    pub(super) fn seek(
        opener: &Opener,
        segment: Arc<LiveSegment>,
        offset: u64,
        window: Arc<Window>,
    ) -> Result<Self, Stop> {
        let end = segment.bytes();
        let opened = opener.open(&segment, end)?;
        let (pages, file) = match &opened.data {
            Data::File(file) => (
                Pages::Window(Window::emptied(window)),
                Some(Arc::clone(file)),
            ),
            Data::Whole(_) | Data::Growing(_) => (Pages::Mapped(Arc::clone(&opened)), None),
        };
        let position = if offset <= segment.base_offset {
            HEADER_BYTES
        } else if let Some(file) = &file {
            let hint = hint_by_pread(opener, &segment, offset);
            let mut source = Source::new(Arc::clone(file), end, Access::default())?;
            let found = segment::seek(&mut source, header_of(&segment), hint, offset)?;
            found.map_err(Stop::Failed)?
        } else {
            let bytes = opened.upto(usize::try_from(end).unwrap_or(usize::MAX));
            let hint = hint(&segment, &opened, offset);
            find(bytes, &segment, hint, offset).map_err(Stop::Failed)?
        };
        Ok(Self {
            segment,
            pages,
            file,
            position,
            end,
        })
    }

    /// The window that it read into, for the next one.
    pub(super) fn into_window(self) -> Arc<Window> {
        match self.pages {
            Pages::Window(window) => window,
            Pages::Mapped(_) => Arc::default(),
        }
    }

    /// Whether there is another record; looks again how long the segment is when it comes to the end.
    pub(super) fn has_next(&mut self, opener: &Opener) -> Result<bool, Stop> {
        if self.position < self.end {
            return Ok(true);
        }
        self.end = self.segment.bytes();
        if self.position >= self.end {
            return Ok(false);
        }
        if let Pages::Mapped(opened) = &self.pages
            && !opened.reaches(self.end)
        {
            // A record longer than was expected of the whole segment.
            let opened = opener.open(&self.segment, self.end)?;
            match &opened.data {
                Data::File(file) => {
                    self.file = Some(Arc::clone(file));
                    self.pages = Pages::Window(Arc::default());
                }
                Data::Whole(_) | Data::Growing(_) => self.pages = Pages::Mapped(opened),
            }
        }
        Ok(true)
    }

    /// Has the bytes of the next record at hand, as far as there are any. Nothing to do where pages are mapped.
    #[inline]
    pub(super) fn load(&mut self) -> Result<(), Stop> {
        match &self.file {
            None => Ok(()),
            Some(_) => self.fill(),
        }
    }

    fn fill(&mut self) -> Result<(), Stop> {
        let (Some(file), Pages::Window(window)) = (&self.file, &mut self.pages) else {
            return Ok(());
        };
        let mut wanted = Definition::MIN;
        loop {
            let skip = self.position.checked_sub(window.start);
            let skip = skip.and_then(|skip| usize::try_from(skip).ok());
            let there = skip
                .and_then(|skip| window.bytes.get(skip..))
                .unwrap_or_default();
            let left = self.end - self.position;
            let enough = there.len() >= wanted || there.len() as u64 >= left;
            if enough {
                match Definition::walk_prefix(there, self.segment.version) {
                    Ok(_) => return Ok(()),
                    Err(error) => match shortfall(error, there.len(), left) {
                        Some(more) => wanted = more,
                        // The full check says what is wrong.
                        None => return Ok(()),
                    },
                }
            }
            Window::read(window, &**file, self.position, wanted, self.end)?;
        }
    }

    /// The next record, which must be that at `offset`. Checked once, here.
    #[inline]
    pub(super) fn next(&mut self, offset: u64) -> Result<Record<'_>, Failure> {
        let window_start = match &self.pages {
            Pages::Mapped(_) => 0,
            Pages::Window(window) => window.start,
        };
        let in_pages = |position: u64| {
            usize::try_from(position.saturating_sub(window_start)).unwrap_or(usize::MAX)
        };
        let start = in_pages(self.position);
        let bytes = self.pages.upto(in_pages(self.end));
        let bytes = bytes.get(start..).unwrap_or_default();
        let version = self.segment.version;
        let (view, rest) = match Definition::view_prefix(bytes, version) {
            Ok(read) => read,
            Err(error) => {
                let left = self.end - self.position;
                return Err(failure(error, bytes, self.position, left));
            }
        };
        let length = bytes.len() - rest.len();
        if view.offset() != offset {
            return Err(out_of_order(self.position, length, offset, view.offset()));
        }
        self.position += length as u64;
        let place = Place {
            start,
            end: start + length,
            version,
        };
        Ok(Record::new(view, &self.pages, place))
    }
}

impl Cursor {
    /// Steps over the next record if it is a sound generation start. Whether it was.
    pub(super) fn step_over_generation_start(&mut self, offset: u64) -> bool {
        let before = self.position;
        let is_start = self
            .next(offset)
            .is_ok_and(|record| record.mark() == Mark::GenerationStart);
        if !is_start {
            self.position = before;
        }
        is_start
    }
}

fn out_of_order(position: u64, length: usize, expected: u64, found: u64) -> Failure {
    Failure {
        position,
        kind: CorruptionKind::OffsetOutOfOrder { expected, found },
        end: Some(position + length as u64),
    }
}

fn header_of(segment: &LiveSegment) -> Header {
    Header {
        version: segment.version,
        base_offset: segment.base_offset,
        created_at_micros: 0,
    }
}

/// The greatest entry at or below `offset`, of whatever index there is at hand.
fn hint(segment: &LiveSegment, opened: &Opened, offset: u64) -> Option<IndexEntry> {
    let Some(index) = opened.index.as_deref() else {
        return segment.entry_at(offset);
    };
    let header = Index::view(index.get(..Index::MIN)?).ok()?;
    if header.base_offset() != segment.base_offset {
        return None;
    }
    let entries = index.get(Index::MIN..)?;
    let entry = |at: usize| {
        let from = at * IndexEntry::MIN;
        let bytes = entries.get(from..from + IndexEntry::MIN)?;
        IndexEntry::view(bytes).ok().map(|entry| entry.to_value())
    };
    // Nothing is trusted: of an index that is not in order this finds some entry, and the walk from there decides.
    let (mut low, mut high) = (0, entries.len() / IndexEntry::MIN);
    while low < high {
        let middle = low + (high - low) / 2;
        if entry(middle)?.offset <= offset {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    entry(low.checked_sub(1)?)
}

/// The same, of a segment whose index is not mapped.
fn hint_by_pread(opener: &Opener, segment: &LiveSegment, offset: u64) -> Option<IndexEntry> {
    if segment.phase() != Phase::Sealed {
        return segment.entry_at(offset);
    }
    let id = segment.id;
    let name = ondisk::felix::name::SegmentFile::Index { id }.to_string();
    let file = opener.directory().file(&name).ok()?;
    let len = file.stat().ok()?.len;
    let entries = Entries::open(file, len, segment.base_offset).ok()?;
    entries.last_until(offset, segment.bytes()).ok()?
}

/// The position of the record at `target`, by the headers before it. An entry that turns out to be wrong costs a second
/// walk, from the first record.
fn find(
    bytes: &[u8],
    segment: &LiveSegment,
    hint: Option<IndexEntry>,
    target: u64,
) -> Result<u64, Failure> {
    let usable = |entry: &IndexEntry| {
        entry.offset <= target && (HEADER_BYTES..bytes.len() as u64).contains(&entry.position)
    };
    if let Some(entry) = hint.filter(usable)
        && let Ok(position) = walk(bytes, segment.version, entry.position, entry.offset, target)
    {
        return Ok(position);
    }
    walk(
        bytes,
        segment.version,
        HEADER_BYTES,
        segment.base_offset,
        target,
    )
}

fn walk(
    bytes: &[u8],
    version: u32,
    mut position: u64,
    mut offset: u64,
    target: u64,
) -> Result<u64, Failure> {
    let from = usize::try_from(position).unwrap_or(usize::MAX);
    let mut rest = bytes.get(from..).unwrap_or_default();
    // The record at the target is looked at too: it confirms the way there.
    while !rest.is_empty() && offset <= target {
        let left = rest.len() as u64;
        let (record, after) = Definition::walk_prefix(rest, version)
            .map_err(|error| failure(error, rest, position, left))?;
        let length = rest.len() - after.len();
        if record.offset() != offset {
            return Err(out_of_order(position, length, offset, record.offset()));
        }
        if offset == target {
            break;
        }
        position += length as u64;
        offset = offset.saturating_add(1);
        rest = after;
    }
    Ok(position)
}
