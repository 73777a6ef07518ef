//! The last registration with the control plane (Felix 11.8).

use crate::format;

/// The node incarnation of the last registration.
#[format(reads = 1..=1, file = "registration", authoritative)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// `FLRG`.
    #[format(magic = b"FLRG")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// Not read.
    #[format(reserved)]
    reserved: u16,
    /// Given by the control plane.
    pub incarnation: u64,
    /// Over the bytes before it.
    #[format(crc32(..crc))]
    crc: u32,
}
