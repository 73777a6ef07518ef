//! A shard directory: what lies in it, and what it amounts to after an open.

mod files;
mod names;
mod segments;
mod state;

use std::io::Write;
use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::reader::Reader;

use super::file;
use crate::args::Inspect;
use crate::document;
use crate::exit::Exit;
use crate::explain;
use crate::failure::Failure;
use crate::look::{self, Question, Seen, Verdict};
use crate::output::json::{Json, Layout};
use crate::output::{Out, Tone, words};
use crate::place::{self, Place};

/// Shows the shard as an open with default settings would find it.
pub(super) fn show(
    directory: &Arc<dyn Directory>,
    args: &Inspect,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    if args.hex {
        return hex(directory, args, out);
    }
    look::shard(
        directory,
        Question::new(args.said),
        look::access(args.work),
        |seen| {
            if args.json {
                let mut json = Json::new(out);
                document(&mut json, seen)?;
                json.finish()?;
            } else {
                in_words(seen, out)?;
            }
            Ok(Verdict::of(seen).exit())
        },
    )
}

/// A shard as JSON, by the names of a fixture's expectation.
pub(super) fn document(json: &mut Json<'_>, seen: &Seen<'_>) -> Result<(), Failure> {
    let verdict = Verdict::of(seen);
    json.object(Layout::Lines)?;
    document::head(json, seen)?;
    json.field("category", verdict.category().to_string())?;
    json.key("holds")?;
    document::holds(json, seen.scans)?;
    json.key("open")?;
    json.object(Layout::Lines)?;
    document::block(json, seen)?;
    json.end()?;
    json.key("files")?;
    document::files(json, &seen.sidecars)?;
    let log = seen
        .opening
        .plan
        .as_ref()
        .and_then(|plan| plan.log.as_ref());
    if let Some(log) = log.filter(|_| seen.opening.refusal.is_none()) {
        let reader = Reader::new(seen.scans, log);
        json.key("state")?;
        document::state(json, &seen.opening.state, &reader)?;
        document::content(json, &reader, seen.settings.index_spacing_bytes)?;
    }
    Ok(json.end()?)
}

fn in_words(seen: &Seen<'_>, out: &mut Out<'_>) -> Result<(), Failure> {
    let verdict = Verdict::of(seen);
    out.fact("shard", words::path(seen.shard.path()))?;
    out.fact("kind", document::kind_name(seen.kind))?;
    let tone = match verdict.exit() {
        Exit::Sound => Tone::Good,
        Exit::CouldNotLook => Tone::Notice,
        _ => Tone::Bad,
    };
    let category = out.paint.tone(tone, verdict.category()).to_string();
    out.fact("opens as", category)?;
    if let Some(log) = seen
        .opening
        .plan
        .as_ref()
        .and_then(|plan| plan.log.as_ref())
    {
        let records = words::count(log.records(), "record", "records");
        out.fact(
            "log",
            format!("offsets {}..{}, {records}", log.base, log.tail),
        )?;
    }
    segments::show(seen, out)?;
    files::show(seen, out)?;
    state::show(seen, out)?;
    names::show(seen, out)?;
    if verdict.is_damaged() {
        explain::findings(seen, &verdict, out)?;
        writeln!(
            out,
            "\n`ondisk verify` tells what an open would do about it."
        )?;
    }
    Ok(())
}

/// Every byte of every known file.
fn hex(directory: &Arc<dyn Directory>, args: &Inspect, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let path = directory.path();
    let mut entries = directory
        .entries()
        .map_err(|error| Failure::system("list", path, &error))?;
    entries.sort();
    let mut exit = Exit::Sound;
    let mut first = true;
    for entry in entries {
        if entry.name.to_str().and_then(place::kind_of_name).is_none() {
            continue;
        }
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        exit = exit.and(match place::find(&path.join(&entry.name))? {
            Place::File(found) => file::show(&found, args, out)?,
            Place::Irregular(irregular) => super::not_opened(&irregular, args, out)?,
            Place::Directory(_) => {
                writeln!(
                    out,
                    "{} is a directory, not a regular file",
                    words::name(&entry.name)
                )?;
                Exit::Damaged
            }
        });
    }
    Ok(exit)
}
