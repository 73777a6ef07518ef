//! A record as a reader gets it.

use ondisk::felix::{ProducerTag, Record as Definition, RecordKind, RecordView};
use ondisk::format::{Cx, Format, TRUSTED};

use super::pages::Pages;
use crate::felix::log::Mark;

/// A record that was read: a view of the page that it lies in. Nothing of it was copied.
#[derive(Clone, Copy)]
pub struct Record<'r> {
    view: RecordView<'r>,
    pages: &'r Pages,
    place: Place,
}

/// Where a record lies in its pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Version of its segment.
    pub(super) version: u32,
}

impl Place {
    /// Bytes of the record, with its header.
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        (self.end - self.start) as u64
    }

    /// The record that was checked there. It is found again, not checked again; none only if a foreign hand changed the
    /// bytes of a mapped file since.
    #[inline]
    fn view<'p>(&self, pages: &'p Pages) -> Option<RecordView<'p>> {
        let bytes = pages.between(self.start, self.end);
        let cx = Cx::prefix(self.version);
        let opened = Definition::open::<(), TRUSTED>(bytes, 0, cx);
        opened.ok().map(|(view, _)| view)
    }
}

impl<'r> Record<'r> {
    /// The record that was checked at `place`.
    #[inline]
    pub(super) fn checked(pages: &'r Pages, place: Place) -> Option<Self> {
        let view = place.view(pages)?;
        Some(Self { view, pages, place })
    }

    /// Its offset.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.view.offset()
    }

    /// Publish time in microseconds since the epoch.
    #[must_use]
    pub fn timestamp_micros(&self) -> u64 {
        self.view.timestamp_micros()
    }

    /// The payload, borrowed from the page.
    #[must_use]
    pub fn payload(&self) -> &'r [u8] {
        self.view.payload()
    }

    /// What it is for.
    #[must_use]
    pub fn mark(&self) -> Mark {
        mark_of(self.view)
    }

    /// The checksum that is stored with it.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.view.checksum()
    }

    /// The record as its definition shows it.
    #[must_use]
    pub fn view(&self) -> RecordView<'r> {
        self.view
    }

    /// A handle that keeps the page alive, with nothing copied. Cheap: a count is raised.
    ///
    /// It keeps all of the mapping or window that the record lies in, so whoever holds a few records for long does better
    /// to copy them.
    #[must_use]
    pub fn keep(&self) -> KeptRecord {
        KeptRecord {
            pages: self.pages.clone(),
            place: self.place,
            offset: self.offset(),
        }
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("mark", &self.mark())
            .field("bytes", &self.payload().len())
            .finish_non_exhaustive()
    }
}

/// A record that keeps its page alive by itself: `'static`, `Send` and `Sync`, and valid whatever becomes of the log.
#[derive(Clone)]
pub struct KeptRecord {
    pages: Pages,
    place: Place,
    offset: u64,
}

impl KeptRecord {
    /// Its offset.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Publish time in microseconds since the epoch.
    #[must_use]
    pub fn timestamp_micros(&self) -> u64 {
        self.view().map_or(0, |view| view.timestamp_micros())
    }

    /// The payload.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        self.view().map(|view| view.payload()).unwrap_or_default()
    }

    /// What it is for.
    #[must_use]
    pub fn mark(&self) -> Mark {
        self.view().map(mark_of).unwrap_or_default()
    }

    /// The checksum that is stored with it.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.view().map_or(0, |view| view.checksum())
    }

    /// The bytes of the whole record, header and tag too, as they lie on disk.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.pages.between(self.place.start, self.place.end)
    }

    fn view(&self) -> Option<RecordView<'_>> {
        self.place.view(&self.pages)
    }
}

impl AsRef<[u8]> for KeptRecord {
    /// The payload.
    fn as_ref(&self) -> &[u8] {
        self.payload()
    }
}

#[cfg(feature = "bytes")]
impl From<KeptRecord> for bytes::Bytes {
    /// The payload, with nothing copied.
    fn from(record: KeptRecord) -> Self {
        Self::from_owner(record)
    }
}

impl std::fmt::Debug for KeptRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptRecord")
            .field("offset", &self.offset)
            .field("mark", &self.mark())
            .field("bytes", &self.payload().len())
            .finish_non_exhaustive()
    }
}

fn mark_of(view: RecordView<'_>) -> Mark {
    match view.kind() {
        RecordKind::Ordinary => Mark::Ordinary,
        RecordKind::GenerationStart => Mark::GenerationStart,
        RecordKind::Continues => Mark::Continues,
        RecordKind::Opens => match view.tag() {
            Some(tag) => Mark::Opens(ProducerTag {
                producer_id: tag.producer_id(),
                sequence: tag.sequence(),
                len: tag.len(),
            }),
            None => Mark::Ordinary,
        },
    }
}
