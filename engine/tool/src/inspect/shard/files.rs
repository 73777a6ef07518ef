//! The files beside the segments, a line each.

use std::io;

use ondisk::felix::name::Sidecar;
use ondisk_engine::felix::sidecar::Loaded;

use crate::look::Seen;
use crate::output::table::{Cell, Side, Table};
use crate::output::{Out, Tone, words};

/// A sidecar in words; none where it is absent.
fn sidecar<T>(loaded: &Loaded<T>, value: impl FnOnce(&T) -> String) -> Option<(String, Tone)> {
    match loaded {
        Loaded::Absent => None,
        Loaded::Sound(found) => Some((value(found), Tone::Good)),
        Loaded::Damaged(damage) => Some((format!("damaged: {damage}"), Tone::Bad)),
        Loaded::Irregular => Some(("no regular file; it was not opened".to_owned(), Tone::Bad)),
        Loaded::Unreadable(why) => Some((
            format!("could not be read: {}", words::harmless(why)),
            Tone::Notice,
        )),
    }
}

/// Shows the sidecars that are there.
pub(super) fn show(seen: &Seen<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let sidecars = &seen.sidecars;
    let entries = |count: usize| words::count(count as u64, "entry", "entries");
    let rows = [
        (
            Sidecar::DurableMark,
            sidecar(&sidecars.mark, |mark| {
                format!(
                    "segment {} flushed through byte {}",
                    mark.segment, mark.synced_bytes
                )
            }),
        ),
        (
            Sidecar::Epochs,
            sidecar(&sidecars.epochs, |epochs| {
                words::count(epochs.len() as u64, "generation", "generations")
            }),
        ),
        (
            Sidecar::Replica,
            sidecar(&sidecars.replica, |replica| {
                format!(
                    "generation {}, committed below offset {}",
                    replica.generation, replica.commit
                )
            }),
        ),
        (
            Sidecar::Ballot,
            sidecar(&sidecars.ballot, |ballot| match ballot.leader.as_str() {
                "" => format!("generation {} was given up", ballot.generation),
                leader => format!(
                    "generation {} led by {}",
                    ballot.generation,
                    words::name(leader.as_ref())
                ),
            }),
        ),
        (
            Sidecar::Producers,
            sidecar(&sidecars.producers, |snapshot| {
                let producers = words::count(
                    snapshot.producers.producers.len() as u64,
                    "producer",
                    "producers",
                );
                format!("{producers} as of offset {}", snapshot.producers.as_of)
            }),
        ),
        (
            Sidecar::Manifest,
            sidecar(&sidecars.manifest, |manifest| entries(manifest.len())),
        ),
        (
            Sidecar::KeyIndex,
            sidecar(&sidecars.keys, |keys| match keys.view() {
                Some(keys) => format!(
                    "{}, all below offset {}",
                    entries(keys.entries().len()),
                    keys.covered_through()
                ),
                None => "changed while it was looked at".to_owned(),
            }),
        ),
    ];
    if rows.iter().all(|(_, row)| row.is_none()) {
        return Ok(());
    }
    out.heading("Files beside them")?;
    let mut table = Table::new(2, &[("file", Side::Left), ("", Side::Left)]);
    for (file, row) in rows {
        if let Some((text, tone)) = row {
            let cell = if tone == Tone::Good {
                Cell::from(text)
            } else {
                Cell::toned(text, tone)
            };
            table.row(out, vec![file.file_name().into(), cell])?;
        }
    }
    table.end(out)
}
