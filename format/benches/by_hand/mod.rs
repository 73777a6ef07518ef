//! The control: the least code over `zerocopy` that makes the checks of Felix 3 and 4.3, and writes Felix 4.1. Whoever
//! wrote a log engine by hand would end here. A failure is only a name; what the numbers were is a second, cold matter.
#![allow(dead_code, reason = "each program that is built with it uses a part")]

pub mod crc;

use zerocopy::byteorder::big_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Why bytes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Short,
    Length,
    Magic,
    Version,
    Flags,
    HeaderChecksum,
    Kind,
    KindInVersion,
    TooLarge,
    GenerationStart,
    Checksum,
    Tag,
    Offset,
}

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub struct SegmentHeader {
    pub magic: [u8; 4],
    pub version: U16,
    pub flags: U16,
    pub base_offset: U64,
    pub created_at_micros: U64,
    pub header_crc: U32,
    pub reserved: U32,
}

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub struct RecordHead {
    pub word: U32,
    pub offset: U64,
    pub timestamp_micros: U64,
    pub header_crc: U32,
    pub checksum: U32,
}

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub struct ProducerTag {
    pub producer_id: U64,
    pub sequence: U64,
    pub len: U32,
}

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub struct IndexEntry {
    pub offset: U64,
    pub position: U64,
}

#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy)]
#[repr(C)]
pub struct IndexHead {
    pub magic: [u8; 4],
    pub version: U16,
    pub flags: U16,
    pub base_offset: U64,
    pub reserved: U64,
}

#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub head: &'a RecordHead,
    pub tag: Option<&'a ProducerTag>,
    pub payload: &'a [u8],
}

const ORDINARY: u32 = 0b000;
const GENERATION_START: u32 = 0b001;
const CONTINUES: u32 = 0b010;
const OPENS: u32 = 0b100;
const MAX_PAYLOAD_BYTES: usize = 64 * 1024 * 1024;

/// The bytes of a head that its own checksum covers.
#[inline(always)]
fn first<const N: usize, const SIZE: usize>(bytes: &[u8; SIZE]) -> &[u8; N] {
    bytes.first_chunk().expect("N is at most SIZE")
}

/// A segment header (Felix 3).
#[inline]
pub fn header(bytes: &[u8]) -> Result<&SegmentHeader, Refused> {
    let Ok(header) = SegmentHeader::ref_from_bytes(bytes) else {
        return Err(Refused::Length);
    };
    if header.magic != *b"FLSG" {
        return Err(Refused::Magic);
    }
    if !(2..=4).contains(&header.version.get()) {
        return Err(Refused::Version);
    }
    if header.flags.get() != 0 {
        return Err(Refused::Flags);
    }
    let covered: &[u8; 32] = zerocopy::transmute_ref!(header);
    if crc::fixed::<24>(0, first(covered)) != header.header_crc.get() {
        return Err(Refused::HeaderChecksum);
    }
    if header.base_offset.get() == u64::MAX {
        return Err(Refused::Offset);
    }
    Ok(header)
}

/// A record at the front of `bytes`, and what lies behind it (Felix 4.3, checks 1 to 10).
#[inline]
pub fn record(bytes: &[u8], version: u32) -> Result<(Record<'_>, &[u8]), Refused> {
    if !(2..=4).contains(&version) {
        return Err(Refused::Version);
    }
    let Ok((head, body)) = RecordHead::ref_from_prefix(bytes) else {
        return Err(Refused::Short);
    };
    let header_crc = head.header_crc.get();
    let bytes_of_head: &[u8; 28] = zerocopy::transmute_ref!(head);
    if crc::fixed::<20>(0, first(bytes_of_head)) != header_crc {
        return Err(Refused::HeaderChecksum);
    }
    let word = head.word.get();
    let (kind, len) = (word >> 29, (word & 0x1fff_ffff) as usize);
    let since = match kind {
        ORDINARY => 2,
        CONTINUES | OPENS => 3,
        GENERATION_START => 4,
        _ => return Err(Refused::Kind),
    };
    if version < since {
        return Err(Refused::KindInVersion);
    }
    if len > MAX_PAYLOAD_BYTES {
        return Err(Refused::TooLarge);
    }
    if kind == GENERATION_START && len != 8 {
        return Err(Refused::GenerationStart);
    }
    let (tag, at) = if kind == OPENS {
        let Ok((tag, _)) = ProducerTag::ref_from_prefix(body) else {
            return Err(Refused::Short);
        };
        (Some(tag), 20)
    } else {
        (None, 0)
    };
    let Some((covered, rest)) = body.split_at_checked(at + len) else {
        return Err(Refused::Short);
    };
    // The head checksum has the first 20 bytes in it; what follows them is the head checksum itself.
    let sum = crc::fixed(header_crc, &header_crc.to_be_bytes());
    if crc::any(sum, covered) != head.checksum.get() {
        return Err(Refused::Checksum);
    }
    let offset = head.offset.get();
    if let Some(tag) = tag {
        let len = tag.len.get();
        if len == 0 || offset.checked_add(len.into()).is_none() {
            return Err(Refused::Tag);
        }
    }
    if offset == u64::MAX {
        return Err(Refused::Offset);
    }
    let record = Record {
        head,
        tag,
        payload: &covered[at..],
    };
    Ok((record, rest))
}

/// An index entry at the front of `bytes`, and what lies behind it (Felix 5).
#[inline]
pub fn index_entry(bytes: &[u8]) -> Result<(&IndexEntry, &[u8]), Refused> {
    IndexEntry::ref_from_prefix(bytes).map_err(|_| Refused::Short)
}

/// The entries of an index file, a torn last one left out (Felix 5).
#[inline]
pub fn index(bytes: &[u8]) -> Result<&[IndexEntry], Refused> {
    let Ok((head, entries)) = IndexHead::ref_from_prefix(bytes) else {
        return Err(Refused::Short);
    };
    if head.magic != *b"FLSI" {
        return Err(Refused::Magic);
    }
    if !(2..=4).contains(&head.version.get()) {
        return Err(Refused::Version);
    }
    if head.flags.get() != 0 {
        return Err(Refused::Flags);
    }
    let whole = entries.len() / size_of::<IndexEntry>();
    <[IndexEntry]>::ref_from_prefix_with_elems(entries, whole)
        .map(|(entries, _torn)| entries)
        .map_err(|_| Refused::Short)
}

/// Appends an ordinary record (Felix 4.1).
#[inline]
pub fn write_ordinary(
    offset: u64,
    timestamp_micros: u64,
    payload: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Refused> {
    let len = match u32::try_from(payload.len()) {
        Ok(len) if payload.len() <= MAX_PAYLOAD_BYTES => len,
        _ => return Err(Refused::TooLarge),
    };
    if offset == u64::MAX {
        return Err(Refused::Offset);
    }
    let mut head = RecordHead {
        word: len.into(),
        offset: offset.into(),
        timestamp_micros: timestamp_micros.into(),
        header_crc: U32::ZERO,
        checksum: U32::ZERO,
    };
    let bytes_of_head: &[u8; 28] = zerocopy::transmute_ref!(&head);
    let header_crc = crc::fixed::<20>(0, first(bytes_of_head));
    let sum = crc::fixed(header_crc, &header_crc.to_be_bytes());
    head.header_crc = header_crc.into();
    head.checksum = crc::any(sum, payload).into();
    out.reserve(size_of::<RecordHead>() + payload.len());
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(payload);
    Ok(())
}
