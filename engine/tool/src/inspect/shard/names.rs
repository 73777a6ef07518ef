//! Names that are not files of ours.

use std::io::{self, Write};

use ondisk_engine::felix::shard::Strangeness;

use crate::look::Seen;
use crate::output::{Out, words};

/// Names that are shown of each sort.
const MOST_NAMES: usize = 32;

/// Shows the names.
pub(super) fn show(seen: &Seen<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let of = |why: Strangeness| {
        seen.shard
            .foreign()
            .iter()
            .filter(move |foreign| foreign.why == why)
            .map(|foreign| words::name(&foreign.name))
    };
    list(
        out,
        "No regular files under names of ours",
        of(Strangeness::Irregular).collect(),
    )?;
    list(
        out,
        "Names that end like ours and are none",
        of(Strangeness::Stray).collect(),
    )?;
    list(
        out,
        "Names that mean nothing to this build",
        seen.shard
            .unknown()
            .iter()
            .map(|name| words::name(name))
            .collect(),
    )
}

fn list(out: &mut Out<'_>, title: &str, names: Vec<String>) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    out.heading(title)?;
    for name in names.iter().take(MOST_NAMES) {
        writeln!(out, "  {name}")?;
    }
    match names.len().checked_sub(MOST_NAMES) {
        Some(more @ 1..) => writeln!(out, "  and {more} more"),
        _ => Ok(()),
    }
}
