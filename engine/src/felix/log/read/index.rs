//! The index of a sealed segment, as readers use it.

use std::sync::Arc;

use ondisk::felix::{Index, IndexEntry};

use crate::disk::{self, File};
use crate::map::Map;

/// An index file that is open. Nothing of it is trusted but its header.
#[derive(Debug)]
pub(super) enum IndexFile {
    /// Mapped.
    Mapped(Map),
    /// Read by `pread`.
    File(Arc<dyn File>),
}

impl IndexFile {
    /// The same, if it is an index of a segment with this base.
    pub(super) fn of(self, base_offset: u64) -> Option<Self> {
        let mut header = [0; Index::MIN];
        self.read(0, &mut header)?;
        let found = Index::view(&header).ok()?.base_offset();
        (found == base_offset).then_some(self)
    }

    /// The greatest entry at or below `offset`. Of an index that is not in order it is some entry, or none: the walk from
    /// there decides.
    pub(super) fn last_until(&self, offset: u64) -> Option<IndexEntry> {
        let (mut low, mut high) = (0, self.entries()?);
        let mut found = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.entry(middle)?;
            if entry.offset <= offset {
                found = Some(entry);
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        found
    }

    fn entries(&self) -> Option<u64> {
        let len = match self {
            Self::Mapped(map) => map.len() as u64,
            // It may grow where another process writes it.
            Self::File(file) => file.stat().ok()?.len,
        };
        Some(len.checked_sub(Index::MIN as u64)? / IndexEntry::MIN as u64)
    }

    #[inline]
    fn entry(&self, at: u64) -> Option<IndexEntry> {
        let mut bytes = [0; IndexEntry::MIN];
        self.read(Index::MIN as u64 + at * IndexEntry::MIN as u64, &mut bytes)?;
        let entry = IndexEntry::view(&bytes).ok()?;
        Some(entry.to_value())
    }

    #[inline]
    fn read(&self, position: u64, buffer: &mut [u8]) -> Option<()> {
        match self {
            Self::Mapped(map) => {
                let from = usize::try_from(position).ok()?;
                let bytes = map.get(from..from.checked_add(buffer.len())?)?;
                buffer.copy_from_slice(bytes);
                Some(())
            }
            Self::File(file) => disk::read_exact_at(&**file, buffer, position).ok(),
        }
    }
}
