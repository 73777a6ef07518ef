//! The sparse index of a segment (Felix 5).

use alloc::vec::Vec;

use crate::{Format, format};

/// Where a record begins: a position from which a validating scan may start.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// Offset of a record; strictly ascending.
    pub offset: u64,
    /// Position of its first byte in the segment.
    pub position: u64,
}

/// Index of a segment: never trusted, rebuilt from the segment whenever it does not fit.
#[format(reads = 2..=4, writes = 3, file = "{segment:020}.index", derived, trailing = ignore)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// `FLSI`.
    #[format(magic = b"FLSI")]
    magic: [u8; 4],
    /// 3 whatever the version of the segment; one layout.
    #[format(version)]
    version: u16,
    /// Unknown bits may change what follows.
    #[format(must_be = 0)]
    flags: u16,
    /// Equal to that of the segment.
    pub base_offset: u64,
    /// Not read.
    #[format(reserved)]
    reserved: u64,
    /// Up to the end of the file; a torn last one is dropped.
    pub entries: Vec<IndexEntry>,
}
