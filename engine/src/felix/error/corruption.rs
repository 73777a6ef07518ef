//! Kinds of damage in segments, indexes and the records of caches and counters (Felix 16.1).

use ondisk::Error;

/// What is wrong with a segment, an index or a record. `expected` is what the file or the reader claims, `found` what
/// was computed or met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CorruptionKind {
    /// The file is no segment.
    #[error("segment magic must be 464c5347 \"FLSG\", found {found:08x}")]
    SegmentMagic {
        /// The magic met.
        found: u32,
    },
    /// The segment is of a version that this build does not read.
    #[error("segment version {found} is not readable, 2 to 4 are")]
    SegmentVersion {
        /// The version met.
        found: u16,
    },
    /// The segment has flags that nobody knows, and which may change the layout behind them.
    #[error("segment flags must be 0, found {found:#06x}")]
    SegmentFlags {
        /// The flags met.
        found: u16,
    },
    /// The segment header does not match its checksum.
    #[error("segment header checksum is {expected:08x}, the bytes give {found:08x}")]
    SegmentHeaderChecksum {
        /// As stored.
        expected: u32,
        /// As computed.
        found: u32,
    },
    /// The file is no index. In reports only: an index is rebuilt.
    #[error("index magic must be 464c5349 \"FLSI\", found {found:08x}")]
    IndexMagic {
        /// The magic met.
        found: u32,
    },
    /// The index is of a version that this build does not read. In reports only: an index is rebuilt.
    #[error("index version {found} is not readable, 2 to 4 are")]
    IndexVersion {
        /// The version met.
        found: u16,
    },
    /// The file ends before what it begins is whole.
    #[error("needs {needed} bytes, {available} are there")]
    Truncated {
        /// Bytes that what begins here needs.
        needed: u64,
        /// Bytes up to the end.
        available: u64,
    },
    /// A record header does not match its checksum, so its length cannot be trusted.
    #[error("record header checksum is {expected:08x}, the bytes give {found:08x}")]
    RecordHeaderChecksum {
        /// As stored.
        expected: u32,
        /// As computed.
        found: u32,
    },
    /// A record does not match its checksum.
    #[error("record checksum is {expected:08x}, the bytes give {found:08x}")]
    RecordChecksum {
        /// As stored.
        expected: u32,
        /// As computed.
        found: u32,
    },
    /// A record's header, which verifies, gives a length over the limit.
    #[error("record payload of {payload_len} bytes exceeds the limit of {limit}")]
    RecordTooLarge {
        /// The length met.
        payload_len: u32,
        /// The greatest length.
        limit: u32,
    },
    /// A record or a segment does not continue where the one before it ended.
    #[error("offset must be {expected}, found {found}")]
    OffsetOutOfOrder {
        /// The offset wanted here.
        expected: u64,
        /// The offset met.
        found: u64,
    },
    /// A record has more than one kind bit.
    #[error("record word {found:08x} has more than one of the kind bits 29, 30 and 31")]
    RecordFlags {
        /// The whole first word.
        found: u32,
    },
    /// A record's kind is newer than its segment.
    #[error(
        "record word {found:08x} is of a kind that needs segment version {needs}, the segment is of {version}"
    )]
    RecordVersion {
        /// The whole first word.
        found: u32,
        /// Version of the segment.
        version: u16,
        /// Lowest version that has the kind.
        needs: u16,
    },
    /// The payload of a generation start is not 8 bytes long.
    #[error("payload of a generation start must be 8 bytes long, is {payload_len}")]
    GenerationStartLength {
        /// The length met.
        payload_len: u32,
    },
    /// A producer batch of no record, or one that runs past the highest offset.
    #[error("producer batch of {len} records is empty or runs past the highest offset")]
    RecordTag {
        /// The number of records met.
        len: u32,
    },
    /// An offset so high that nothing could follow it.
    #[error("offset {offset} leaves no room for a tail")]
    OffsetOverflow {
        /// The offset met.
        offset: u64,
    },
    /// The payload of a cache record is too short for its head.
    #[error("cache record needs {needed} bytes, {available} are there")]
    CacheRecordTooShort {
        /// Bytes of the head.
        needed: u64,
        /// Bytes of the payload.
        available: u64,
    },
    /// A cache record is of an unknown version.
    #[error("cache record version {found} is not readable, 1 and 2 are")]
    CacheRecordVersion {
        /// The version met.
        found: u8,
    },
    /// A cache record has an unknown operation, or one that its version cannot have.
    #[error("cache record operation {found} is unknown, or not one of its version")]
    CacheRecordOp {
        /// The operation met.
        found: u8,
    },
    /// The key of a cache record is longer than what is left of the payload.
    #[error("cache record key of {key_len} bytes does not fit into the {available} that are left")]
    CacheRecordKeyLength {
        /// Length of the key.
        key_len: u32,
        /// Bytes behind the head.
        available: u64,
    },
    /// The key of a cache record is not UTF-8.
    #[error("cache record key is not UTF-8")]
    CacheRecordKeyNotUtf8,
    /// The payload is no counter record.
    #[error("payload is no counter record")]
    CounterRecord,
    /// A check of the definition that has no name of its own in Felix 16.1; never repaired. Bytes that change while they
    /// are read show up like this.
    #[error("{error}")]
    Undescribed {
        /// As the definition says it.
        error: Error,
    },
}

