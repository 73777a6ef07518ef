//! A block: the plan of one shard under one choice of settings, as JSON.

use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{Plan, PlannedSegment};
use ondisk_engine::felix::shard::Moved;

use super::hash::Hash;
use super::{damage, repairs};
use crate::failure::Failure;
use crate::look::{Seen, Verdict, Weight};
use crate::output::json::{Json, Layout, Null};
use crate::output::words;

/// As `--kind` spells it.
pub(crate) const fn kind_name(kind: LogKind) -> &'static str {
    match kind {
        LogKind::Stream => "stream",
        LogKind::Cache => "cache",
        LogKind::Counter => "counter",
    }
}

/// What the fields of a shard begin with: what it is, and the settings that hold for it.
pub(crate) fn head(json: &mut Json<'_>, seen: &Seen<'_>) -> Result<(), Failure> {
    json.field("path", words::json_name(seen.shard.path().as_os_str()))?;
    json.field("kind", kind_name(seen.kind))?;
    json.key("settings")?;
    json.object(Layout::Line)?;
    json.field("index_spacing_bytes", seen.settings.index_spacing_bytes)?;
    json.field("open_at", seen.settings.open_at)?;
    let provable = seen.settings.provable;
    for (name, on) in [
        ("repair_checksum_tail", seen.settings.repair_checksum_tail),
        ("verify_all_on_open", seen.settings.verify_all_on_open),
        ("provable.past_durable_mark", provable.past_durable_mark),
        ("provable.zero_tail", provable.zero_tail),
        ("provable.unfinished_roll", provable.unfinished_roll),
        ("provable.blank_segments", provable.blank_segments),
        ("provable.offloaded_gap", provable.offloaded_gap),
        (
            "provable.zero_tail_without_mark",
            provable.zero_tail_without_mark,
        ),
    ] {
        json.field(name, on)?;
    }
    Ok(json.end()?)
}

/// The fields of a block. `sound` is what the exit code says.
pub(crate) fn block(json: &mut Json<'_>, seen: &Seen<'_>) -> Result<(), Failure> {
    let verdict = Verdict::of(seen);
    let opening = &seen.opening;
    json.field("category", verdict.category().to_string())?;
    json.field("sound", verdict.exit() == crate::exit::Exit::Sound)?;
    json.key("error")?;
    damage::refusal(json, opening.refusal.as_ref())?;
    let log = opening.plan.as_ref().and_then(|plan| plan.log.as_ref());
    json.field("fresh", log.is_some_and(|log| log.is_fresh()))?;
    json.field("base", log.map(|log| log.base))?;
    json.field("tail", log.map(|log| log.tail))?;
    json.field("records", log.map(|log| log.records()))?;
    let of = |weights: &'static [Weight]| {
        verdict
            .reports
            .iter()
            .filter(move |(_, weight)| weights.contains(weight))
    };
    json.key("repairs")?;
    json.list(Layout::Lines)?;
    for (report, _) in of(&[Weight::Damage, Weight::Moving, Weight::MatterOfCourse]) {
        repairs::repair(json, report)?;
    }
    json.end()?;
    foreign(json, seen)?;
    json.key("unreadable")?;
    json.list(Layout::Lines)?;
    for (file, why) in &verdict.unreadable {
        json.object(Layout::Line)?;
        json.field("file", *file)?;
        json.field("why", *why)?;
        json.end()?;
    }
    json.end()?;
    moving(json, &seen.moved)?;
    json.key("unflushed")?;
    json.list(Layout::Lines)?;
    for (report, _) in of(&[Weight::Unflushed]) {
        repairs::repair(json, report)?;
    }
    json.end()?;
    plan(json, opening.plan.as_ref())?;
    json.key("segments")?;
    json.list(Layout::Lines)?;
    if let Some(log) = log {
        let reader = Reader::new(seen.scans, log);
        for segment in &log.segments {
            self::segment(json, &reader, segment)?;
        }
    }
    Ok(json.end()?)
}

fn segment(
    json: &mut Json<'_>,
    reader: &Reader<'_>,
    segment: &PlannedSegment,
) -> Result<(), Failure> {
    let mut hash = Hash::default();
    reader.bytes(segment, &mut |bytes| hash.feed(bytes))?;
    json.object(Layout::Line)?;
    json.field("id", segment.id)?;
    json.field("version", segment.version)?;
    json.field("base", segment.base_offset)?;
    json.field("next_offset", segment.next_offset)?;
    json.field("records", segment.records())?;
    json.field("file_bytes", segment.file_bytes)?;
    json.field("valid_bytes", segment.valid_bytes)?;
    json.field("sha256", hash.hex())?;
    Ok(json.end()?)
}

/// Names that are reported, and those that mean nothing to this build.
fn foreign(json: &mut Json<'_>, seen: &Seen<'_>) -> Result<(), Failure> {
    json.key("foreign")?;
    json.list(Layout::Lines)?;
    for foreign in seen.shard.foreign() {
        json.value(words::json_name(&foreign.name))?;
    }
    json.end()?;
    json.key("unknown")?;
    json.list(Layout::Lines)?;
    for name in seen.shard.unknown() {
        json.value(words::json_name(name))?;
    }
    Ok(json.end()?)
}

fn moving(json: &mut Json<'_>, moved: &[Moved]) -> Result<(), Failure> {
    json.key("moving")?;
    json.list(Layout::Lines)?;
    for moved in moved {
        json.object(Layout::Line)?;
        let (name, how) = match moved {
            Moved::Grew { name, .. } => (name, "grew"),
            Moved::Changed { name } => (name, "changed"),
            Moved::Gone { name } => (name, "gone"),
            Moved::New { name } => (name, "new"),
        };
        json.field("name", name)?;
        json.field("how", how)?;
        if let Moved::Grew { from, to, .. } = moved {
            json.field("from", *from)?;
            json.field("to", *to)?;
        }
        json.end()?;
    }
    Ok(json.end()?)
}

/// What names the plan, and what it would do.
fn plan(json: &mut Json<'_>, plan: Option<&Plan>) -> Result<(), Failure> {
    json.key("plan")?;
    let Some(plan) = plan else {
        return Ok(json.value(Null)?);
    };
    json.object(Layout::Lines)?;
    json.field("id", plan.id().to_string())?;
    json.key("mark")?;
    match plan.mark.0 {
        Some(mark) => {
            json.object(Layout::Line)?;
            json.field("segment", mark.segment)?;
            json.field("synced_bytes", mark.synced_bytes)?;
            json.end()?;
        }
        None => json.value(Null)?,
    }
    json.key("steps")?;
    json.list(Layout::Lines)?;
    for step in &plan.steps {
        json.value(step.to_string())?;
    }
    json.end()?;
    Ok(json.end()?)
}
