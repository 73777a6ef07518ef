//! Blank segments inside the chain (Felix 7.4).

use std::mem;
use std::ops::Range;

use super::Removal;
use super::draft::{Draft, Stop};
use crate::felix::segment::{HEADER_BYTES, Header};

impl Draft<'_> {
    /// Removes each run of files that are too short for a header, when the segments on both sides of it join. The chain
    /// closes without them, and a file without a header never held a record.
    pub(super) fn blank_inside_chain(&mut self) -> Result<(), Stop> {
        let runs = self.blank_runs()?;
        let mut pieces = mem::take(&mut self.pieces).into_iter();
        let mut next = 0;
        for run in runs {
            self.pieces.extend(pieces.by_ref().take(run.start - next));
            next = run.end;
            for piece in pieces.by_ref().take(run.len()) {
                self.removed(&piece, Removal::BlankInsideChain);
            }
            self.sync_directory();
        }
        self.pieces.extend(pieces);
        Ok(())
    }

    /// The runs that go, oldest first.
    fn blank_runs(&self) -> Result<Vec<Range<usize>>, Stop> {
        let mut runs = Vec::new();
        let mut start = 1;
        while start < self.pieces.len() {
            let blank = self.pieces[start..]
                .iter()
                .take_while(|piece| piece.bytes < HEADER_BYTES)
                .count();
            let behind = start + blank;
            if blank > 0 && behind < self.pieces.len() && self.joins(start - 1, behind)? {
                runs.push(start..behind);
            }
            start = behind + 1;
        }
        Ok(runs)
    }

    /// Whether the segment at `before` is whole and ends where the one at `after` begins.
    fn joins(&self, before: usize, after: usize) -> Result<bool, Stop> {
        let before = &self.pieces[before];
        if before.bytes < HEADER_BYTES {
            return Ok(false);
        }
        let Ok(scan) = self.full(before)? else {
            return Ok(false);
        };
        let after = self.pieces[after].id;
        let mut source = self.scans.open(after)?;
        let header = Header::read(&mut source).map_err(self.scans.reading(after))?;
        Ok(scan.failure.is_none()
            && header.is_ok_and(|header| header.base_offset == scan.next_offset))
    }
}
