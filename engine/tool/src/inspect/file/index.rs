//! The index of a segment: its entries, and whether they lead to the records they name.

use std::io::Write;
use std::sync::Arc;

use ondisk::describe::Shape;
use ondisk::dump::Dump;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Index, IndexEntry};
use ondisk_engine::felix::recovery::Scans;
use ondisk_engine::felix::segment::index::Standing;
use ondisk_engine::felix::segment::{Access, HEADER_BYTES, Mode, Source};
use ondisk_engine::felix::shard::Shard;

use crate::args::Inspect;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::json::{Json, Layout, Null};
use crate::output::table::{Cell, Side, Table};
use crate::output::{Out, Tone, words};
use crate::place::FoundFile;

/// Shows the index.
pub(super) fn show(found: &FoundFile, args: &Inspect, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let system = |error| Failure::system("read", &found.path, &error);
    let access = Access {
        mode: Mode::WindowedOnce,
        ..Access::default()
    };
    let mut source = Source::new(Arc::clone(&found.file), found.len, access).map_err(system)?;
    let head = source.at(0, Index::MIN).map_err(system)?;
    let head = head.get(..Index::MIN).unwrap_or(head).to_vec();
    let header = Index::view(&head);
    let standing = standing(found)?;
    let (state, exit) = match (&header, standing) {
        (Err(error), _) => (error.to_string(), Exit::Damaged),
        (Ok(_), Some(Standing::Wrong)) => (
            "an entry does not lead to the record that it names".to_owned(),
            Exit::Damaged,
        ),
        (Ok(_), Some(Standing::Unusable(why))) => {
            (format!("of no use to its segment: {why:?}"), Exit::Damaged)
        }
        (Ok(_), Some(Standing::Right | Standing::Empty)) => (
            "every entry leads to the record that it names".to_owned(),
            Exit::Sound,
        ),
        (Ok(_), None) => (
            "it loads; there is no segment beside it to hold it against".to_owned(),
            Exit::Sound,
        ),
    };
    let version = header.map_or(0, |header| header.version());
    if args.json {
        let mut json = Json::new(out);
        json.object(Layout::Lines)?;
        json.field("path", words::json_name(found.path.as_os_str()))?;
        json.field("kind", "Index")?;
        json.field("class", "derived")?;
        json.field("bytes", found.len)?;
        json.field(
            "state",
            if exit == Exit::Sound {
                "sound"
            } else {
                "damaged"
            },
        )?;
        json.key("error")?;
        if exit == Exit::Sound {
            json.value(Null)?
        } else {
            json.value(&state)?
        }
        if let Ok(header) = header {
            json.field("version", version)?;
            json.field("base_offset", header.base_offset())?;
            json.key("entries")?;
            json.list(Layout::Lines)?;
            let mut left = args.limit.unwrap_or(u64::MAX);
            entries(found, &mut source, &mut |entry| {
                if left > 0 {
                    left -= 1;
                    json.list(Layout::Line)?;
                    json.value(entry.entry.offset)?;
                    json.value(entry.entry.position)?;
                    json.end()?;
                }
                Ok(())
            })?;
            json.end()?;
        }
        json.end()?;
        json.finish()?;
        return Ok(exit);
    }
    out.fact("file", words::path(&found.path))?;
    out.fact(
        "kind",
        format!("{}, version {version}, derived", Index::KIND.name),
    )?;
    out.fact("size", words::bytes(found.len))?;
    let (word, tone) = if exit == Exit::Sound {
        ("SOUND", Tone::Good)
    } else {
        ("DAMAGED", Tone::Bad)
    };
    let word = out.paint.tone(tone, word).to_string();
    out.fact("state", format!("{word}  {state}"))?;
    if exit != Exit::Sound {
        out.paragraph(
            13,
            "It is derived: an open writes it anew from its segment.",
        )?;
    }
    writeln!(out)?;
    if args.hex || header.is_err() {
        let mut dump = Dump::new(Index::KIND, &head, 0);
        if let Err(error) = header {
            dump = dump.with_error(error);
        }
        write!(out, "{dump}")?;
    }
    if header.is_ok() {
        table(found, &mut source, args, out)?;
    }
    Ok(exit)
}

