//! Blank segments inside the chain (Felix 7.4).

use super::Removal;
use super::draft::{Draft, Stop};
use crate::felix::segment::{HEADER_BYTES, Header};

impl Draft<'_> {
    /// Removes each run of files that are too short for a header, when the segments on both sides of it join. The chain
    /// closes without them, and a file without a header never held a record.
    pub(super) fn blank_inside_chain(&mut self) -> Result<(), Stop> {
        let mut start = 1;
        while start < self.pieces.len() {
            let blank = self.pieces[start..]
                .iter()
                .take_while(|piece| piece.bytes < HEADER_BYTES)
                .count();
            let behind = start + blank;
            if blank > 0 && behind < self.pieces.len() && self.joins(start - 1, behind)? {
                self.remove(start..behind, Removal::BlankInsideChain);
                self.sync_directory();
                start += 1;
            } else {
                start = behind + 1;
            }
        }
        Ok(())
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
