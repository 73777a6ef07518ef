//! The leader behind the accepted generation (Felix 11.4).

use alloc::string::String;

use crate::format;

/// The longest node id of a leader, in bytes.
const MAX_LEADER_BYTES: u16 = 1024;

/// Whom the accepted generation was accepted from. An empty leader gave the generation up.
#[format(reads = 1..=1, file = "ballot", authoritative)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// `FLBL`.
    #[format(magic = b"FLBL")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// 0: the generation was given up.
    #[format(len(leader), max = MAX_LEADER_BYTES)]
    leader_len: u16,
    /// The generation.
    pub generation: u64,
    /// Node id.
    pub leader: String,
    /// Over the bytes before it.
    #[format(crc32(..crc))]
    crc: u32,
}
