//! What is to be known and does no harm, and names that are not ours.

use std::io::{self, Write};

use ondisk_engine::felix::shard::{Moved, Strangeness};
use ondisk_engine::felix::sidecar::Loaded;

use crate::look::{Seen, Verdict};
use crate::output::{Out, Tone, words};

/// Shows the notes.
pub(super) fn show(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let mut notes: Vec<(String, Tone)> = Vec::new();
    for foreign in seen.shard.foreign() {
        let name = words::name(&foreign.name);
        notes.push(match foreign.why {
            Strangeness::Stray => (
                format!("{name} ends like a file of ours and is none; it is left alone"),
                Tone::Quiet,
            ),
            Strangeness::Irregular => (
                format!(
                    "{name} is no regular file; it was not opened, and an open does not either"
                ),
                Tone::Bad,
            ),
        });
    }
    for (file, why) in &verdict.unreadable {
        notes.push((
            format!("{file} could not be looked at: {}", words::harmless(why)),
            Tone::Notice,
        ));
    }
    for (file, damage) in derived(seen) {
        notes.push((
            format!("{file} is damaged ({damage}); it is derived, and an open does without it"),
            Tone::Notice,
        ));
    }
    for moved in &seen.moved {
        let name = match moved {
            Moved::Grew { name, from, to } => {
                notes.push((
                    format!(
                        "{name} is moving: it grew from {from} to {to} bytes while it was looked at"
                    ),
                    Tone::Notice,
                ));
                continue;
            }
            Moved::Changed { name } => {
                format!("{name} is moving: it changed while it was looked at")
            }
            Moved::Gone { name } => format!("{name} is moving: it went while it was looked at"),
            Moved::New { name } => format!("{name} is moving: it came while it was looked at"),
        };
        notes.push((name, Tone::Notice));
    }
    if notes.is_empty() {
        return Ok(());
    }
    out.heading("Noted")?;
    for (note, tone) in notes.iter().take(MOST_NOTES) {
        let bullet = out.paint.tone(*tone, "-");
        writeln!(out, "  {bullet} {note}")?;
    }
    if let Some(more @ 1..) = notes.len().checked_sub(MOST_NOTES) {
        writeln!(out, "  - and {more} more; --json lists all of them")?;
    }
    Ok(())
}

/// Notes shown to a person.
const MOST_NOTES: usize = 64;

/// Derived files that do not decode.
fn derived(seen: &Seen<'_>) -> Vec<(&'static str, String)> {
    fn damage<T>(loaded: &Loaded<T>) -> Option<String> {
        loaded.damage().map(|damage| damage.to_string())
    }
    let files = [
        ("durable.mark", damage(&seen.sidecars.mark)),
        ("epochs", damage(&seen.sidecars.epochs)),
        ("producers", damage(&seen.sidecars.producers)),
        ("keys.idx", damage(&seen.sidecars.keys)),
    ];
    files
        .into_iter()
        .filter_map(|(file, damage)| Some((file, damage?)))
        .collect()
}
