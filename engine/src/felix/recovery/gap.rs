//! A head of the log that lies in the object store (Felix 7.7).

use ondisk::felix::ManifestEntry;

use super::Removal;
use super::draft::{Draft, Piece};

impl Draft<'_> {
    /// Whether a gap in front of the segment at `index` is excused: the manifest has copies of all that is missing, and of
    /// every local segment below. Those segments go then, oldest first, and the log begins behind the gap.
    pub(super) fn offloaded_gap(&mut self, index: usize, expected: u64, found: u64) -> bool {
        let excused = self.settings.provable.offloaded_gap
            && expected < found
            && self.copies.cover(expected, found)
            && self.pieces[..index]
                .iter()
                .all(|piece| self.copies.has(piece));
        if excused {
            self.remove(0..index, Removal::OffloadedGap);
        }
        excused
    }
}

/// What the manifest has copies of: entries in ascending order of their offsets, of which no two overlap. A log can have a
/// gap behind each of its segments, so a look must not cost a pass over all of them.
pub(super) struct Copies<'a>(Vec<&'a ManifestEntry>);

impl<'a> Copies<'a> {
    pub(super) fn of(manifest: &'a [ManifestEntry]) -> Self {
        let mut entries: Vec<_> = manifest.iter().collect();
        entries.sort_by_key(|entry| entry.base_offset);
        Self(entries)
    }

    /// The entries from the one on that holds `offset` or begins behind it.
    fn from(&self, offset: u64) -> &[&'a ManifestEntry] {
        let first = self.0.partition_point(|entry| entry.last_offset < offset);
        &self.0[first..]
    }

    /// Whether they cover all offsets from `from` up to `to`.
    fn cover(&self, from: u64, to: u64) -> bool {
        let mut next = from;
        for entry in self.from(from) {
            if next >= to || entry.base_offset > next {
                break;
            }
            next = entry.last_offset.saturating_add(1);
        }
        next >= to
    }

    /// Whether an entry agrees with a segment in id, base, last offset and size. An empty segment has no last offset.
    fn has(&self, piece: &Piece) -> bool {
        let Some(held) = piece.held else { return false };
        let base = held.header.base_offset;
        let Some(last) = held.next_offset.checked_sub(1).filter(|&last| last >= base) else {
            return false;
        };
        self.from(base).first().is_some_and(|entry| {
            entry.segment == piece.id
                && entry.base_offset == base
                && entry.last_offset == last
                && entry.size == piece.bytes
        })
    }

    /// Whether there is a copy of segment `id` with at least `bytes` bytes.
    pub(super) fn reach(&self, id: u64, bytes: u64) -> bool {
        self.0
            .iter()
            .any(|entry| entry.segment == id && entry.size >= bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Copies, ManifestEntry};

    fn entries(ranges: &[(u64, u64)]) -> Vec<ManifestEntry> {
        let entry = |&(base_offset, last_offset)| ManifestEntry {
            segment: 0,
            base_offset,
            last_offset,
            size: 0,
            oldest_micros: 0,
            newest_micros: 0,
            checksum: 0,
            key: String::new(),
        };
        ranges.iter().map(entry).collect()
    }

    #[test]
    fn covering() {
        for (name, ranges, from, to, expected) in [
            ("nothing", &[][..], 4, 12, false),
            ("one that is the gap", &[(4, 11)], 4, 12, true),
            ("one that is wider", &[(0, 20)], 4, 12, true),
            ("two, in any order", &[(8, 11), (4, 7)], 4, 12, true),
            (
                "some below and above",
                &[(0, 3), (4, 11), (14, 20)],
                4,
                12,
                true,
            ),
            ("a hole between", &[(4, 6), (8, 11)], 4, 12, false),
            ("ends too early", &[(4, 10)], 4, 12, false),
            ("begins too late", &[(5, 11)], 4, 12, false),
            (
                "up to the highest offset",
                &[(0, u64::MAX)],
                4,
                u64::MAX,
                true,
            ),
        ] {
            assert_eq!(
                Copies::of(&entries(ranges)).cover(from, to),
                expected,
                "{name}"
            );
        }
    }
}