impl CorruptionKind {
    /// The variant's name, as reports spell it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SegmentMagic { .. } => "SegmentMagic",
            Self::SegmentVersion { .. } => "SegmentVersion",
            Self::SegmentFlags { .. } => "SegmentFlags",
            Self::SegmentHeaderChecksum { .. } => "SegmentHeaderChecksum",
            Self::IndexMagic { .. } => "IndexMagic",
            Self::IndexVersion { .. } => "IndexVersion",
            Self::Truncated { .. } => "Truncated",
            Self::RecordHeaderChecksum { .. } => "RecordHeaderChecksum",
            Self::RecordChecksum { .. } => "RecordChecksum",
            Self::RecordTooLarge { .. } => "RecordTooLarge",
            Self::OffsetOutOfOrder { .. } => "OffsetOutOfOrder",
            Self::RecordFlags { .. } => "RecordFlags",
            Self::RecordVersion { .. } => "RecordVersion",
            Self::GenerationStartLength { .. } => "GenerationStartLength",
            Self::RecordTag { .. } => "RecordTag",
            Self::OffsetOverflow { .. } => "OffsetOverflow",
            Self::CacheRecordTooShort { .. } => "CacheRecordTooShort",
            Self::CacheRecordVersion { .. } => "CacheRecordVersion",
            Self::CacheRecordOp { .. } => "CacheRecordOp",
            Self::CacheRecordKeyLength { .. } => "CacheRecordKeyLength",
            Self::CacheRecordKeyNotUtf8 => "CacheRecordKeyNotUtf8",
            Self::CounterRecord => "CounterRecord",
            Self::Undescribed { .. } => "Undescribed",
        }
    }

    /// The variant's fields by name, in order; an operator's tool prints them.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, u64)> {
        match *self {
            Self::SegmentMagic { found }
            | Self::IndexMagic { found }
            | Self::RecordFlags { found } => {
                vec![("found", found.into())]
            }
            Self::SegmentVersion { found }
            | Self::SegmentFlags { found }
            | Self::IndexVersion { found } => {
                vec![("found", found.into())]
            }
            Self::CacheRecordVersion { found } | Self::CacheRecordOp { found } => {
                vec![("found", found.into())]
            }
            Self::SegmentHeaderChecksum { expected, found }
            | Self::RecordHeaderChecksum { expected, found }
            | Self::RecordChecksum { expected, found } => {
                vec![("expected", expected.into()), ("found", found.into())]
            }
            Self::OffsetOutOfOrder { expected, found } => {
                vec![("expected", expected), ("found", found)]
            }
            Self::Truncated { needed, available }
            | Self::CacheRecordTooShort { needed, available } => {
                vec![("needed", needed), ("available", available)]
            }
            Self::RecordTooLarge { payload_len, limit } => {
                vec![("payload_len", payload_len.into()), ("limit", limit.into())]
            }
            Self::RecordVersion {
                found,
                version,
                needs,
            } => {
                vec![
                    ("found", found.into()),
                    ("version", version.into()),
                    ("needs", needs.into()),
                ]
            }
            Self::GenerationStartLength { payload_len } => {
                vec![("payload_len", payload_len.into())]
            }
            Self::RecordTag { len } => vec![("len", len.into())],
            Self::OffsetOverflow { offset } => vec![("offset", offset)],
            Self::CacheRecordKeyLength { key_len, available } => {
                vec![("key_len", key_len.into()), ("available", available)]
            }
            Self::CacheRecordKeyNotUtf8 | Self::CounterRecord | Self::Undescribed { .. } => {
                Vec::new()
            }
        }
    }
}
