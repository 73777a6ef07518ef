//! The key index of a cache (Felix 11.7).

use alloc::string::String;
use alloc::vec::Vec;

use crate::format;

/// The record that defines a key.
#[format()]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// Bytes of the composite key.
    #[format(len(kind..=key))]
    key_len: u32,
    /// A cache value; 1 to 3 are reserved for hashes, sets and lists.
    #[format(must_be = 0)]
    kind: u8,
    /// Bytes of the key itself; exactly what the composite key leaves.
    #[format(len(key))]
    inner_len: u32,
    /// The key.
    pub key: String,
    /// Offset of the record that defines it.
    pub offset: u64,
    /// What a conditional write compares.
    pub version: u64,
    /// Absolute, 0 for none.
    pub expires_at_millis: u64,
    /// Payload length of the record.
    pub bytes: u32,
}

/// Which record defines each key, so that an open replays only what follows.
#[format(
    reads = 1..=1, file = "keys.idx", derived, order(magic, version, entry_count, store, .., crc),
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyIndex {
    /// `FXIX`.
    #[format(magic = b"FXIX")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// A cache; 1 is reserved for collections.
    #[format(must_be = 0)]
    store: u8,
    /// Every record below is reflected, none at or above.
    pub covered_through: u64,
    /// Number of entries.
    #[format(count(entries))]
    entry_count: u64,
    /// Sum of the payload lengths below `covered_through`, dead records included.
    pub log_bytes: u64,
    /// Checksum of the last covered record; 0 if none is covered.
    pub last_checksum: u32,
    /// Sorted by the bytes of the key.
    pub entries: Vec<KeyEntry>,
    /// CRC-32C over everything before it.
    #[format(crc32c(..crc))]
    crc: u32,
}