/// How the index stands to the segment beside it, if there is one.
fn standing(found: &FoundFile) -> Result<Option<Standing>, Failure> {
    let Some(SegmentFile::Index { id }) = SegmentFile::parse(&found.name) else {
        return Ok(None);
    };
    let shard = Shard::look(Arc::clone(&found.directory), None)?;
    if !shard
        .segments()
        .any(|segment| segment.id == id && segment.bytes.is_some())
    {
        return Ok(None);
    }
    let scans = Scans::new(
        &shard,
        Access {
            mode: Mode::WindowedOnce,
            ..Access::default()
        },
    );
    let scanned = scans.full(id)?;
    Ok(scanned.records.is_ok().then_some(scanned.index))
}

/// An entry as it stands in the file.
struct Stored {
    entry: IndexEntry,
    at: u64,
    /// Whether a reader counts it: both numbers ascend, and it lies behind the segment header.
    counts: bool,
}

/// Entries that are zeros, in a row, before it is asked whether a hole begins there.
const ZEROS: u64 = 4096;

/// Hands out the entries; holes are stepped over.
fn entries(
    found: &FoundFile,
    source: &mut Source<'_>,
    each: &mut dyn FnMut(&Stored) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let system = |error| Failure::system("read", &found.path, &error);
    debug_assert!(matches!(Index::KIND.shape, Shape::Rows(_)));
    let size = IndexEntry::MIN as u64;
    let (mut at, mut zeros) = (Index::MIN as u64, 0);
    let mut last: Option<IndexEntry> = None;
    while at.saturating_add(size) <= source.len() {
        let bytes = source.at(at, IndexEntry::MIN).map_err(system)?;
        let Some(Ok(view)) = bytes.get(..IndexEntry::MIN).map(IndexEntry::view) else {
            break;
        };
        let entry = view.to_value();
        let counts = match last {
            None => entry.position >= HEADER_BYTES,
            Some(last) => entry.offset > last.offset && entry.position > last.position,
        };
        zeros = if (entry.offset, entry.position) == (0, 0) {
            zeros + 1
        } else {
            0
        };
        if zeros < ZEROS {
            each(&Stored { entry, at, counts })?;
        } else {
            let data = source
                .next_data(at)
                .map_err(system)?
                .unwrap_or(source.len());
            at += data.saturating_sub(at) / size * size;
        }
        if counts {
            last = Some(entry);
        }
        at = at.saturating_add(size);
    }
    Ok(())
}

fn table(
    found: &FoundFile,
    source: &mut Source<'_>,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<(), Failure> {
    let columns = [
        ("byte", Side::Right),
        ("offset", Side::Right),
        ("leads to byte", Side::Right),
        ("", Side::Left),
    ];
    let mut table = Table::new(2, &columns);
    let (mut left, mut more) = (args.limit.unwrap_or(u64::MAX), 0_u64);
    entries(found, source, &mut |stored| {
        if left == 0 {
            more += 1;
            return Ok(());
        }
        left -= 1;
        let remark = if stored.counts {
            Cell::from("")
        } else {
            Cell::toned(
                "skipped: does not ascend, or lies in the header",
                Tone::Notice,
            )
        };
        table.row(
            out,
            vec![
                stored.at.into(),
                stored.entry.offset.into(),
                stored.entry.position.into(),
                remark,
            ],
        )
    })?;
    table.end(out)?;
    if more > 0 {
        writeln!(out, "  and {more} more")?;
    }
    let torn = found.len.saturating_sub(Index::MIN as u64) % IndexEntry::MIN as u64;
    if torn > 0 {
        let bytes = words::count(torn, "byte", "bytes");
        writeln!(
            out,
            "\n  The file ends with {bytes} of an entry, which do not count."
        )?;
    }
    Ok(())
}
