//! Making checksums right again, so that a fuzzer or a test gets past them to what they guard.

use alloc::vec::Vec;
use core::ops::Range;

use crate::checksum::Algorithm;
use crate::describe::{Endian, Kind, Role};
use crate::walk::{Field, Instance, Visitor, walk};

/// A checksum to be computed.
struct Job {
    at: Range<usize>,
    algorithm: Algorithm,
    endian: Endian,
    spans: Vec<Range<usize>>,
}

/// Recomputes every checksum of the instance at the front of `bytes` whose bytes can be found, nested ones first, then
/// in the order of the rows. Returns how many were wrong. Checksums in a text are not known here.
pub fn repair(kind: &'static Kind, bytes: &mut [u8], version: u32) -> usize {
    struct Jobs(Vec<Job>);

    impl Visitor<'_> for Jobs {
        fn field(&mut self, _: &Field<'_>) {}

        fn leave(&mut self, instance: &Instance) {
            let rows = 0..instance.kind.rows().len();
            self.0.extend(rows.filter_map(|row| job(instance, row)));
        }
    }

    let mut jobs = Jobs(Vec::new());
    // A checksum in front of where the walk stops is repaired all the same.
    let _ = walk(kind, bytes, version, &mut jobs);
    jobs.0
        .iter()
        .filter(|job| job.apply(bytes).unwrap_or(false))
        .count()
}

fn job(instance: &Instance, row: usize) -> Option<Job> {
    let described = instance.kind.rows().get(row)?;
    let Role::Checksum(algorithm, spans) = described.role else {
        return None;
    };
    let at = instance.range(row).filter(|at| !at.is_empty())?;
    let spans = spans.iter().map(|&rows| instance.span(rows));
    Some(Job {
        at,
        algorithm,
        endian: described.endian,
        spans: spans.collect::<Option<_>>()?,
    })
}

impl Job {
    /// Stores the right checksum and says whether another one stood there.
    fn apply(&self, bytes: &mut [u8]) -> Option<bool> {
        let mut sum = 0;
        for span in &self.spans {
            sum = self.algorithm.continue_from(sum, bytes.get(span.clone())?);
        }
        let slot = bytes.get_mut(self.at.clone())?;
        let (big, little) = (sum.to_be_bytes(), sum.to_le_bytes());
        let right = match self.endian {
            Endian::Big => big.get(big.len().checked_sub(slot.len())?..)?,
            Endian::Little => little.get(..slot.len())?,
        };
        let wrong = slot != right;
        slot.copy_from_slice(right);
        Some(wrong)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::walk::faults;
    use crate::walk::samples::{FRAME, OBJECT, frame, object};

    fn without_checksums(kind: &'static Kind, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let rows = kind.rows().iter();
        assert!(
            rows.clone()
                .any(|row| matches!(row.role, Role::Checksum(..)))
        );
        assert!(repair(kind, &mut bytes, 2) > 0, "something was wrong");
        bytes
    }

    #[test]
    fn both_checksums_of_a_frame_and_the_one_in_a_foot() {
        let right = frame(1, &[0, 7], b"hi");
        let mut wrong = right.clone();
        wrong[2..10].fill(0);
        assert_eq!(without_checksums(&FRAME, &wrong), right);
        let right = object(2);
        let mut wrong = right.clone();
        wrong[4] ^= 1;
        let repaired = without_checksums(&OBJECT, &wrong);
        assert_ne!(repaired, wrong);
        assert_eq!(faults(&OBJECT, &repaired, 0).0, []);
        assert_eq!(
            repair(&OBJECT, &mut repaired.clone(), 0),
            0,
            "nothing is left to repair"
        );
    }

    #[test]
    fn a_head_is_repaired_though_its_tail_is_missing() {
        let mut cut = frame(0, &[], b"hello");
        cut.truncate(12);
        cut[3] ^= 0xff;
        assert_eq!(repair(&FRAME, &mut cut, 2), 1);
        assert_eq!(cut, frame(0, &[], b"hello")[..12]);
    }
}
