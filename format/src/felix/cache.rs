//! The payload of a cache record (Felix 13.1).

use crate::{Format, format};

/// What a cache record does.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
#[format(u8)]
pub enum CacheOp {
    /// Defines a key.
    Put = 0,
    /// Removes a key.
    #[format(until = 1)]
    Delete = 1,
}

/// A change of a cache: the payload of an ordinary record.
#[format(le, whole, reads = 1..=2, writes = 1, gate(2 = COMPACTION), order(.., op))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRecord<'a> {
    /// 2 carries the version of the entry; only the copies of a compaction do.
    #[format(version)]
    version: u8,
    /// Put or delete; a record of version 2 is a put.
    pub op: CacheOp,
    /// Absolute, 0 for none, 0 on a delete.
    pub expires_at_millis: u64,
    /// Bytes of the key.
    #[format(len(key))]
    key_len: u32,
    /// The version that clients saw; the record's offset where none is carried.
    #[format(since = 2)]
    pub entry_version: Option<u64>,
    /// The key.
    pub key: &'a str,
    /// All that is left; nothing is written on a delete.
    pub value: &'a [u8],
}

/// Records that carry a version are written by compaction alone, which every build since then reads.
const COMPACTION: crate::Feature = crate::Feature::new("cache_compaction", 0);
