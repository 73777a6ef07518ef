//! The segments as they lie there, before any repair.

use ondisk::felix::name::SegmentFile;
use ondisk_engine::felix::opening::{self, Hold};
use ondisk_engine::felix::segment::index::Standing;

use crate::explain;
use crate::failure::Failure;
use crate::look::Seen;
use crate::output::table::{Cell, Side, Table};
use crate::output::{Out, Tone};

/// Shows the segments.
pub(super) fn show(seen: &Seen<'_>, out: &mut Out<'_>) -> Result<(), Failure> {
    out.heading("Segments, as they lie there")?;
    let columns = [
        ("segment", Side::Left),
        ("version", Side::Right),
        ("offsets", Side::Right),
        ("records", Side::Right),
        ("bytes", Side::Right),
        ("index", Side::Left),
        ("", Side::Left),
    ];
    let mut table = Table::new(2, &columns);
    for hold in opening::holds(seen.scans)? {
        table.row(out, segment(seen, &hold))?;
    }
    Ok(table.end(out)?)
}

fn segment(seen: &Seen<'_>, hold: &Hold) -> Vec<Cell> {
    let id = format!("{:020}", hold.id);
    match &hold.held {
        Err(kind) => {
            let status = Cell::toned(
                format!("header fails: {}", explain::short_cause(kind)),
                Tone::Bad,
            );
            vec![
                id.into(),
                "".into(),
                "".into(),
                "".into(),
                hold.bytes.into(),
                "".into(),
                status,
            ]
        }
        Ok(held) => {
            let next = held.header.base_offset.saturating_add(held.intact_records);
            let index = match seen.scans.known(hold.id).map(|scanned| scanned.index) {
                Some(Standing::Right) => Cell::from("right"),
                Some(Standing::Empty) => Cell::from("empty"),
                Some(Standing::Wrong) => Cell::toned("wrong", Tone::Bad),
                Some(Standing::Unusable(_))
                    if !seen.shard.has(SegmentFile::Index { id: hold.id }) =>
                {
                    Cell::toned("absent", Tone::Notice)
                }
                Some(Standing::Unusable(_)) => Cell::toned("unusable", Tone::Bad),
                None => Cell::from(""),
            };
            let status = match &held.failure {
                Some(broken) => Cell::toned(
                    format!("fails at byte {}: {}", broken.position, broken.kind.name()),
                    Tone::Bad,
                ),
                None => Cell::toned("intact", Tone::Good),
            };
            let offsets = format!("{}..{next}", held.header.base_offset);
            vec![
                id.into(),
                held.header.version.into(),
                offsets.into(),
                held.intact_records.into(),
                hold.bytes.into(),
                index,
                status,
            ]
        }
    }
}
