//! A blank first segment, and a reset that died before its rename (Felix 7.6).

use ondisk::felix::name::SegmentFile;

use super::draft::{Draft, Piece, Stop};
use super::{Removal, Report, Step};
use crate::felix::error::StorageError;
use crate::felix::segment::{HEADER_BYTES, Header};

impl Draft<'_> {
    /// Removes the only segment when its creation failed. A longer file with a zeroed header stays fatal.
    pub(super) fn blank_first(&mut self) -> Result<(), Stop> {
        let [
            Piece {
                id: 0,
                bytes: ..=HEADER_BYTES,
                ..
            },
        ] = self.pieces[..]
        else {
            return Ok(());
        };
        let mut source = self.scans.open(0)?;
        let missing = Header::is_missing(&mut source).map_err(self.scans.reading(0))?;
        if missing && self.mark.synced_through(0) <= HEADER_BYTES {
            self.remove(0..1, Removal::BlankFirst);
            self.sync_directory();
        }
        Ok(())
    }

    /// Renames the segment that a truncation or reset wrote anew, when no other is left and it is the only one.
    pub(super) fn interrupted_reset(&mut self) -> Result<(), Stop> {
        if !self.pieces.is_empty() {
            // A left-over temporary like any other.
            return Ok(());
        }
        let mut whole = None;
        for (id, bytes) in self.scans.shard().temporaries() {
            if bytes == HEADER_BYTES && self.header_verifies(id)? && whole.replace(id).is_some() {
                // Of two that count neither is taken.
                return Ok(());
            }
        }
        let Some(id) = whole else { return Ok(()) };
        let file = SegmentFile::Temporary { id };
        self.pieces.push(Piece {
            id,
            file,
            file_bytes: HEADER_BYTES,
            bytes: HEADER_BYTES,
            held: None,
        });
        self.steps.push(Step::Rename {
            from: file,
            to: SegmentFile::Log { id },
        });
        self.sync_directory();
        self.reports.push(Report::InterruptedReset { segment: id });
        Ok(())
    }

    fn header_verifies(&self, id: u64) -> Result<bool, StorageError> {
        let file = SegmentFile::Temporary { id };
        let mut source = self.scans.glance(file)?;
        Ok(Header::read(&mut source)
            .map_err(self.scans.reading(id))?
            .is_ok())
    }
}
