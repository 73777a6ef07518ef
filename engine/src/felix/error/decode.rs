//! What an error of a definition means, one match on row and fault each.

use ondisk::felix::CacheRecord;
use ondisk::{Error, Fault};

use super::{CorruptionKind, narrow};

impl CorruptionKind {
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
}
