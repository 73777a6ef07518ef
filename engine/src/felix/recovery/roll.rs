//! An unfinished background roll (Felix 7.8).
//!
//! A background roll retires a segment before it seals it, so power loss can take the end of the retired one while its
//! successor exists. A seal and an open sync it before they move the mark past it, and a flush syncs it before the active
//! one. So a retired segment that lost its end was never synced whole, nothing in the active one was flushed, and the
//! cut stays above what the mark vouches for.

use super::draft::{Draft, Stop};
use super::report::UnfinishedRoll;
use super::{Refusal, Report, Rules, Verdict};
use crate::felix::error::{Corruption, CorruptionKind};
use crate::felix::segment::{Failure, Scan};

impl Draft<'_> {
    /// Cuts the last sealed segment and removes the active one if it does not join it then, when all that proves it
    /// holds; otherwise the failure stands.
    pub(super) fn unfinished_roll(&mut self, stop: Stop) -> Result<(), Stop> {
        let Stop::Refused(Refusal::Corruption { corruption, .. }) = &stop else {
            return Err(stop);
        };
        let Some(retired) = self.pieces.len().checked_sub(2) else {
            return Err(stop);
        };
        if !self.settings.provable.unfinished_roll || !self.is_in_the_roll(corruption, retired) {
            return Err(stop);
        }
        // Without a mark there is no proof.
        let segment = self.pieces[retired].id;
        if self.mark.0.is_none_or(|mark| mark.segment > segment) {
            return Err(stop);
        }
        let next_base = match self.header(retired + 1) {
            Ok(header) => Some(header.base_offset),
            Err(Stop::Refused(_)) => None,
            Err(failed) => return Err(failed),
        };
        let Some((scan, failure)) = self.unsealed(retired, next_base)? else {
            return Err(stop);
        };
        let synced_through = self.mark.synced_through(segment);
        if scan.valid_bytes < synced_through {
            return Err(stop);
        }

        let position = scan.valid_bytes;
        let bytes = self.pieces[retired].bytes - position;
        let mut roll = UnfinishedRoll {
            segment,
            position,
            bytes,
            cause: failure.map(|failure| failure.kind),
            below_durable_mark: position < synced_through,
            saved_cut: None,
            deleted: None,
            saved_segment: None,
        };
        // Should a crash come between, the next look must see the roll for what it is: a gap behind a whole segment. An
        // active one without a header, or one that overlaps, would be damage of another kind then, so it goes first.
        let hides = next_base.is_none_or(|base| base < scan.next_offset);
        if hides {
            self.remove_active(&mut roll);
            self.sync_directory();
        }
        if bytes > 0 {
            roll.saved_cut = Some(self.save(retired, position));
            self.shorten(retired, position);
            self.pieces[retired].held = None;
        }
        if !hides && next_base != Some(scan.next_offset) {
            self.remove_active(&mut roll);
        }
        self.sync_directory();
        self.reports.push(Report::UnfinishedRoll(roll));
        Ok(())
    }

    fn remove_active(&mut self, roll: &mut UnfinishedRoll) {
        if let Some(active) = self.pieces.pop() {
            roll.deleted = Some(active.id);
            roll.saved_segment = self.unlink(&active, true);
        }
    }

    /// Whether the failure is one that an unfinished roll leaves: in the retired segment, or a gap in front of the active
    /// one.
    fn is_in_the_roll(&self, corruption: &Corruption, retired: usize) -> bool {
        let site = &corruption.site;
        let gap = matches!(corruption.kind, CorruptionKind::OffsetOutOfOrder { expected, found } if found > expected);
        site.segment == Some(self.pieces[retired].id)
            || (gap
                && site.position == Some(0)
                && site.segment == Some(self.pieces[retired + 1].id))
    }

    /// The retired segment, if its end may be cut or lies below the base of the active one.
    fn unsealed(
        &self,
        retired: usize,
        next_base: Option<u64>,
    ) -> Result<Option<(Scan, Option<Failure>)>, Stop> {
        let piece = &self.pieces[retired];
        let Ok(scan) = self.full(piece)? else {
            return Ok(None);
        };
        let holds = match &scan.failure {
            Some(failure) => {
                let verdict = self.judge(piece, failure, Rules::for_retired(self.settings))?;
                matches!(verdict, Verdict::Cut(_))
            }
            None => next_base.is_some_and(|base| scan.next_offset < base),
        };
        let failure = scan.failure;
        Ok(holds.then_some((scan, failure)))
    }
}
