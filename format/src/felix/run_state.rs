//! Whether the last run stopped cleanly (Felix 11.8).

use crate::{Format, format};

/// Flags of a run: only bit 0 is known.
const MAX_FLAGS: u8 = 1;

/// Where a run is.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
#[format(u8)]
pub enum RunPhase {
    /// It began, and did not say that it stopped.
    Running = 1,
    /// It stopped cleanly.
    Stopped = 2,
}

/// Whether the last run stopped cleanly, and whether it acknowledged before it synced.
#[format(reads = 1..=1, file = "run-state", authoritative)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    /// `FLRN`.
    #[format(magic = b"FLRN")]
    magic: [u8; 4],
    /// 1.
    #[format(version)]
    version: u16,
    /// 1 running, 2 stopped cleanly.
    pub state: RunPhase,
    /// Bit 0: acknowledges before syncing.
    #[format(max = MAX_FLAGS)]
    pub flags: u8,
    /// The storage id that the run began with.
    pub id: [u8; 16],
    /// Over the bytes before it.
    #[format(crc32(..crc))]
    crc: u32,
}
