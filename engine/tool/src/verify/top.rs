//! What lies at the top of a data directory: identity, markers, bins, names that are not ours.

use std::io::{self, Write};

use ondisk::felix::RunPhase;
use ondisk_engine::felix::shard::Strangeness;
use ondisk_engine::felix::store::{FileState, Root, StartCategory};

use crate::document;
use crate::exit::Exit;
use crate::output::{Out, Tone, words};

/// What the files at the top come to, the shards aside.
pub(crate) fn exit(root: &Root) -> Exit {
    fn of<T>(state: &FileState<T>) -> Exit {
        match state {
            FileState::Damaged(_) | FileState::Unreadable => Exit::Damaged,
            FileState::Absent | FileState::Sound(_) | FileState::UnknownLayout(_) => Exit::Sound,
        }
    }
    let identity = &root.identity;
    let irregular = root
        .foreign
        .iter()
        .any(|foreign| foreign.why == Strangeness::Irregular);
    let files = of(&identity.storage_id)
        .and(of(&identity.run_state))
        .and(of(&identity.registration))
        .and(of(&identity.node_id));
    let files = root
        .markers
        .iter()
        .fold(files, |exit, marker| exit.and(of(&marker.state)));
    if irregular {
        files.and(Exit::Damaged)
    } else {
        files
    }
}

/// The files of identity, and what a start comes to.
pub(crate) fn headline(root: &Root, out: &mut Out<'_>) -> io::Result<()> {
    out.fact("root", words::path(&root.path()))?;
    let category = root.category(false);
    let tone = match category {
        StartCategory::OpenOk => Tone::Good,
        StartCategory::ReadOnly(_) => Tone::Notice,
        StartCategory::Refused(_) | StartCategory::Unreadable(_) => Tone::Bad,
    };
    let start = out.paint.tone(tone, &category).to_string();
    out.fact("start", start)?;
    let identity = &root.identity;
    state(out, "storage-id", &identity.storage_id, |storage| {
        document::hex(&storage.id)
    })?;
    state(out, "run-state", &identity.run_state, |run| {
        let state = match run.state {
            RunPhase::Running => "running, or cut off",
            RunPhase::Stopped => "stopped cleanly",
        };
        format!("{state}; storage id {}", document::hex(&run.id))
    })?;
    state(
        out,
        "registration",
        &identity.registration,
        |registration| format!("incarnation {:016x}", registration.incarnation),
    )?;
    state(out, "node-id", &identity.node_id, |node| {
        words::name(node.id.as_ref())
    })?;
    if root.run_state_id_differs() {
        out.paragraph(2, "run-state names another storage id than storage-id has: the last run began under another one.")?;
    }
    if root.storage_id_at_start().name() == "new" {
        out.paragraph(2, "A start makes a new storage id: there is none, or the last run may have lost what it acknowledged.")?;
    }
    writeln!(out)
}

fn state<T>(
    out: &mut Out<'_>,
    name: &str,
    state: &FileState<T>,
    value: impl FnOnce(&T) -> String,
) -> io::Result<()> {
    let (text, tone) = in_words(state, value);
    let text = match tone {
        Some(tone) => out.paint.tone(tone, text).to_string(),
        None => text,
    };
    out.fact(name, text)
}

/// A file at the top, in words.
fn in_words<T>(state: &FileState<T>, value: impl FnOnce(&T) -> String) -> (String, Option<Tone>) {
    match state {
        FileState::Absent => ("absent".to_owned(), None),
        FileState::Sound(found) => (value(found), None),
        FileState::Damaged(damage) => (format!("damaged: {damage}"), Some(Tone::Bad)),
        FileState::UnknownLayout(_) => (
            "unknown layout: another build's, no damage; it is never rewritten".to_owned(),
            Some(Tone::Notice),
        ),
        FileState::Unreadable => (
            "no regular file; it was not opened".to_owned(),
            Some(Tone::Bad),
        ),
    }
}

/// Markers that are not sound, bins, leftovers, names that are not ours.
pub(crate) fn tail(root: &Root, out: &mut Out<'_>) -> io::Result<()> {
    let mut notes: Vec<(String, Option<Tone>)> = Vec::new();
    for marker in &root.markers {
        if marker.state.sound().is_none() {
            let (text, tone) = in_words(&marker.state, |_| String::new());
            notes.push((
                format!("{}: {text}", words::path(marker.path.as_ref())),
                tone,
            ));
        }
    }
    for bin in &root.bins {
        if !bin.names.is_empty() {
            let count = words::count(
                bin.names.len() as u64,
                "directory waits",
                "directories wait",
            );
            notes.push((format!("{}: {count} for removal", bin.path), None));
        }
    }
    notes.extend(root.leftovers.iter().map(|path| {
        (
            format!(
                "{}: left by an old build's compaction",
                words::path(path.as_ref())
            ),
            None,
        )
    }));
    for foreign in &root.foreign {
        let name = words::name(&foreign.name);
        notes.push(match foreign.why {
            Strangeness::Stray => (format!("{name}: not ours, left alone"), None),
            Strangeness::Irregular => (
                format!("{name}: no regular file or real directory; it was not opened"),
                Some(Tone::Bad),
            ),
        });
    }
    if notes.is_empty() {
        return Ok(());
    }
    out.heading("Noted")?;
    for (note, tone) in notes.iter().take(64) {
        let bullet = out.paint.tone(tone.unwrap_or(Tone::Quiet), "-");
        writeln!(out, "  {bullet} {note}")?;
    }
    if let Some(more @ 1..) = notes.len().checked_sub(64) {
        writeln!(out, "  - and {more} more; --json lists all of them")?;
    }
    Ok(())
}
