//! What a repair took out of a segment.

use std::io::Write;

use ondisk::dump::Dump;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{MAX_PAYLOAD_BYTES, Record, SegmentHeader};
use ondisk_engine::felix::segment::{Access, Header, Mode, Source};
use std::sync::Arc;

use super::segment;
use crate::args::Inspect;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::json::{Json, Layout};
use crate::output::{Out, words};
use crate::place::{self, FoundFile};

/// Bytes of it that are shown.
const SHOWN: usize = 256;

/// Shows the file. The engine never reads one, so there is nothing to be damaged by.
pub(super) fn show(
    found: &FoundFile,
    id: u64,
    number: u64,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let system = |error| Failure::system("read", &found.path, &error);
    let access = Access {
        mode: Mode::WindowedOnce,
        ..Access::default()
    };
    let mut source = Source::new(Arc::clone(&found.file), found.len, access).map_err(system)?;
    let head = source.at(0, SegmentHeader::MIN).map_err(system)?;
    if place::magic_of(head).is_some_and(|kind| kind == SegmentHeader::KIND) {
        // The whole segment went.
        return segment::show(found, args, out);
    }
    let bytes = source.at(0, SHOWN).map_err(system)?;
    let bytes = bytes.get(..SHOWN).unwrap_or(bytes);
    if args.json {
        let mut json = Json::new(out);
        json.object(Layout::Lines)?;
        json.field("path", words::json_name(found.path.as_os_str()))?;
        json.field("kind", "cut")?;
        json.field("segment", id)?;
        json.field("position", number)?;
        json.field("bytes", found.len)?;
        json.end()?;
        json.finish()?;
        return Ok(Exit::Sound);
    }
    out.fact("file", words::path(&found.path))?;
    out.fact(
        "kind",
        format!("what a repair took out of segment {id}, from byte {number} on"),
    )?;
    out.fact("size", words::bytes(found.len))?;
    out.paragraph(
        13,
        "It is kept for whoever wants to look; an engine never reads, counts or removes it.",
    )?;
    writeln!(out)?;
    let version = version_beside(found, id).unwrap_or(*SegmentHeader::KIND.read_range().end());
    let mut dump = Dump::new(Record::KIND, bytes, version).based_at(number);
    if let Err(error) = Record::view_prefix(bytes, version) {
        dump = dump.with_error(error);
    }
    Ok(write!(out, "{dump}").map(|()| Exit::Sound)?)
}

/// The version of the segment that the bytes were taken from, if it is still there.
fn version_beside(found: &FoundFile, id: u64) -> Option<u32> {
    let file = found
        .directory
        .file(&SegmentFile::Log { id }.to_string())
        .ok()?;
    let len = file.stat().ok()?.len.min(MAX_PAYLOAD_BYTES.into());
    let mut source = Source::new(file, len, Access::default()).ok()?;
    Header::read(&mut source)
        .ok()?
        .ok()
        .map(|header| header.version)
}
