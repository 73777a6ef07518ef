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
        match self {
            Self::Mapped(map) => last_of(map.get(Index::MIN..)?, offset),
            Self::File(file) => {
                // It may grow where another process writes it.
                let len = file.stat().ok()?.len;
                let entries = len.checked_sub(Index::MIN as u64)? / ENTRY as u64;
                self.last_in_file(entries, offset)
            }
        }
    }

    /// The same by a few reads of one entry, then one of many.
    fn last_in_file(&self, entries: u64, offset: u64) -> Option<IndexEntry> {
        let position = |at: u64| Index::MIN as u64 + at * ENTRY as u64;
        let (mut low, mut high) = (0, entries);
        // The entry at `low` is the one that is looked for, or lies before it; or nothing lies before `low`.
        while high - low > BLOCK as u64 {
            let middle = low + (high - low) / 2;
            let mut bytes = [0; ENTRY];
            self.read(position(middle), &mut bytes)?;
            if entry_of(&bytes)?.offset <= offset {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut block = [0; BLOCK * ENTRY];
        let bytes = usize::try_from(high - low).ok()? * ENTRY;
        let block = block.get_mut(..bytes)?;
        self.read(position(low), block)?;
        last_of(block, offset)
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

/// Bytes of an entry.
const ENTRY: usize = IndexEntry::MIN;

/// Entries that are read at once: a page of the file.
const BLOCK: usize = 4096 / ENTRY;

/// The greatest entry at or below `offset` among these.
fn last_of(entries: &[u8], offset: u64) -> Option<IndexEntry> {
    let entry = |at: usize| entry_of(entries.get(at * ENTRY..(at + 1) * ENTRY)?);
    let (mut low, mut high) = (0, entries.len() / ENTRY);
    let mut found = None;
    while low < high {
        let middle = low + (high - low) / 2;
        let entry = entry(middle)?;
        if entry.offset <= offset {
            found = Some(entry);
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    found
}

fn entry_of(bytes: &[u8]) -> Option<IndexEntry> {
    let entry = IndexEntry::view(bytes).ok()?;
    Some(entry.to_value())
}
