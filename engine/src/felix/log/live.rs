//! One segment of an open log.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use ondisk::felix::IndexEntry;

use super::read::Slot;
use crate::disk::File;
use crate::felix::segment::{HEADER_BYTES, Header};

/// A segment as the writer, the flush and the readers share it. A cut makes a new one: whoever still holds this one sees
/// the records that it had.
#[derive(Debug)]
pub(super) struct LiveSegment {
    /// Its id.
    pub(super) id: u64,
    /// Offset of its first record, also while there is none.
    pub(super) base_offset: u64,
    /// Version of its header.
    pub(super) version: u32,
    /// Bytes of header and whole records; what lies behind does not exist.
    bytes: AtomicU64,
    /// Of those, what a sync covered.
    synced: AtomicU64,
    phase: AtomicU8,
    /// Timestamp of the last record plus one; 0 when it is not known.
    last_timestamp: AtomicU64,
    /// The entries of its index, until it is sealed; afterwards the file has them.
    index: RwLock<Vec<IndexEntry>>,
    /// The file that was written to, until it is sealed.
    file: Mutex<Option<Arc<dyn File>>>,
    /// What readers have open of it.
    pub(super) slot: Slot,
}

/// How far a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// It is appended to.
    Active,
    /// It is full and not sealed yet (Felix 8.4).
    Retired,
    /// It is synced, its index written.
    Sealed,
}

impl LiveSegment {
    /// A segment that is appended to.
    pub(super) fn active(
        id: u64,
        base_offset: u64,
        version: u32,
        bytes: u64,
        index: Vec<IndexEntry>,
        file: Arc<dyn File>,
    ) -> Self {
        Self {
            id,
            base_offset,
            version,
            bytes: bytes.into(),
            synced: 0.into(),
            phase: AtomicU8::new(Phase::Active as u8),
            last_timestamp: 0.into(),
            index: RwLock::new(index),
            file: Mutex::new(Some(file)),
            slot: Slot::default(),
        }
    }

    /// A sealed one.
    pub(super) fn sealed(id: u64, base_offset: u64, version: u32, bytes: u64) -> Self {
        Self {
            id,
            base_offset,
            version,
            bytes: bytes.into(),
            synced: bytes.into(),
            phase: AtomicU8::new(Phase::Sealed as u8),
            last_timestamp: 0.into(),
            index: RwLock::default(),
            file: Mutex::default(),
            slot: Slot::default(),
        }
    }

    /// Its header, as far as reading the records needs it.
    pub(super) fn header(&self) -> Header {
        Header {
            version: self.version,
            base_offset: self.base_offset,
            created_at_micros: 0,
        }
    }

    /// Bytes of header and whole records.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Acquire)
    }

    /// Makes records up to `bytes` visible.
    pub(super) fn publish(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Release);
    }

    /// Whether there is no record in it.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes() <= HEADER_BYTES
    }

    /// How far it is.
    pub(super) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Active,
            1 => Phase::Retired,
            _ => Phase::Sealed,
        }
    }

    /// It is full; what was appended is not synced yet.
    pub(super) fn retire(&self) {
        self.phase.store(Phase::Retired as u8, Ordering::Release);
    }

    /// It is synced, and its index is in its file.
    pub(super) fn seal(&self) {
        self.synced.store(self.bytes(), Ordering::Release);
        self.phase.store(Phase::Sealed as u8, Ordering::Release);
        *self.index.write().unwrap_or_else(PoisonError::into_inner) = Vec::new();
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // The next reader maps it as a whole, with its index.
        self.slot.close();
    }

    /// Up to where a sync covered it.
    pub(super) fn synced(&self) -> u64 {
        self.synced.load(Ordering::Acquire)
    }

    /// A sync covered it up to `bytes`.
    pub(super) fn note_synced(&self, bytes: u64) {
        self.synced.fetch_max(bytes, Ordering::AcqRel);
    }

    /// The file that is written to; none once it is sealed.
    pub(super) fn file(&self) -> Option<Arc<dyn File>> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.clone()
    }

    /// Adds an entry to the index.
    pub(super) fn add_entry(&self, entry: IndexEntry) {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        index.push(entry);
    }

    /// The greatest entry at or below `offset`, of a segment that is not sealed.
    pub(super) fn entry_at(&self, offset: u64) -> Option<IndexEntry> {
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        let above = index.partition_point(|entry| entry.offset <= offset);
        above.checked_sub(1).and_then(|at| index.get(at).copied())
    }

    /// All entries, of a segment that is not sealed.
    pub(super) fn entries(&self) -> Vec<IndexEntry> {
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        index.clone()
    }

    /// Timestamp of its last record, if that is known.
    pub(super) fn last_timestamp(&self) -> Option<u64> {
        self.last_timestamp.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Notes the timestamp of its last record.
    pub(super) fn note_last_timestamp(&self, micros: u64) {
        self.last_timestamp
            .store(micros.saturating_add(1), Ordering::Relaxed);
    }
}
