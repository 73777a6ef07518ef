//! The header of a segment (Felix 3).

use std::io;

use ondisk::felix::SegmentHeader;

use super::Source;
use crate::felix::error::CorruptionKind;

/// What the header of a segment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Version of the segment, which its records take.
    pub version: u32,
    /// Offset of the first record, also while there is none.
    pub base_offset: u64,
    /// Wall clock at creation, in microseconds since the epoch; informational.
    pub created_at_micros: u64,
}

impl Header {
    /// Reads the header. The inner error is fatal at position 0: the header is synced before a record may follow it, so
    /// its damage is never an unfinished write.
    ///
    /// # Errors
    /// Those of [`Source::at`].
    pub fn read(source: &mut Source<'_>) -> io::Result<Result<Self, CorruptionKind>> {
        let bytes = source.at(0, SegmentHeader::MIN)?;
        let bytes = bytes.get(..SegmentHeader::MIN).unwrap_or(bytes);
        Ok(match SegmentHeader::view(bytes) {
            Ok(header) => Ok(Self {
                version: header.version().into(),
                base_offset: header.base_offset(),
                created_at_micros: header.created_at_micros(),
            }),
            Err(error) => Err(CorruptionKind::of_segment_header(error)),
        })
    }

    /// Whether the file has no header at all: fewer bytes than one, or zeros in its place. A crash between creating a
    /// segment and writing its header leaves this (Felix 7.5).
    ///
    /// # Errors
    /// Those of [`Source::at`].
    pub fn is_missing(source: &mut Source<'_>) -> io::Result<bool> {
        let bytes = source.at(0, SegmentHeader::MIN)?;
        Ok(bytes
            .get(..SegmentHeader::MIN)
            .is_none_or(|header| header.iter().all(|&byte| byte == 0)))
    }
}
