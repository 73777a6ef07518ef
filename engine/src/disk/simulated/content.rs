//! The bytes of a file, in the cache and on the device.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::chance::{Chance, Fate};
use super::sectors::{Bytes, Part, SECTOR, Sector, bytes_of, within};

/// What the system writes back, and frees, at once.
const BLOCK: u64 = 4096;

/// Versions of one sector that are kept since its sync.
const VERSIONS: usize = 8;

/// A file.
#[derive(Clone, Default)]
pub(super) struct Content {
    now: Arc<Bytes>,
    synced: Arc<Bytes>,
    /// What was done to sectors since they were synced.
    unsynced: BTreeMap<u64, Unsynced>,
    /// The lengths that it had since it was synced, with the operations that set them.
    lengths: Vec<(u64, u64)>,
    changes: i128,
}

/// A sector that may be found old.
#[derive(Clone, Default)]
struct Unsynced {
    /// What it has held, and the operation that put that there.
    versions: Vec<(u64, Part)>,
    /// A failed sync dropped it: no later one brings it.
    dropped: bool,
}

/// The numbers of the sectors that begin in `from..to`.
fn sectors(from: u64, to: u64) -> RangeInclusive<u64> {
    match to.div_ceil(SECTOR).checked_sub(1) {
        Some(last) => from.div_ceil(SECTOR)..=last,
        None => RangeInclusive::new(1, 0),
    }
}

impl Content {
    /// A file whose bytes are all on the device.
    fn of(bytes: Arc<Bytes>, changes: i128) -> Self {
        Self {
            synced: Arc::clone(&bytes),
            now: bytes,
            changes,
            ..Self::default()
        }
    }

    /// As readers see it.
    pub(super) fn now(&self) -> &Arc<Bytes> {
        &self.now
    }

    /// Changes made, in the place of a time.
    pub(super) fn changes(&self) -> i128 {
        self.changes
    }

    /// Whether a crash may tell on it.
    pub(super) fn is_dirty(&self) -> bool {
        !self.unsynced.is_empty() || !self.lengths.is_empty()
    }

    /// The operations that made what is not synced.
    pub(super) fn operations(&self) -> impl Iterator<Item = u64> {
        let sectors = self.unsynced.values();
        let versions = sectors.flat_map(|sector| &sector.versions);
        versions
            .map(|&(at, _)| at)
            .chain(self.lengths.iter().map(|&(at, _)| at))
    }

    pub(super) fn write(&mut self, at: u64, mut bytes: &[u8], mut position: u64) {
        let (old, end) = (self.now.len(), position + bytes.len() as u64);
        if bytes.is_empty() {
            return;
        }
        self.changes += 1;
        if end > old {
            self.zero(at, sectors(old, position));
            // The length follows the pages, one by one.
            let mut len = old.max(position);
            while len < end {
                len = (len / BLOCK + 1).saturating_mul(BLOCK).min(end);
                self.lengths.push((at, len));
            }
            Arc::make_mut(&mut self.now).set_len(end);
        }
        while !bytes.is_empty() {
            let (index, from) = (position / SECTOR, within(position));
            let mut sector = *bytes_of(&self.now.part(index));
            let (piece, rest) = bytes.split_at(bytes.len().min(sector.len() - from));
            sector[from..from + piece.len()].copy_from_slice(piece);
            self.change(at, index, Sector::of(sector));
            position += piece.len() as u64;
            bytes = rest;
        }
    }

    pub(super) fn set_len(&mut self, at: u64, len: u64) {
        self.changes += 1;
        let old = self.now.len();
        if len == old {
            return;
        }
        self.lengths.push((at, len));
        let last = len / SECTOR;
        let before = self.now.part(last);
        Arc::make_mut(&mut self.now).set_len(len);
        if len > old {
            self.zero(at, sectors(old, len));
            return;
        }
        let left = self.now.part(last).filter(|_| within(len) > 0);
        if left.is_some() && bytes_of(&left) != bytes_of(&before) {
            self.change(at, last, left);
        }
        // The cache zeroes what is left of the block, which may get to the device ahead of the length.
        self.zero(at, sectors(len, len.next_multiple_of(BLOCK).min(old)));
    }

    /// Becomes a file of these bytes.
    pub(super) fn become_copy(&mut self, at: u64, source: &Arc<Bytes>) {
        self.set_len(at, 0);
        self.set_len(at, source.len());
        for (&index, sector) in source.sectors(0..=u64::MAX) {
            self.change(at, index, Some(Arc::clone(sector)));
        }
    }

