//! The record (Felix 4).

use super::segment::SegmentHeader;
use crate::{Fault, Format, format};

/// The longest payload of a record, 64 MiB, inclusive (Felix 1.4).
pub const MAX_PAYLOAD_BYTES: u32 = 64 * 1024 * 1024;

/// What a record is for (Felix 4.2). More than one bit is refused.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
#[format(bits = 3)]
pub enum RecordKind {
    /// Belongs to no batch.
    Ordinary = 0b000,
    /// What a leader appends first at a new generation; its payload is the generation.
    #[format(since = 4)]
    GenerationStart = 0b001,
    /// Continues the batch of the record before.
    #[format(since = 3)]
    Continues = 0b010,
    /// Opens a producer batch, and has a tag.
    #[format(since = 3)]
    Opens = 0b100,
}

/// Whose batch it is that a record opens.
#[derive(Format, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerTag {
    /// The producer.
    pub producer_id: u64,
    /// Sequence number of the batch.
    pub sequence: u64,
    /// Records in the batch, this one included.
    pub len: u32,
}

/// A record of a segment.
#[format(version_of = SegmentHeader, order(.., offset), arbitrary = settle)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Kind and length in one: the next record begins where this one's length says, found from the header alone.
    #[format(word)]
    word: u32,
    /// At most one of the three bits is set.
    #[format(bits = 29..=31)]
    pub kind: RecordKind,
    /// The tag is not counted.
    #[format(bits = 0..=28, len(payload), max = MAX_PAYLOAD_BYTES, check = generation_start_is_8_bytes)]
    payload_len: u32,
    /// Base of the segment + index of the record, without gaps.
    #[format(check = offset_leaves_room_for_a_tail)]
    pub offset: u64,
    /// Publish time in microseconds; need not ascend.
    pub timestamp_micros: u64,
    /// Makes the length usable: a file that ends early behind a verified header was not finished.
    #[format(crc32(..header_crc))]
    header_crc: u32,
    /// Over all but itself.
    #[format(crc32(..checksum, tag..))]
    checksum: u32,
    /// There when the record opens a batch.
    #[format(when = kind == RecordKind::Opens, check = batch_fits_the_log)]
    pub tag: Option<ProducerTag>,
    /// Opaque.
    pub payload: &'a [u8],
}

fn generation_start_is_8_bytes(payload_len: u32, head: &RecordLayout) -> Result<(), Fault> {
    if head.word.get() >> 29 == 0b001 && payload_len != 8 {
        let rule = "a generation start holds the generation, 8 bytes";
        return Err(Fault::Refused {
            rule,
            found: payload_len.into(),
        });
    }
    Ok(())
}

fn batch_fits_the_log(tag: Option<ProducerTagView<'_>>, head: &RecordLayout) -> Result<(), Fault> {
    match tag.map(|tag| tag.len()) {
        Some(len) if len == 0 || head.offset.get().checked_add(len.into()).is_none() => {
            Err(Fault::Refused {
                rule: "a batch has at least one record and ends below 2^64",
                found: len.into(),
            })
        }
        _ => Ok(()),
    }
}

fn offset_leaves_room_for_a_tail(offset: u64, _: &RecordLayout) -> Result<(), Fault> {
    match offset {
        u64::MAX => Err(Fault::Refused {
            rule: "an offset is at most 2^64 - 2, so that the tail fits",
            found: u64::MAX,
        }),
        _ => Ok(()),
    }
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle(mut record: Record<'_>) -> Record<'_> {
    record.offset = record.offset.min(u64::MAX / 2);
    if let Some(tag) = &mut record.tag {
        tag.len = tag.len.max(1);
    }
    if record.kind == RecordKind::GenerationStart {
        record.payload = &[0, 0, 0, 0, 0, 0, 0, 9];
    }
    record
}
