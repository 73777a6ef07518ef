//! A finding of a plan as JSON.

use std::io;

use ondisk_engine::felix::error::CorruptionKind;
use ondisk_engine::felix::recovery::{Cut, Removed, Report, UnfinishedRoll};

use super::damage;
use crate::output::json::{Json, Layout};

/// One entry of `repairs`.
pub(super) fn repair(json: &mut Json<'_>, report: &Report) -> io::Result<()> {
    json.object(Layout::Line)?;
    json.field("name", report.name())?;
    json.field("segment", report.segment())?;
    match report {
        Report::Cut(Cut {
            position,
            bytes,
            cause: kind,
            below_durable_mark,
            ..
        }) => {
            json.field("position", *position)?;
            json.field("bytes", *bytes)?;
            json.field("below_durable_mark", *below_durable_mark)?;
            cause(json, kind)?;
        }
        Report::Removed(Removed { bytes, .. }) => json.field("bytes", *bytes)?,
        Report::UnfinishedRoll(UnfinishedRoll {
            position,
            bytes,
            cause: kind,
            below_durable_mark,
            deleted,
            ..
        }) => {
            json.field("position", *position)?;
            json.field("bytes", *bytes)?;
            json.field("below_durable_mark", *below_durable_mark)?;
            json.key("deleted")?;
            json.list(Layout::Line)?;
            deleted.iter().try_for_each(|&id| json.value(id))?;
            json.end()?;
            if let Some(kind) = kind {
                cause(json, kind)?;
            }
        }
        Report::IndexRebuilt { reason, .. } => json.field("reason", reason.name())?,
        Report::ShortOfMark {
            position, bytes, ..
        } => {
            json.field("position", *position)?;
            json.field("bytes", *bytes)?;
        }
        _ => {}
    }
    let saved = report.saved();
    if !saved.is_empty() {
        json.key("saved")?;
        json.list(Layout::Line)?;
        saved
            .iter()
            .try_for_each(|file| json.value(file.to_string()))?;
        json.end()?;
    }
    json.end()
}

fn cause(json: &mut Json<'_>, kind: &CorruptionKind) -> io::Result<()> {
    json.key("cause")?;
    json.object(Layout::Line)?;
    damage::corruption(json, kind)?;
    json.end()
}
