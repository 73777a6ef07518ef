//! Bytes in sectors that are shared between disks.

use std::collections::BTreeMap;
use std::collections::btree_map::Range;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use super::fingerprint::Mix;

/// Bytes that a device writes whole.
pub(super) const SECTOR: u64 = 512;

/// The same, as the length of an array.
const LEN: usize = 512;

/// A sector of a file. It is never changed: who writes puts another one in its place.
pub(super) struct Sector {
    bytes: [u8; LEN],
    hash: OnceLock<u64>,
}

/// What lies in the place of a sector: one, or a hole of zeros.
pub(super) type Part = Option<Arc<Sector>>;

impl Sector {
    pub(super) fn of(bytes: [u8; LEN]) -> Part {
        let hash = OnceLock::new();
        Some(Arc::new(Self { bytes, hash }))
    }

    /// 0 for zeros, so that they are as good as a hole.
    fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| {
            if self.bytes == [0; LEN] {
                return 0;
            }
            let mut mix = Mix::default();
            mix.bytes(&self.bytes);
            mix.number() | 1
        })
    }
}

pub(super) fn bytes_of(part: &Part) -> &[u8; LEN] {
    const ZEROS: &[u8; LEN] = &[0; LEN];
    part.as_ref().map_or(ZEROS, |sector| &sector.bytes)
}

/// Where a position lies in its sector.
pub(super) fn within(position: u64) -> usize {
    usize::try_from(position % SECTOR).unwrap_or(0)
}

/// The bytes of a file at one moment. No sector lies behind the end, and the last one is zero from the end on.
#[derive(Default)]
pub(super) struct Bytes {
    len: u64,
    sectors: BTreeMap<u64, Arc<Sector>>,
    hash: OnceLock<u64>,
}

impl Clone for Bytes {
    fn clone(&self) -> Self {
        Self {
            len: self.len,
            sectors: self.sectors.clone(),
            // A copy is made to be changed.
            hash: OnceLock::new(),
        }
    }
}

impl Bytes {
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn part(&self, index: u64) -> Part {
        self.sectors.get(&index).cloned()
    }

    /// The sectors that are no holes, by their numbers.
    pub(super) fn sectors(&self, indexes: RangeInclusive<u64>) -> Range<'_, u64, Arc<Sector>> {
        if indexes.is_empty() {
            return self.sectors.range(0..0);
        }
        self.sectors.range(indexes)
    }

    /// Reads as much as there is; returns how much.
    pub(super) fn read(&self, buffer: &mut [u8], mut position: u64) -> usize {
        let there = usize::try_from(self.len.saturating_sub(position)).unwrap_or(usize::MAX);
        let most = there.min(buffer.len());
        let mut left = buffer.split_at_mut(most).0;
        while !left.is_empty() {
            let from = within(position);
            let (piece, rest) = left.split_at_mut(left.len().min(LEN - from));
            match self.sectors.get(&(position / SECTOR)) {
                Some(sector) => piece.copy_from_slice(&sector.bytes[from..from + piece.len()]),
                None => piece.fill(0),
            }
            position += piece.len() as u64;
            left = rest;
        }
        most
    }

    /// Puts a sector in its place, which must not lie behind the end.
    pub(super) fn put(&mut self, index: u64, part: Part) {
        self.hash = OnceLock::new();
        match part {
            Some(sector) => self.sectors.insert(index, sector),
            None => self.sectors.remove(&index),
        };
    }

    /// Sets the length. What lies behind it is gone, and zeros come in its place when the file grows again.
    pub(super) fn set_len(&mut self, len: u64) {
        self.hash = OnceLock::new();
        self.len = len;
        self.sectors.split_off(&len.div_ceil(SECTOR));
        let (last, end) = (len / SECTOR, within(len));
        if let Some(sector) = self.sectors.get(&last)
            && sector.bytes[end..].iter().any(|&byte| byte != 0)
        {
            let mut bytes = sector.bytes;
            bytes[end..].fill(0);
            self.put(last, Sector::of(bytes));
        }
    }

    pub(super) fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| {
            let mut mix = Mix::default();
            mix.add(self.len);
            for (&index, sector) in &self.sectors {
                let hash = sector.hash();
                if hash != 0 {
                    mix.add(index);
                    mix.add(hash);
                }
            }
            mix.number()
        })
    }
}
