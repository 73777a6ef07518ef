//! The segment header (Felix 3).

use super::feature;
use crate::{Fault, format};

/// Header of a segment: the first 32 bytes of every `*.log`.
///
/// It is synced before any record may follow it, so its damage is never a torn write.
#[format(
    reads = 2..=4, writes = 3, gate(4 = feature::GENERATION_START),
    head_of = "{segment:020}.log", authoritative, arbitrary = settle,
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentHeader {
    /// `FLSG`.
    #[format(magic = b"FLSG")]
    magic: [u8; 4],
    /// 4 from the first generation-start record on.
    #[format(version)]
    version: u16,
    /// Unknown bits may change the layout behind them.
    #[format(must_be = 0)]
    flags: u16,
    /// Offset of the first record, also while there is none.
    #[format(check = base_offset_leaves_room_for_a_tail)]
    pub base_offset: u64,
    /// Wall clock at creation in microseconds, informational.
    pub created_at_micros: u64,
    /// Over the bytes before it.
    #[format(crc32(..header_crc))]
    header_crc: u32,
    /// Outside the checksum.
    #[format(reserved)]
    reserved: u32,
}

fn base_offset_leaves_room_for_a_tail(
    base_offset: u64,
    _: &SegmentHeaderLayout,
) -> Result<(), Fault> {
    match base_offset {
        u64::MAX => Err(Fault::Refused {
            rule: "an offset is at most 2^64 - 2, so that the tail fits",
            found: u64::MAX,
        }),
        _ => Ok(()),
    }
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle(mut header: SegmentHeader) -> SegmentHeader {
    header.base_offset = header.base_offset.min(u64::MAX - 1);
    header
}
