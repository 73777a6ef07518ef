//! The table of segments: each with what it holds and what becomes of it.

use std::collections::HashMap;
use std::io::{self, Write};

use ondisk_engine::felix::recovery::{Report, Rule};
use ondisk_engine::felix::shard::SegmentEntry;

use crate::explain;
use crate::look::{Seen, Verdict, Weight};
use crate::output::table::{Cell, Side, Table};
use crate::output::{Out, Tone, words};

/// Rows of sound segments that are shown; those with a finding always are.
const MOST_SOUND: usize = 32;

/// Shows the segments.
pub(crate) fn show(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let columns = [
        ("segment", Side::Left),
        ("version", Side::Right),
        ("offsets", Side::Right),
        ("records", Side::Right),
        ("bytes", Side::Right),
        ("", Side::Left),
    ];
    let mut fates: HashMap<u64, Vec<(String, Tone)>> = HashMap::new();
    for &(report, weight) in &verdict.reports {
        for (id, fate, tone) in fates_of(report, weight) {
            fates.entry(id).or_default().push((fate, tone));
        }
    }
    if seen.shard.segments().next().is_none() {
        return Ok(());
    }
    writeln!(out)?;
    let mut table = Table::new(2, &columns);
    let (mut sound, mut hidden) = (0, 0_u64);
    for entry in seen.shard.segments() {
        let (row, is_sound) = row(seen, verdict, entry, fates.get(&entry.id));
        sound += usize::from(is_sound);
        if is_sound && sound > MOST_SOUND {
            hidden += 1;
        } else {
            table.row(out, row)?;
        }
    }
    if hidden > 0 {
        table.row(
            out,
            vec![
                format!("and {hidden} more").into(),
                "".into(),
                "".into(),
                "".into(),
                "".into(),
                Cell::toned("sound", Tone::Good),
            ],
        )?;
    }
    table.end(out)
}

fn row(
    seen: &Seen<'_>,
    verdict: &Verdict<'_>,
    entry: SegmentEntry,
    fates: Option<&Vec<(String, Tone)>>,
) -> (Vec<Cell>, bool) {
    let id = format!("{:020}", entry.id);
    let Some(bytes) = entry.bytes else {
        let status = Cell::toned("not a regular file", Tone::Bad);
        return (
            vec![
                id.into(),
                "".into(),
                "".into(),
                "".into(),
                "".into(),
                status,
            ],
            false,
        );
    };
    let log = seen
        .opening
        .plan
        .as_ref()
        .and_then(|plan| plan.log.as_ref());
    // Ids rise with the log.
    let left = log.and_then(|log| {
        let found = log
            .segments
            .binary_search_by_key(&entry.id, |segment| segment.id);
        log.segments.get(found.ok()?)
    });
    let scanned = seen.scans.known(entry.id);
    let scan = scanned.as_ref().map(|scanned| scanned.records.as_ref());
    let (version, offsets, records) = match (scan, left) {
        (Some(Ok(scan)), _) => (
            scan.header.version.to_string(),
            format!("{}..{}", scan.header.base_offset, scan.next_offset),
            scan.kinds.total().to_string(),
        ),
        (None, Some(left)) => (
            left.version.to_string(),
            format!("{}..{}", left.base_offset, left.next_offset),
            left.records().to_string(),
        ),
        _ => Default::default(),
    };
    let (status, tone) = status(verdict, entry.id, scan, fates, left.is_some());
    let is_sound = tone == Tone::Good;
    let row = vec![
        id.into(),
        version.into(),
        offsets.into(),
        records.into(),
        bytes.into(),
        Cell::toned(status, tone),
    ];
    (row, is_sound)
}

type ScanOf<'s> = Result<
    &'s ondisk_engine::felix::segment::Scan,
    &'s ondisk_engine::felix::error::CorruptionKind,
>;

/// What is said of a segment: what becomes of it, else what is wrong with it, else how it was found sound.
fn status(
    verdict: &Verdict<'_>,
    id: u64,
    scan: Option<ScanOf<'_>>,
    fates: Option<&Vec<(String, Tone)>>,
    is_left: bool,
) -> (String, Tone) {
    let refused_here = verdict.refusal.is_some_and(|(refusal, _)| match refusal {
        ondisk_engine::felix::recovery::Refusal::Corruption { corruption, .. } => {
            corruption.site.segment == Some(id)
        }
        _ => false,
    });
    if let Some(fates) = fates {
        let texts: Vec<&str> = fates.iter().map(|(text, _)| text.as_str()).collect();
        let tone = if fates.iter().any(|(_, tone)| *tone == Tone::Bad) {
            Tone::Bad
        } else {
            Tone::Notice
        };
        return (texts.join(", "), tone);
    }
    match scan {
        Some(Err(kind)) => (
            format!("header fails: {}", explain::short_cause(kind)),
            Tone::Bad,
        ),
        Some(Ok(scan)) => match &scan.failure {
            Some(failure) => {
                let word = if explain::is_rotten(&failure.kind) {
                    "rotten"
                } else {
                    "damaged"
                };
                (
                    format!(
                        "{word} at byte {}: {}",
                        failure.position,
                        failure.kind.name()
                    ),
                    Tone::Bad,
                )
            }
            None if refused_here => ("breaks the chain".to_owned(), Tone::Bad),
            None => ("sound".to_owned(), Tone::Good),
        },
        None if is_left => ("sound as far as an open looks".to_owned(), Tone::Good),
        None => ("not read whole".to_owned(), Tone::Quiet),
    }
}

/// What becomes of the segments that a report is about.
fn fates_of(report: &Report, weight: Weight) -> Vec<(u64, String, Tone)> {
    let tone = match weight {
        Weight::Damage => Tone::Bad,
        Weight::Unflushed | Weight::Moving => Tone::Notice,
        Weight::MatterOfCourse => return Vec::new(),
    };
    let (id, unflushed) = (report.segment(), weight == Weight::Unflushed);
    let at = |what: &str, position: u64, bytes: u64| {
        let bytes = words::count(bytes, "byte", "bytes");
        if unflushed {
            format!("{bytes} not flushed yet")
        } else {
            format!("{what}, {bytes} cut off at {position}")
        }
    };
    match report {
        Report::Cut(cut) => {
            let what = match cut.rule {
                Rule::TornTail => "torn",
                Rule::PastDurableMark => "never flushed",
                Rule::ZeroTail => "ends in zeros",
                Rule::ChecksumTail => "rotten",
            };
            vec![(id, at(what, cut.position, cut.bytes), tone)]
        }
        Report::Removed(_) => vec![(id, "taken out".to_owned(), tone)],
        Report::UnfinishedRoll(roll) => {
            let taken = roll
                .deleted
                .map(|deleted| (deleted, "never flushed, taken out".to_owned(), tone));
            std::iter::once((id, at("torn", roll.position, roll.bytes), tone))
                .chain(taken)
                .collect()
        }
        Report::IndexRebuilt { .. } => vec![(id, "sound, its index is not".to_owned(), tone)],
        Report::ShortOfMark { bytes, .. } => vec![(
            id,
            format!(
                "{} missing at its end",
                words::count(*bytes, "byte", "bytes")
            ),
            tone,
        )],
        _ => Vec::new(),
    }
}
