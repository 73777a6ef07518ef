//! What a record says, in a few words.

use ondisk::felix::{CacheOp, CacheRecord, CounterOp, CounterRecord, RecordKind, RecordView};
use ondisk_engine::felix::opening::LogKind;

use crate::output::words;

/// What a record is for.
pub(super) fn kind(record: RecordView<'_>) -> String {
    match (record.kind(), record.tag()) {
        (RecordKind::Ordinary, _) => "plain".to_owned(),
        (RecordKind::Opens, Some(tag)) => {
            format!(
                "opens {} of producer {}, sequence {}",
                tag.len(),
                tag.producer_id(),
                tag.sequence()
            )
        }
        (RecordKind::Opens, None) => "opens".to_owned(),
        (RecordKind::Continues, _) => "continues".to_owned(),
        (RecordKind::GenerationStart, _) => "generation".to_owned(),
    }
}

/// What a payload holds.
pub(super) fn payload(record: RecordView<'_>, log: LogKind) -> String {
    let payload = record.payload();
    if let (RecordKind::GenerationStart, Ok(generation)) = (record.kind(), payload.try_into()) {
        return u64::from_be_bytes(generation).to_string();
    }
    match log {
        LogKind::Stream => words::glimpse(payload),
        LogKind::Cache => match CacheRecord::view(payload) {
            Ok(change) => cache(change),
            Err(error) => format!("{} (no cache record: {error})", words::glimpse(payload)),
        },
        LogKind::Counter => match CounterRecord::view(payload) {
            Ok(change) => {
                let key = words::glimpse(change.key().as_bytes());
                match change.op() {
                    CounterOp::Delta => format!("{key} {:+}", change.value()),
                    CounterOp::Checkpoint => format!("{key} = {}", change.value()),
                }
            }
            Err(error) => format!("{} (no counter record: {error})", words::glimpse(payload)),
        },
    }
}

fn cache(change: ondisk::felix::CacheRecordView<'_>) -> String {
    let key = words::glimpse(change.key().as_bytes());
    if change.op() == CacheOp::Delete {
        return format!("delete {key}");
    }
    let mut shown = format!("put {key} = {}", words::glimpse(change.value()));
    if let Some(version) = change.entry_version() {
        shown.push_str(&format!(", version {version}"));
    }
    if change.expires_at_millis() != 0 {
        let micros = change.expires_at_millis().saturating_mul(1000);
        shown.push_str(&format!(
            ", expires {}",
            crate::output::time::instant(micros)
        ));
    }
    shown
}
