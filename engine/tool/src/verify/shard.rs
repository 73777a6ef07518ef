//! Verifying one shard.

use std::io::{self, Write};
use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::sidecar::Loaded;

use super::{notes, question, segments, steps};
use crate::args::Verify;
use crate::document;
use crate::exit::Exit;
use crate::explain;
use crate::failure::Failure;
use crate::look::{self, Seen, Verdict};
use crate::output::json::{Json, Layout};
use crate::output::progress::Progress;
use crate::output::{Out, Tone, words};

/// Verifies the shard in `directory`.
pub(super) fn run(
    directory: &Arc<dyn Directory>,
    args: &Verify,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let progress = Progress::new(bytes_of(directory));
    let done = |bytes| progress.done(bytes);
    let access = Access {
        progress: Some(&done),
        ..look::access(args.work)
    };
    look::shard(directory, question(args), access, |seen| {
        progress.clear();
        let verdict = Verdict::of(seen);
        let written = if args.json {
            let mut json = Json::new(out);
            document(&mut json, seen).and_then(|()| Ok(json.finish()?))
        } else {
            show(seen, &verdict, out).map_err(Failure::from)
        };
        match written {
            // What was found stands, whether or not somebody reads on.
            Err(failure) if !failure.is_quiet() => Err(failure),
            _ => Ok(verdict.exit()),
        }
    })
}

/// What there is to read.
pub(crate) fn bytes_of(directory: &Arc<dyn Directory>) -> u64 {
    let shard = ondisk_engine::felix::shard::Shard::look(Arc::clone(directory), None);
    shard.map_or(0, |shard| {
        shard
            .segments()
            .filter_map(|segment| segment.bytes)
            .fold(0, u64::saturating_add)
    })
}

/// A shard as JSON.
pub(crate) fn document(json: &mut Json<'_>, seen: &Seen<'_>) -> Result<(), Failure> {
    json.object(Layout::Lines)?;
    document::head(json, seen)?;
    document::block(json, seen)?;
    Ok(json.end()?)
}

/// A shard in words.
pub(super) fn show(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    found(seen, verdict, out)?;
    steps::show(seen, verdict, out)?;
    outcome(seen, verdict, "only planned: nothing was changed", out)
}

/// What was found in a shard.
pub(crate) fn found(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    headline(seen, verdict, out)?;
    segments::show(seen, verdict, out)?;
    explain::findings(seen, verdict, out)?;
    notes::show(seen, verdict, out)
}

/// The path, what it comes to, and what it is.
fn headline(seen: &Seen<'_>, verdict: &Verdict<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let path = words::path(seen.shard.path());
    out.fact("shard", path)?;
    let (word, tone) = word(verdict);
    let category = verdict.category();
    let verdict_line = format!("{}  {category}", out.paint.tone(tone, word));
    out.fact("verdict", verdict_line)?;
    let mark = match seen.opening.plan.as_ref().and_then(|plan| plan.mark.0) {
        Some(mark) => format!(
            "segment {} flushed through byte {}",
            mark.segment, mark.synced_bytes
        ),
        None => match &seen.sidecars.mark {
            Loaded::Absent => "none".to_owned(),
            Loaded::Damaged(damage) => format!("none that counts: {damage}"),
            _ => "none that can be read".to_owned(),
        },
    };
    out.fact("mark", mark)?;
    if seen.settings.verify_all_on_open {
        return Ok(());
    }
    out.fact("settings", format!("as an open: {}", seen.settings))
}

/// The verdict in a word.
pub(crate) fn word(verdict: &Verdict<'_>) -> (&'static str, Tone) {
    match verdict.exit() {
        Exit::Damaged if verdict.refusal.is_some() => ("REFUSED", Tone::Bad),
        Exit::Damaged => ("DAMAGED", Tone::Bad),
        Exit::CouldNotLook if verdict.is_unsettled() => ("MOVING", Tone::Notice),
        Exit::CouldNotLook => ("NOT KNOWN", Tone::Notice),
        _ => ("SOUND", Tone::Good),
    }
}

/// What the log is afterwards, and the name of the plan, of which `done` says what became.
pub(crate) fn outcome(
    seen: &Seen<'_>,
    verdict: &Verdict<'_>,
    done: &str,
    out: &mut Out<'_>,
) -> io::Result<()> {
    writeln!(out)?;
    let log = seen
        .opening
        .plan
        .as_ref()
        .and_then(|plan| plan.log.as_ref());
    let log = match (log, verdict.refusal) {
        (_, Some(_)) | (None, None) => "does not open; nothing of it would be changed".to_owned(),
        (Some(log), None) if log.is_fresh() => format!("starts empty at offset {}", log.base),
        (Some(log), None) => format!(
            "offsets {}..{}, {} in {}",
            log.base,
            log.tail,
            words::count(log.records(), "record", "records"),
            words::count(log.segments.len() as u64, "segment", "segments"),
        ),
    };
    out.fact("log", log)?;
    if let Some(plan) = &seen.opening.plan {
        out.fact("plan", format!("{}  ({done})", plan.id()))?;
    }
    Ok(())
}
