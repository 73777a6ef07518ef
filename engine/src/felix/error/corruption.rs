//! Damage in segments, indexes and the records of caches and counters (Felix 16.1, 16.2).

use std::fmt;

use ondisk::felix::CacheRecord;
use ondisk::{Error, Fault};

use super::narrow;

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

    /// What an error of the segment header means (Felix 3).
    pub(crate) fn of_segment_header(error: Error) -> Self {
        match (error.row(), error.fault()) {
            (_, Fault::Short { needed, available }) => Self::Truncated { needed, available },
            ("magic", Fault::Magic { found, .. }) => Self::SegmentMagic {
                found: found.be_u32(),
            },
            ("version", Fault::Version { found, .. }) => Self::SegmentVersion {
                found: narrow(found.into(), u16::MAX),
            },
            ("flags", Fault::MustBe { found, .. }) => Self::SegmentFlags {
                found: narrow(found, u16::MAX),
            },
            ("header_crc", Fault::Checksum { expected, found }) => Self::SegmentHeaderChecksum {
                expected: narrow(expected, u32::MAX),
                found: narrow(found, u32::MAX),
            },
            ("base_offset", Fault::Refused { found, .. }) => Self::OffsetOverflow { offset: found },
            _ => Self::Undescribed { error },
        }
    }

    /// What an error of a record means (Felix 4.3); `word` is the record's first word.
    pub(crate) fn of_record(error: Error, word: u32) -> Self {
        match (error.row(), error.fault()) {
            (_, Fault::Short { needed, available }) => Self::Truncated { needed, available },
            ("header_crc", Fault::Checksum { expected, found }) => Self::RecordHeaderChecksum {
                expected: narrow(expected, u32::MAX),
                found: narrow(found, u32::MAX),
            },
            ("kind", Fault::Unknown { .. }) => Self::RecordFlags { found: word },
            ("kind", Fault::NotInVersion { version, since, .. }) => Self::RecordVersion {
                found: word,
                version: narrow(version.into(), u16::MAX),
                needs: narrow(since.into(), u16::MAX),
            },
            ("payload_len", Fault::TooLarge { found, limit }) => Self::RecordTooLarge {
                payload_len: narrow(found, u32::MAX),
                limit: narrow(limit, u32::MAX),
            },
            ("payload_len", Fault::Refused { found, .. }) => Self::GenerationStartLength {
                payload_len: narrow(found, u32::MAX),
            },
            ("checksum", Fault::Checksum { expected, found }) => Self::RecordChecksum {
                expected: narrow(expected, u32::MAX),
                found: narrow(found, u32::MAX),
            },
            ("tag", Fault::Refused { found, .. }) => Self::RecordTag {
                len: narrow(found, u32::MAX),
            },
            ("offset", Fault::Refused { found, .. }) => Self::OffsetOverflow { offset: found },
            _ => Self::Undescribed { error },
        }
    }

    /// What an error of a cache record means (Felix 13.1). The definition counts from the start of the payload; the names
    /// here count the head and the key apart.
    pub(crate) fn of_cache_record(error: Error) -> Self {
        let at = error.at() as u64;
        match (error.row(), error.fault()) {
            ("key", Fault::Short { needed, available }) => Self::CacheRecordKeyLength {
                key_len: narrow(needed.saturating_sub(at), u32::MAX),
                available: available.saturating_sub(at),
            },
            ("entry_version", Fault::Short { available, .. }) => {
                let row = CacheRecord::KIND.row(error.row());
                let needed = at + row.and_then(|(_, row)| row.ty.size()).unwrap_or(0) as u64;
                Self::CacheRecordTooShort { needed, available }
            }
            (_, Fault::Short { needed, available }) => {
                Self::CacheRecordTooShort { needed, available }
            }
            ("version", Fault::Version { found, .. }) => Self::CacheRecordVersion {
                found: narrow(found.into(), u8::MAX),
            },
            ("key", Fault::Utf8 { .. }) => Self::CacheRecordKeyNotUtf8,
            (
                "op",
                Fault::Unknown { found }
                | Fault::NotInVersion { found, .. }
                | Fault::Refused { found, .. },
            ) => Self::CacheRecordOp {
                found: narrow(found, u8::MAX),
            },
            _ => Self::Undescribed { error },
        }
    }

    /// Puts it at its place.
    pub(crate) fn at(self, segment: u64, position: u64) -> Corruption {
        Corruption {
            kind: self,
            site: CorruptionSite {
                shard: None,
                segment: Some(segment),
                position: Some(position),
            },
        }
    }
}

/// Where something is wrong. Each layer fills in what it knows, and the first to set a field wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorruptionSite {
    /// Label of the shard, or the path of its directory where no key is known.
    pub shard: Option<String>,
    /// Id of the segment.
    pub segment: Option<u64>,
    /// First byte of the failing record or header in the segment.
    pub position: Option<u64>,
}

impl fmt::Display for CorruptionSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(shard) = &self.shard {
            write!(f, "shard {shard}")?;
            separator = ", ";
        }
        if let Some(segment) = self.segment {
            write!(f, "{separator}segment {segment}")?;
            separator = ", ";
        }
        if let Some(position) = self.position {
            write!(f, "{separator}byte {position}")?;
        }
        Ok(())
    }
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} ({site})")]
pub struct Corruption {
    /// What is wrong.
    pub kind: CorruptionKind,
    /// Where.
    pub site: CorruptionSite,
}

impl Corruption {
    /// Says which shard it is in, unless that is known already.
    #[must_use]
    pub fn in_shard(mut self, shard: &str) -> Self {
        self.site.shard.get_or_insert_with(|| shard.to_owned());
        self
    }
}
