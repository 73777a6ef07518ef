//! The durable mark (Felix 6).

use crate::format;

/// How far a log was flushed: a hint for recovery, without which the strict rules hold.
#[format(reads = 1..=1, file = "durable.mark", derived, trailing = ignore)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurableMark {
    /// `FLSM`.
    #[format(magic = b"FLSM")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// Not read.
    #[format(reserved)]
    reserved: u16,
    /// Id of the segment.
    pub segment: u64,
    /// Flushed length of that segment.
    pub synced_bytes: u64,
    /// Over the bytes before it.
    #[format(crc32(..crc))]
    crc: u32,
    /// Not read.
    #[format(reserved)]
    reserved_end: u32,
}
