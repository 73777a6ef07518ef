/// Header of a segment.
#[format(
    reads = 2..=4, writes = 3, gate(4 = feature::GENERATION_START), head_of = "{segment:020}.log", authoritative,
)]
#[derive(Clone, Debug, PartialEq)]
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
    #[format(check = leaves_room_for_a_tail)]
    pub base_offset: u64,
    /// Wall clock, informational.
    pub created_at_micros: u64,
    /// Over the bytes before it.
    #[format(crc32(..header_crc))]
    header_crc: u32,
    /// Outside the checksum.
    #[format(reserved)]
    reserved: u32,
}
