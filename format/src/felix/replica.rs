//! Accepted generation and commit (Felix 11.3).

use crate::format;

/// The highest generation that a leader was accepted at, and how far the log is known to be committed.
#[format(reads = 1..=1, file = "replica", authoritative)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replica {
    /// `FLRS`.
    #[format(magic = b"FLRS")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// Later builds use bit 0.
    #[format(reserved = keep)]
    pub reserved: u16,
    /// Only rises.
    pub generation: u64,
    /// One past the newest record known committed; a stale one guards too little until the next batch.
    pub commit: u64,
    /// Over the bytes before it.
    #[format(crc32(..crc))]
    crc: u32,
}
