//! Abandoned newest segments (Felix 7.5).

use super::draft::{Draft, Stop};
use super::{Removal, Rules, Verdict};
use crate::felix::segment::{HEADER_BYTES, Header};

impl Draft<'_> {
    /// Removes what a crash in a roll or in the background preparation of a segment left at the end of the log. The first
    /// row of the table that fits the newest segment decides; another look is taken after each that goes.
    pub(super) fn abandoned(&mut self) -> Result<(), Stop> {
        let many = self.pieces.len();
        while self.pieces.len() > 1 && self.newest_is_abandoned()? {
            let len = self.pieces.len();
            self.remove(len - 1..len, Removal::AbandonedSegment);
        }
        if self.pieces.len() < many {
            self.sync_directory();
        }
        Ok(())
    }

    fn newest_is_abandoned(&mut self) -> Result<bool, Stop> {
        let newest = self.pieces.len() - 1;
        let piece = &self.pieces[newest];
        let mut source = self.scans.open(piece.id)?;
        if Header::is_missing(&mut source).map_err(self.scans.reading(piece.id))? {
            // Rows 1 to 3. What is longer than a header is left to the chain, unless a mark proves that nothing of it was
            // ever flushed: to the seed a zeroed header with bytes behind it is damage.
            let never_flushed =
                self.mark.0.is_some() && self.mark.synced_through(piece.id) <= HEADER_BYTES;
            return Ok(piece.bytes <= HEADER_BYTES || never_flushed);
        }
        // Row 4.
        let Ok(scan) = self.full(piece)? else {
            return Ok(false);
        };
        let cut = match &scan.failure {
            Some(failure) => match self.judge(piece, failure, Rules::of(self.settings))? {
                Verdict::Cut(rule) => Some((*failure, rule)),
                Verdict::Refuse(_) => return Ok(false),
            },
            None => None,
        };
        // Row 5. A first record that would be cut is none.
        if scan.kinds.total() > 0 {
            return Ok(false);
        }
        // Row 6. The base of the newest may be the only sign that the one before lost its last records.
        let Ok(before) = self.full(&self.pieces[newest - 1])? else {
            return Ok(false);
        };
        if before.failure.is_some() || before.next_offset <= scan.header.base_offset {
            // With equality it is row 7: an empty segment in its place.
            return Ok(false);
        }
        // Row 8.
        if let Some((failure, rule)) = cut {
            self.cut(newest, &failure, rule);
        }
        Ok(true)
    }
}
