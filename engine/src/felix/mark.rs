//! What the durable mark vouches for (Felix 6).

use ondisk::felix::DurableMark;

use super::segment::HEADER_BYTES;

/// The durable mark of a shard, or none: no file, one that does not decode, one that cannot be read. Without one nothing
/// is vouched for and nothing is known to be unflushed, so the strict rules hold.
///
/// ```
/// use ondisk::felix::DurableMark;
/// use ondisk_engine::felix::mark::Mark;
///
/// let mark = Mark(Some(DurableMark { segment: 3, synced_bytes: 4096 }));
/// assert_eq!(mark.synced_through(2), u64::MAX);
/// assert_eq!(mark.unsynced_from(3), Some(4096));
/// // Without one nothing is vouched for, and nothing is known to be unflushed.
/// assert_eq!(Mark(None).synced_through(3), 0);
/// assert_eq!(Mark(None).unsynced_from(3), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark(pub Option<DurableMark>);

impl Mark {
    /// From where on nothing of `segment` is vouched for; none when that is not known.
    #[must_use]
    pub fn unsynced_from(self, segment: u64) -> Option<u64> {
        let mark = self.0?;
        match segment.cmp(&mark.segment) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some(mark.synced_bytes.max(HEADER_BYTES)),
            std::cmp::Ordering::Greater => Some(HEADER_BYTES),
        }
    }

    /// Up to where all of `segment` is vouched for.
    #[must_use]
    pub fn synced_through(self, segment: u64) -> u64 {
        let Some(mark) = self.0 else { return 0 };
        match segment.cmp(&mark.segment) {
            std::cmp::Ordering::Less => u64::MAX,
            std::cmp::Ordering::Equal => mark.synced_bytes,
            std::cmp::Ordering::Greater => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DurableMark, Mark};

    #[test]
    fn what_it_vouches_for() {
        let none = Mark(None);
        let mark = Mark(Some(DurableMark {
            segment: 3,
            synced_bytes: 4096,
        }));
        let early = Mark(Some(DurableMark {
            segment: 3,
            synced_bytes: 5,
        }));
        for (name, mark, segment, unsynced_from, synced_through) in [
            ("no mark", none, 3, None, 0),
            ("its segment", mark, 3, Some(4096), 4096),
            ("its segment, a header not flushed", early, 3, Some(32), 5),
            ("a newer segment", mark, 4, Some(32), 0),
            ("an older segment", mark, 2, None, u64::MAX),
        ] {
            assert_eq!(mark.unsynced_from(segment), unsynced_from, "{name}");
            assert_eq!(mark.synced_through(segment), synced_through, "{name}");
        }
    }
}
