//! A segment: its header and its records, one after the other.

mod json;
mod records;

use std::io::{self, Write};
use std::sync::Arc;

use ondisk::dump::Dump;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Record, SegmentHeader};
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::segment::{self, Access, Failure as Broken, Header, Mode, Scan, Source};
use ondisk_engine::felix::shard::Shard;

use crate::args::Inspect;
use crate::exit::Exit;
use crate::explain;
use crate::failure::Failure;
use crate::output::json::Json;
use crate::output::{Out, Tone, time, words};
use crate::place::{self, FoundFile};

/// Shows the segment.
pub(super) fn show(found: &FoundFile, args: &Inspect, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let access = Access {
        mode: Mode::WindowedOnce,
        ..Access::default()
    };
    let system = |error| Failure::system("read", &found.path, &error);
    let mut source = Source::new(Arc::clone(&found.file), found.len, access).map_err(system)?;
    let header = Header::read(&mut source).map_err(system)?;
    if args.json {
        return json::document(found, &mut source, header, args, &mut Json::new(out));
    }
    let what = match SegmentFile::parse(&found.name) {
        Some(SegmentFile::Log { id }) => format!("segment {id}"),
        Some(SegmentFile::Temporary { id }) => format!("segment {id} under its temporary name"),
        Some(SegmentFile::Cut { id, .. }) => format!("segment {id}, taken out by a repair"),
        _ => "segment".to_owned(),
    };
    out.fact("file", words::path(&found.path))?;
    out.fact("size", words::bytes(found.len))?;
    match &header {
        Ok(header) => {
            out.fact(
                "kind",
                format!("{what}, version {}, authoritative", header.version),
            )?;
            out.fact("base", format!("offset {}", header.base_offset))?;
            out.fact("created", time::instant(header.created_at_micros))?;
        }
        Err(kind) => {
            out.fact("kind", format!("{what}, authoritative"))?;
            let damaged = out.paint.tone(Tone::Bad, "DAMAGED").to_string();
            out.fact(
                "state",
                format!(
                    "{damaged}  the header fails with {}",
                    explain::short_cause(kind)
                ),
            )?;
            out.paragraph(13, explain::meaning(kind))?;
        }
    }
    writeln!(out)?;
    if args.hex || header.is_err() {
        hex_header(&mut source, out).map_err(|error| split(found, error))?;
    }
    if header.is_err() {
        return Ok(Exit::Damaged);
    }
    let log = log_kind(found, args);
    let scan = if args.hex {
        records::dumps(found, &mut source, args, out)?
    } else {
        records::rows(found, &mut source, log, args, out)?
    };
    end(found, &mut source, &scan, out)
}

/// An error of reading or of writing: both come from one pass.
enum Either {
    Read(io::Error),
    Write(io::Error),
}

fn split(found: &FoundFile, error: Either) -> Failure {
    match error {
        Either::Read(error) => Failure::system("read", &found.path, &error),
        Either::Write(error) => error.into(),
    }
}

/// What the records are: as for a shard directory.
fn log_kind(found: &FoundFile, args: &Inspect) -> LogKind {
    match Shard::look(Arc::clone(&found.directory), None) {
        Ok(shard) => place::log_kind(args.said.kind, &shard),
        Err(_) => LogKind::Stream,
    }
}

fn hex_header(source: &mut Source<'_>, out: &mut Out<'_>) -> Result<(), Either> {
    let bytes = source.at(0, SegmentHeader::MIN).map_err(Either::Read)?;
    let bytes = bytes.get(..SegmentHeader::MIN).unwrap_or(bytes);
    let mut dump = Dump::new(SegmentHeader::KIND, bytes, 0);
    if let Err(error) = SegmentHeader::view(bytes) {
        dump = dump.with_error(error);
    }
    write!(out, "{dump}").map_err(Either::Write)
}

/// Bytes of a record that fails which are shown.
const SHOWN: usize = 512;

/// How it ends: where the file does, or with a record that fails.
fn end(
    found: &FoundFile,
    source: &mut Source<'_>,
    scan: &Scan,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let records = words::count(scan.kinds.total(), "record", "records");
    let Some(broken) = &scan.failure else {
        let sound = out.paint.tone(Tone::Good, "SOUND").to_string();
        writeln!(out)?;
        out.fact(
            "state",
            format!("{sound}  {records}, offset {} comes next", scan.next_offset),
        )?;
        return Ok(Exit::Sound);
    };
    let word = if explain::is_rotten(&broken.kind) {
        "ROTTEN"
    } else {
        "TORN OR ROTTEN"
    };
    let word = out.paint.tone(Tone::Bad, word).to_string();
    writeln!(out)?;
    out.fact(
        "state",
        format!(
            "{word}  good to byte {}: {records}, offset {} comes next",
            broken.position, scan.next_offset
        ),
    )?;
    let rest = found.len - broken.position;
    let behind = words::count(rest, "byte", "bytes");
    out.paragraph(
        13,
        &format!(
            "The {behind} from there on begin with a record that fails with {}.",
            explain::short_cause(&broken.kind)
        ),
    )?;
    out.paragraph(13, explain::meaning(&broken.kind))?;
    let zeros = segment::zero_run(source, broken.position)
        .map_err(|error| Failure::system("read", &found.path, &error))?;
    if let Some(zeros) = zeros {
        out.paragraph(
            13,
            &format!("From byte {zeros} to the end there are only zeros."),
        )?;
    }
    out.paragraph(13, "What an open makes of it hangs on the whole shard: `ondisk verify` on its directory tells.")?;
    writeln!(out)?;
    hex_broken(source, scan, broken, out).map_err(|error| split(found, error))?;
    Ok(Exit::Damaged)
}

fn hex_broken(
    source: &mut Source<'_>,
    scan: &Scan,
    broken: &Broken,
    out: &mut Out<'_>,
) -> Result<(), Either> {
    // The whole record, where its header verifies; its error is about all of it.
    let whole = broken
        .end
        .map_or(SHOWN as u64, |end| end.saturating_sub(broken.position));
    let whole = usize::try_from(whole.min(source.len() - broken.position)).unwrap_or(SHOWN);
    let most = if whole > LONGEST { SHOWN } else { whole };
    let bytes = source.at(broken.position, most).map_err(Either::Read)?;
    let bytes = bytes.get(..most).unwrap_or(bytes);
    let version = scan.header.version;
    let mut dump = Dump::new(Record::KIND, bytes, version).based_at(broken.position);
    if let Err(error) = Record::view_prefix(bytes, version) {
        dump = dump.with_error(error);
    }
    write!(out, "{dump}").map_err(Either::Write)
}

/// The longest record that is read once more to be dumped whole.
const LONGEST: usize = 1 << 27;
