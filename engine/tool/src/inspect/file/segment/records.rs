//! The records of a segment, one after the other.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::dump::Dump;
use ondisk::felix::Record;
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::segment::{self, Access, Header, Met, Scan, Source};

use super::LONGEST;
use crate::args::Inspect;
use crate::failure::Failure;
use crate::inspect::payload;
use crate::output::table::{Side, Table};
use crate::output::{Out, time, words};
use crate::place::FoundFile;

/// Hands every record to `each`, up to the limit; what comes behind it is only counted.
pub(super) fn pass(
    found: &FoundFile,
    source: &mut Source<'_>,
    args: &Inspect,
    each: &mut dyn FnMut(&Met<'_>) -> Result<(), Failure>,
) -> Result<Scan, Failure> {
    let mut left = args.limit.unwrap_or(u64::MAX);
    let mut written = Ok(());
    let scan = segment::full(source, &mut |met| {
        if left == 0 {
            return ControlFlow::Continue(());
        }
        left -= 1;
        written = each(met);
        if written.is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let scan = scan.map_err(|error| Failure::system("read", &found.path, &error))?;
    written?;
    scan.map_err(|kind| {
        Failure::look(
            format!(
                "{} changed while it was read: {kind}",
                words::path(&found.path)
            ),
            "look again",
        )
    })
}

/// Shows the records, a line each.
pub(super) fn rows(
    found: &FoundFile,
    source: &mut Source<'_>,
    log: LogKind,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Scan, Failure> {
    let columns = [
        ("offset", Side::Right),
        ("byte", Side::Right),
        ("bytes", Side::Right),
        ("time", Side::Left),
        ("kind", Side::Left),
        ("payload", Side::Left),
    ];
    let mut table = Table::new(2, &columns);
    let scan = pass(found, source, args, &mut |met| {
        let record = met.record;
        let row = vec![
            record.offset().into(),
            met.position.into(),
            met.bytes.into(),
            time::instant(record.timestamp_micros()).into(),
            payload::kind(record).into(),
            payload::payload(record, log).into(),
        ];
        Ok(table.row(out, row)?)
    })?;
    table.end(out)?;
    let shown = args.limit.unwrap_or(u64::MAX);
    if let Some(more @ 1..) = scan.kinds.total().checked_sub(shown) {
        writeln!(out, "  and {more} more")?;
    }
    Ok(scan)
}

/// Shows every byte of the records.
pub(super) fn dumps(
    found: &FoundFile,
    source: &mut Source<'_>,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Scan, Failure> {
    let version = Header::read(source)
        .ok()
        .and_then(Result::ok)
        .map_or(0, |header| header.version);
    // The bytes themselves are read by a second window, which follows the first.
    let mut raw = Source::new(Arc::clone(&found.file), found.len, Access::default())
        .map_err(|error| Failure::system("read", &found.path, &error))?;
    pass(found, source, args, &mut |met| {
        let wanted = usize::try_from(met.bytes).unwrap_or(LONGEST);
        let bytes = raw
            .at(met.position, wanted)
            .map_err(|error| Failure::system("read", &found.path, &error))?;
        let bytes = bytes.get(..wanted).unwrap_or(bytes);
        let dump = Dump::new(Record::KIND, bytes, version).based_at(met.position);
        Ok(write!(out, "\n{dump}")?)
    })
}
