//! Loading an index, an entry at a time.

use std::io;
use std::sync::Arc;

use ondisk::felix::{Index, IndexEntry};
use ondisk::{Error, Fault};

use crate::disk::File;
use crate::felix::segment::{Access, HEADER_BYTES, Source};

/// Why an index does not load. Appears in reports only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is not there, is no regular file, or cannot be read.
    Absent,
    /// It is shorter than its header.
    Short,
    /// Its magic is another one.
    Magic {
        /// The magic met.
        found: u32,
    },
    /// It is of a version that this build does not read.
    Version {
        /// The version met.
        found: u32,
    },
    /// It has flags that nobody knows.
    Flags,
    /// It belongs to a segment with another base.
    Base {
        /// The base of the segment.
        expected: u64,
        /// The base that the index gives.
        found: u64,
    },
}

impl Unusable {
    fn of(error: Error) -> Self {
        match (error.row(), error.fault()) {
            (_, Fault::Magic { found, .. }) => Self::Magic {
                found: found.be_u32(),
            },
            (_, Fault::Version { found, .. }) => Self::Version { found },
            ("flags", _) => Self::Flags,
            _ => Self::Short,
        }
    }
}

const ENTRY: usize = IndexEntry::MIN;

/// Entries at the end of an index among which the last one is looked for.
const END: u64 = 4096;

/// The entries of an index file that count, in order: offsets and positions both ascend, and positions begin behind the
/// segment header. Entries that break this are stepped over, a torn last one is left out. Needs memory for a window,
/// however long the file is.
///
/// ```
/// use ondisk_engine::disk::real::RealDirectory;
/// use ondisk_engine::felix::segment::index::{Entries, Unusable};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let directory = RealDirectory::open(&path)?;
/// let file = directory.file("00000000000000000000.index")?;
/// let len = file.stat()?.len;
/// let mut entries = Entries::open(file.clone(), len, 0).expect("it is of this segment");
/// assert_eq!(entries.next_entry()?.map(|entry| entry.offset), Some(0));
/// let of_another = Entries::open(file, len, 500).err();
/// assert_eq!(of_another, Some(Unusable::Base { expected: 500, found: 0 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Entries {
    source: Source<'static>,
    next: u64,
    last: Option<IndexEntry>,
}

impl Entries {
    /// Reads the header of an index file of `len` bytes that belongs to a segment with base `base_offset`.
    ///
    /// # Errors
    /// Why it cannot be used; an index that cannot be read counts as absent.
    pub fn open(file: Arc<dyn File>, len: u64, base_offset: u64) -> Result<Self, Unusable> {
        let absent = |_: io::Error| Unusable::Absent;
        let mut source = Source::new(file, len, Access::default()).map_err(absent)?;
        let bytes = source.at(0, Index::MIN).map_err(absent)?;
        let header = Index::view(bytes.get(..Index::MIN).unwrap_or(bytes)).map_err(Unusable::of)?;
        if header.base_offset() != base_offset {
            return Err(Unusable::Base {
                expected: base_offset,
                found: header.base_offset(),
            });
        }
        Ok(Self {
            source,
            next: Index::MIN as u64,
            last: None,
        })
    }

    /// The next entry that counts.
    ///
    /// # Errors
    /// Those of [`Source::at`].
    pub fn next_entry(&mut self) -> io::Result<Option<IndexEntry>> {
        loop {
            let position = self.next;
            let bytes = self.source.at(position, ENTRY)?;
            let Some(Ok(entry)) = bytes.get(..ENTRY).map(IndexEntry::view) else {
                return Ok(None);
            };
            let entry = IndexEntry {
                offset: entry.offset(),
                position: entry.position(),
            };
            self.next += ENTRY as u64;
            let counts = match self.last {
                None => entry.position >= HEADER_BYTES,
                Some(last) => entry.offset > last.offset && entry.position > last.position,
            };
            if counts {
                self.last = Some(entry);
                return Ok(self.last);
            }
            self.step_over_hole()?;
        }
    }

    /// The greatest entry whose offset is not above `offset`, and which lies below `end` in the segment.
    ///
    /// # Errors
    /// Those of [`Source::at`].
    pub fn last_until(mut self, offset: u64, end: u64) -> io::Result<Option<IndexEntry>> {
        let mut found = None;
        while let Some(entry) = self.next_entry()? {
            if entry.offset > offset || entry.position >= end {
                break;
            }
            found = Some(entry);
        }
        Ok(found)
    }

    /// The last entry that counts. Of a long index only the end is read, if that is in order: whoever starts at an entry
    /// finds out whether it is right, and entries far ahead of it tell nothing of that.
    ///
    /// # Errors
    /// Those of [`Source::at`].
    pub fn last(mut self) -> io::Result<Option<IndexEntry>> {
        let front = self.next;
        let entries = self.source.len().saturating_sub(front) / ENTRY as u64;
        if let Some(ahead) = entries.checked_sub(END) {
            self.next += ahead * ENTRY as u64;
            let mut met = 0;
            while self.next_entry()?.is_some() {
                met += 1;
            }
            if met == END {
                return Ok(self.last);
            }
            (self.next, self.last) = (front, None);
        }
        while self.next_entry()?.is_some() {}
        Ok(self.last)
    }

    /// Zeros are no entry, and a hole may have more of them than there is time. Looked for now and then only.
    fn step_over_hole(&mut self) -> io::Result<()> {
        const EVERY: u64 = 4096 * ENTRY as u64;
        let done = self.next - Index::MIN as u64;
        if done.is_multiple_of(EVERY) {
            let data = self
                .source
                .next_data(self.next)?
                .unwrap_or(self.source.len());
            let whole = data.saturating_sub(self.next) / ENTRY as u64;
            self.next += whole * ENTRY as u64;
        }
        Ok(())
    }
}
