/// A record of a segment.
#[format(version_of = SegmentHeader, order(.., offset))]
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    /// Kind and length in one.
    #[format(word)]
    word: u32,
    /// At most one of the three bits is set.
    #[format(bits = 29..=31)]
    pub kind: RecordKind,
    /// The tag is not counted.
    #[format(bits = 0..=28, len(payload), max = MAX_PAYLOAD_BYTES)]
    payload_len: u32,
    /// Base of the segment + index of the record.
    #[format(check = leaves_room_for_a_tail)]
    pub offset: u64,
    /// Publish time in microseconds.
    pub timestamp_micros: u64,
    /// Makes the length usable.
    #[format(crc32(..header_crc))]
    header_crc: u32,
    /// Over all but itself.
    #[format(crc32(..checksum, tag..))]
    checksum: u32,
    /// There when the record opens a batch.
    #[format(when = kind == RecordKind::Opens)]
    pub tag: Option<ProducerTag>,
    /// Opaque.
    pub payload: &'a [u8],
}
