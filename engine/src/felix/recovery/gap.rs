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
            && covers(self.manifest, expected, found)
            && self.pieces[..index]
                .iter()
                .all(|piece| has_copy(self.manifest, piece));
        if excused {
            self.remove(0..index, Removal::OffloadedGap);
        }
        excused
    }
}

/// Whether entries cover all offsets from `from` up to `to`. They do not overlap, but may come in any order.
fn covers(manifest: &[ManifestEntry], from: u64, to: u64) -> bool {
    let mut ranges: Vec<(u64, u64)> = manifest
        .iter()
        .map(|entry| (entry.base_offset, entry.last_offset))
        .collect();
    ranges.sort_unstable();
    let mut next = from;
    for (base, last) in ranges {
        if next >= to || base > next {
            break;
        }
        if last >= next {
            next = last.saturating_add(1);
        }
    }
    next >= to
}

/// Whether an entry agrees with a segment in id, base, last offset and size. An empty segment has no last offset.
fn has_copy(manifest: &[ManifestEntry], piece: &Piece) -> bool {
    let Some(held) = piece.held else { return false };
    let base = held.header.base_offset;
    let Some(last) = held.next_offset.checked_sub(1).filter(|&last| last >= base) else {
        return false;
    };
    manifest.iter().any(|entry| {
        entry.segment == piece.id
            && entry.base_offset == base
            && entry.last_offset == last
            && entry.size == piece.bytes
    })
}

#[cfg(test)]
mod tests {
    use super::{ManifestEntry, covers};

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
            assert_eq!(covers(&entries(ranges), from, to), expected, "{name}");
        }
    }
}
