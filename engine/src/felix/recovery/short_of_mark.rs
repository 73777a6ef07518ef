//! Flushed bytes that are gone (Felix 7.7).

use super::Report;
use super::draft::Draft;
use crate::felix::segment::HEADER_BYTES;

impl Draft<'_> {
    /// Reports that the segment which the mark names ends before what the mark vouches for, unless this plan explains it:
    /// by a cut there that says so, or because the whole segment was offloaded.
    pub(super) fn short_of_mark(&mut self) {
        let Some(mark) = self.mark.0 else { return };
        let segment = mark.segment;
        let left = self.pieces.iter().find(|piece| piece.id == segment);
        let position = left.map_or(0, |piece| piece.bytes);
        if mark.synced_bytes <= HEADER_BYTES || position >= mark.synced_bytes {
            return;
        }
        let cut = self.reports.iter().any(|report| match report {
            Report::Cut(cut) => cut.segment == segment && cut.below_durable_mark,
            Report::UnfinishedRoll(roll) => roll.segment == segment && roll.below_durable_mark,
            _ => false,
        });
        let offloaded = left.is_none() && self.copies.reach(segment, mark.synced_bytes);
        if !cut && !offloaded {
            self.reports.push(Report::ShortOfMark {
                segment,
                position,
                bytes: mark.synced_bytes - position,
            });
        }
    }
}
