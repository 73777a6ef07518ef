//! What is in a log, as JSON: segments as they lie there, records, and the indexes that a full scan makes.

use std::io;
use std::ops::ControlFlow;

use ondisk::FeatureLevels;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Index, IndexEntry, RecordKind, RecordView};
use ondisk_engine::felix::opening;
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{PlannedSegment, Scans};
use ondisk_engine::felix::segment::Kinds;
use ondisk_engine::felix::segment::index::Builder;

use super::damage;
use super::hash::{Hash, sha256};
use crate::failure::Failure;
use crate::output::json::{Json, Layout};

/// The list `holds`: every segment before any repair.
pub(crate) fn holds(json: &mut Json<'_>, scans: &Scans<'_>) -> Result<(), Failure> {
    json.list(Layout::Lines)?;
    for hold in opening::holds(scans)? {
        json.object(Layout::Line)?;
        json.field("id", hold.id)?;
        json.field("bytes", hold.bytes)?;
        match &hold.held {
            Err(kind) => json.field("header", kind.name())?,
            Ok(held) => {
                json.field("version", held.header.version)?;
                json.field("base", held.header.base_offset)?;
                if let Some(failure) = held.failure {
                    json.key("failure")?;
                    json.object(Layout::Line)?;
                    json.field("position", failure.position)?;
                    json.field("kind", failure.kind.name())?;
                    json.end()?;
                }
                json.field("intact_records", held.intact_records)?;
            }
        }
        json.end()?;
    }
    Ok(json.end()?)
}

/// Records are listed one by one up to so many.
const MOST_LISTED: u64 = 64;

/// The fields `indexes`, `content`, `kinds` and `digest`, or `read_error` where the log cannot be read whole. The log is
/// read once; what is held back meanwhile does not grow with it.
pub(crate) fn content(
    json: &mut Json<'_>,
    reader: &Reader<'_>,
    spacing: u64,
) -> Result<(), Failure> {
    let mut pass = Pass {
        kinds: Kinds::default(),
        digest: Hash::default(),
        listed: (reader.log().records() <= MOST_LISTED).then(Vec::new),
        indent: json.depth() + 1,
    };
    let mut broken = None;
    json.key("indexes")?;
    json.object(Layout::Lines)?;
    for segment in &reader.log().segments {
        let mut index = Builder::new(spacing);
        let mut each = |_: &PlannedSegment, met: &ondisk_engine::felix::segment::Met<'_>| {
            index.meet(met);
            pass.meet(met.record);
            ControlFlow::Continue(())
        };
        if let Err(corruption) = reader.read_segment(segment, segment.base_offset, &mut each)? {
            broken = Some(corruption);
            break;
        }
        json.key(&SegmentFile::Index { id: segment.id }.to_string())?;
        self::index(json, segment.base_offset, index.finish())?;
    }
    json.end()?;
    if let Some(corruption) = broken {
        json.key("read_error")?;
        damage::site(json, &corruption)?;
        return Ok(());
    }
    if let Some(listed) = &pass.listed {
        json.key("content")?;
        json.list(Layout::Lines)?;
        listed.iter().try_for_each(|record| json.written(record))?;
        json.end()?;
    }
    json.key("kinds")?;
    kinds(json, &pass.kinds)?;
    Ok(json.field("digest", pass.digest.hex())?)
}

struct Pass {
    kinds: Kinds,
    digest: Hash,
    /// Records as they will be written, where there are few.
    listed: Option<Vec<Vec<u8>>>,
    indent: usize,
}

impl Pass {
    fn meet(&mut self, found: RecordView<'_>) {
        self.kinds.count(found.kind());
        self.digest.feed(&found.offset().to_be_bytes());
        self.digest.feed(&found.timestamp_micros().to_be_bytes());
        self.digest.feed(&found.word().to_be_bytes());
        self.digest.feed(found.payload());
        if let Some(listed) = &mut self.listed {
            let mut bytes = Vec::new();
            let mut json = Json::indented(&mut bytes, self.indent);
            // Nothing fails that is written to memory.
            let _ok = json
                .object(Layout::Line)
                .and_then(|()| record(&mut json, found))
                .and_then(|()| json.end());
            listed.push(bytes);
        }
    }
}

/// The fields of a record, its payload as text or as hash.
pub(crate) fn record(json: &mut Json<'_>, record: RecordView<'_>) -> io::Result<()> {
    let payload = record.payload();
    json.field("offset", record.offset())?;
    json.field("timestamp", record.timestamp_micros())?;
    json.field("kind", kind_name(record.kind()))?;
    json.field("len", payload.len())?;
    if let Some(tag) = record.tag() {
        json.field("producer", tag.producer_id())?;
        json.field("sequence", tag.sequence())?;
        json.field("batch_len", tag.len())?;
    }
    if let (RecordKind::GenerationStart, Ok(generation)) = (record.kind(), payload.try_into()) {
        json.field("generation", u64::from_be_bytes(generation))?;
    }
    text_or_hash(json, "text", payload)
}

/// As listings spell it.
pub(crate) const fn kind_name(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Ordinary => "plain",
        RecordKind::Opens => "opens",
        RecordKind::Continues => "continues",
        RecordKind::GenerationStart => "generation_start",
    }
}

/// The longest text that is written out, in characters.
const MOST_TEXT: usize = 200;

/// A short text under `key`, anything else as `sha256`.
pub(super) fn text_or_hash(json: &mut Json<'_>, key: &str, bytes: &[u8]) -> io::Result<()> {
    let short = |text: &str| text.chars().take(MOST_TEXT + 1).count() <= MOST_TEXT;
    match std::str::from_utf8(bytes) {
        Ok(text) if short(text) && !text.chars().any(char::is_control) => json.field(key, text),
        _ => json.field("sha256", sha256(bytes)),
    }
}

fn kinds(json: &mut Json<'_>, kinds: &Kinds) -> io::Result<()> {
    json.object(Layout::Line)?;
    for (kind, number) in [
        (RecordKind::Ordinary, kinds.ordinary),
        (RecordKind::Opens, kinds.opens),
        (RecordKind::Continues, kinds.continues),
        (RecordKind::GenerationStart, kinds.generation_start),
    ] {
        if number > 0 {
            json.field(kind_name(kind), number)?;
        }
    }
    json.end()
}

fn index(json: &mut Json<'_>, base_offset: u64, entries: Vec<IndexEntry>) -> io::Result<()> {
    json.object(Layout::Lines)?;
    json.field("entries", entries.len())?;
    let mut bytes = Vec::new();
    let index = Index {
        base_offset,
        entries,
    };
    let written = index.encode(Index::write_version(&FeatureLevels::NONE), &mut bytes);
    json.field("sha256", written.ok().map(|()| sha256(&bytes)))?;
    json.key("list")?;
    super::files::pairs(
        json,
        index
            .entries
            .iter()
            .map(|entry| (entry.offset, entry.position)),
    )?;
    json.end()
}
