//! Identity of a data directory (Felix 11.8).

use crate::format;

/// 16 random bytes that name a data directory.
#[format(reads = 1..=1, file = "storage-id", authoritative)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageId {
    /// `FLID`.
    #[format(magic = b"FLID")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// Not read.
    #[format(reserved)]
    reserved: u16,
    /// The id.
    pub id: [u8; 16],
    /// Over the bytes before it.
    #[format(crc32(..crc))]
    crc: u32,
}
