//! What a shard amounts to after an open, in words.

use std::io::{self, Write};

use ondisk_engine::felix::opening::Projection;

use crate::document;
use crate::look::Seen;
use crate::output::{Out, words};

/// Shows the state, if the log opens.
pub(super) fn show(seen: &Seen<'_>, out: &mut Out<'_>) -> io::Result<()> {
    if seen.opening.refusal.is_some() {
        return Ok(());
    }
    let state = &seen.opening.state;
    let Some(accepted) = &state.accepted else {
        return Ok(());
    };
    out.heading("After an open")?;
    let leader = match (&accepted.leader, accepted.given_up) {
        (Some(leader), _) => format!("led by {}", words::name(leader.as_ref())),
        (None, true) => "given up".to_owned(),
        (None, false) => "no leader recorded".to_owned(),
    };
    writeln!(
        out,
        "  generation {}, {leader}; committed below offset {}",
        accepted.generation, accepted.commit
    )?;
    if let Some(newest) = state.epochs.last() {
        let count = words::count(state.epochs.len() as u64, "generation", "generations");
        writeln!(
            out,
            "  {count} known, the newest {} from offset {} on",
            newest.generation, newest.start_offset
        )?;
    }
    if let Some(rebuilt) = &state.producers {
        let known = rebuilt.state.producers().len() as u64;
        let open = rebuilt.state.open().map_or(String::new(), |open| {
            format!(
                "; producer {} has {} of {} records of sequence {} at the tail",
                open.producer, open.held, open.len, open.sequence
            )
        });
        if known > 0 || !open.is_empty() {
            writeln!(
                out,
                "  {}{open} (snapshot {})",
                words::count(known, "producer", "producers"),
                rebuilt.snapshot.name()
            )?;
        }
    }
    match &state.projection {
        Some(Projection::Cache(projected)) => {
            let keys = words::count(projected.cache.entries().len() as u64, "key", "keys");
            let (live, log) = (projected.cache.live_bytes(), projected.cache.log_bytes());
            writeln!(
                out,
                "  {keys}, {live} of {log} payload bytes live; {}",
                document::keys_in_words(&projected.keys)
            )
        }
        Some(Projection::Counters(counters)) => {
            let sums = words::count(counters.sums().len() as u64, "counter", "counters");
            writeln!(out, "  {sums}, {} payload bytes", counters.log_bytes())
        }
        None => Ok(()),
    }
}