    /// Sectors that were something else once are holes now.
    fn zero(&mut self, at: u64, indexes: RangeInclusive<u64>) {
        if indexes.is_empty() {
            return;
        }
        let on_device = self
            .synced
            .sectors(indexes.clone())
            .map(|(&index, _)| index);
        let written = self.unsynced.range(indexes).map(|(&index, _)| index);
        let known: BTreeSet<u64> = on_device.chain(written).collect();
        for index in known {
            self.change(at, index, None);
        }
    }

    fn change(&mut self, at: u64, index: u64, part: Part) {
        let sector = self.unsynced.entry(index).or_default();
        sector.dropped = false;
        let last = sector.versions.last();
        if last.is_none_or(|(_, last)| bytes_of(last) != bytes_of(&part)) {
            if sector.versions.len() == VERSIONS {
                sector.versions.remove(0);
            }
            sector.versions.push((at, part.clone()));
        }
        if index < self.now.len().div_ceil(SECTOR) {
            Arc::make_mut(&mut self.now).put(index, part);
        }
    }

    /// Brings the length, and what is dirty, to the device.
    pub(super) fn sync(&mut self) {
        self.lengths.clear();
        let len = self.now.len();
        let end = len.div_ceil(SECTOR);
        self.unsynced
            .retain(|&index, sector| sector.dropped && index < end);
        if self.unsynced.is_empty() {
            self.synced = Arc::clone(&self.now);
            return;
        }
        let mut synced = Bytes::clone(&self.now);
        for &index in self.unsynced.keys() {
            synced.put(index, self.synced.part(index));
        }
        synced.set_len(len);
        self.synced = Arc::new(synced);
    }

    /// A sync failed: the cache calls clean what it could not write.
    pub(super) fn drop_dirty(&mut self) {
        for sector in self.unsynced.values_mut() {
            sector.dropped = true;
        }
    }

    /// As it may be found after a crash.
    pub(super) fn after(&self, fate: Fate, chance: &mut Chance) -> Self {
        let bytes = match fate {
            _ if !self.is_dirty() => return self.clone(),
            Fate::Old => Arc::clone(&self.synced),
            Fate::New => Arc::clone(&self.now),
            Fate::UpTo(_) | Fate::Each => {
                let lengths = self.lengths.iter().map(|&(at, _)| at);
                let len = match fate.pick(lengths, chance) {
                    Some(which) => self.lengths[which].1,
                    None => self.synced.len(),
                };
                let mut bytes = Bytes::clone(&self.synced);
                for (&index, sector) in &self.unsynced {
                    let versions = sector.versions.iter().map(|&(at, _)| at);
                    if let Some(which) = fate.pick(versions, chance) {
                        bytes.put(index, sector.versions[which].1.clone());
                    }
                }
                bytes.set_len(len);
                Arc::new(bytes)
            }
        };
        Self::of(bytes, self.changes)
    }
}

/// What only a disk that damages things asks.
impl Content {
    /// The sectors below `len` that no sync vouches for.
    pub(super) fn doubtful(&self, len: u64) -> BTreeSet<u64> {
        let written = self.unsynced.keys().copied();
        let end = len.div_ceil(SECTOR);
        let new = self.synced.len() / SECTOR..end;
        written.chain(new).filter(|&index| index < end).collect()
    }

    /// Which bytes of a sector were synced, and not changed since.
    pub(super) fn vouched(&self, index: u64) -> [bool; 512] {
        let synced = self.synced.part(index);
        let was = bytes_of(&synced);
        let end = self.synced.len().saturating_sub(index * SECTOR);
        let mut vouched = [true; 512];
        for (vouched, at) in vouched.iter_mut().zip(0..) {
            *vouched = at < end;
        }
        let sector = self.unsynced.get(&index);
        for (_, part) in sector.into_iter().flat_map(|sector| &sector.versions) {
            for ((vouched, is), was) in vouched.iter_mut().zip(bytes_of(part)).zip(was) {
                *vouched &= is == was;
            }
        }
        vouched
    }

    /// Puts other bytes into a sector, on the device too.
    pub(super) fn damage(&mut self, index: u64, change: impl FnOnce(&mut [u8])) {
        let mut sector = *bytes_of(&self.now.part(index));
        change(&mut sector);
        let mut bytes = Bytes::clone(&self.now);
        bytes.put(index, Sector::of(sector));
        bytes.set_len(self.now.len());
        *self = Self::of(Arc::new(bytes), self.changes);
    }
}
