//! What a decode error is, in words.

use ondisk_engine::felix::error::CorruptionKind;

/// Name and numbers, short enough to stand in a sentence.
pub(crate) fn short(kind: &CorruptionKind) -> String {
    let name = kind.name();
    match *kind {
        CorruptionKind::SegmentHeaderChecksum { expected, found }
        | CorruptionKind::RecordHeaderChecksum { expected, found }
        | CorruptionKind::RecordChecksum { expected, found } => {
            format!("{name} (stored {expected:08x}, computed {found:08x})")
        }
        CorruptionKind::Truncated { needed, available } => {
            format!("{name} (needs {needed} bytes, {available} are there)")
        }
        CorruptionKind::OffsetOutOfOrder { expected, found } => {
            format!("{name} (offset {expected} comes next, {found} stands there)")
        }
        CorruptionKind::RecordTooLarge { payload_len, limit } => {
            format!("{name} (a payload of {payload_len} bytes, {limit} at most)")
        }
        CorruptionKind::SegmentMagic { found } => {
            format!("{name} (found {found:08x}, not \"FLSG\")")
        }
        CorruptionKind::RecordFlags { found } => format!("{name} (first word {found:08x})"),
        other => format!("{name} ({other})"),
    }
}

/// What the error says of how the bytes came to be.
pub(crate) fn meaning(kind: &CorruptionKind) -> &'static str {
    match kind {
        CorruptionKind::SegmentMagic { .. }
        | CorruptionKind::SegmentFlags { .. }
        | CorruptionKind::SegmentHeaderChecksum { .. } => {
            "A segment's header is synced before any record may follow it, so a damaged one is never an unfinished write."
        }
        CorruptionKind::SegmentVersion { .. } => {
            "The segment was written by a build of another version; this one reads versions 2 to 4 and guesses at no other."
        }
        CorruptionKind::Truncated { .. } => {
            "The file ends before what begins there is whole: a write that was never finished, or a file that lost its end."
        }
        CorruptionKind::RecordHeaderChecksum { .. } => {
            "A record header that does not verify gives no length to trust. An unfinished write and rot look alike here, and \
             nothing picks one of them."
        }
        CorruptionKind::RecordChecksum { .. } => {
            "The header verifies and the record is complete, and its bytes are not those that were written: it is rotten."
        }
        CorruptionKind::RecordTooLarge { .. } => {
            "The header verifies and no writer makes such a length: it is rotten, or from a later build."
        }
        CorruptionKind::OffsetOutOfOrder { .. } => {
            "Offsets leave no gap; what stands there belongs elsewhere, or what should stand before it is gone."
        }
        CorruptionKind::RecordFlags { .. }
        | CorruptionKind::RecordVersion { .. }
        | CorruptionKind::GenerationStartLength { .. }
        | CorruptionKind::RecordTag { .. }
        | CorruptionKind::OffsetOverflow { .. } => {
            "The header verifies, so this was written; no build that this one knows writes it."
        }
        CorruptionKind::CacheRecordTooShort { .. }
        | CorruptionKind::CacheRecordVersion { .. }
        | CorruptionKind::CacheRecordOp { .. }
        | CorruptionKind::CacheRecordKeyLength { .. }
        | CorruptionKind::CacheRecordKeyNotUtf8 => {
            "The record is intact, its payload is no cache record: --kind stream looks at the log without reading payloads."
        }
        CorruptionKind::CounterRecord => {
            "The record is intact, its payload is no counter record: --kind stream looks at the log without reading payloads."
        }
        _ => "Bytes that change while they are read look like this too.",
    }
}

/// Whether it is complete and wrong; if not, it may be no more than unfinished.
pub(crate) fn is_rotten(kind: &CorruptionKind) -> bool {
    !matches!(
        kind,
        CorruptionKind::Truncated { .. } | CorruptionKind::RecordHeaderChecksum { .. }
    )
}
