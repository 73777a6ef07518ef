//! A segment as JSON.

use ondisk_engine::felix::error::CorruptionKind;
use ondisk_engine::felix::segment::{Header, Source};

use super::records::pass;
use crate::args::Inspect;
use crate::document;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::json::{Json, Layout, Null};
use crate::output::words;
use crate::place::FoundFile;

/// The header, and the records as they are met.
pub(super) fn document(
    found: &FoundFile,
    source: &mut Source<'_>,
    header: Result<Header, CorruptionKind>,
    args: &Inspect,
    json: &mut Json<'_>,
) -> Result<Exit, Failure> {
    json.object(Layout::Lines)?;
    json.field("path", words::json_name(found.path.as_os_str()))?;
    json.field("kind", "Segment")?;
    json.field("class", "authoritative")?;
    json.field("bytes", found.len)?;
    let header = match header {
        Ok(header) => header,
        Err(kind) => {
            json.field("state", "damaged")?;
            json.key("error")?;
            document::failure(json, 0, &kind)?;
            json.end()?;
            json.finish()?;
            return Ok(Exit::Damaged);
        }
    };
    json.key("header")?;
    json.object(Layout::Line)?;
    json.field("version", header.version)?;
    json.field("base_offset", header.base_offset)?;
    json.field("created_at_micros", header.created_at_micros)?;
    json.end()?;
    json.key("records")?;
    json.list(Layout::Lines)?;
    let scan = pass(found, source, args, &mut |met| {
        json.object(Layout::Line)?;
        json.field("position", met.position)?;
        json.field("bytes", met.bytes)?;
        document::record(json, met.record)?;
        Ok(json.end()?)
    })?;
    json.end()?;
    json.field("intact_records", scan.kinds.total())?;
    json.field("next_offset", scan.next_offset)?;
    json.field("valid_bytes", scan.valid_bytes)?;
    json.field(
        "state",
        if scan.failure.is_some() {
            "damaged"
        } else {
            "sound"
        },
    )?;
    json.key("error")?;
    match &scan.failure {
        Some(broken) => document::failure(json, broken.position, &broken.kind)?,
        None => json.value(Null)?,
    }
    json.end()?;
    json.finish()?;
    Ok(if scan.failure.is_some() {
        Exit::Damaged
    } else {
        Exit::Sound
    })
}
