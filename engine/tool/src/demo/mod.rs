//! `ondisk demo`: a log is written, torn as a crash tears one, explained, repaired and read, in one screenful.

mod log;

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{Bound, Config, ReadOnlyLog};

use crate::args::{Demo, DirectoryKind, Planning, Repair, Said, Work};
use crate::exit::Exit;
use crate::explain;
use crate::failure::Failure;
use crate::look::{self, Question, Verdict};
use crate::output::{Out, Tone, time, words};
use crate::place;
use crate::repair;
use crate::verify::segments;

/// Shows it.
pub(crate) fn run(args: &Demo, out: &mut Out<'_>) -> Result<Exit, Failure> {
    if let Some(directory) = &args.directory {
        if !is_free(directory)? {
            return Err(Failure::usage(
                format!("{} is not empty", words::path(directory)),
                "name a directory that is not there yet",
            ));
        }
        let exit = show(directory, out)?;
        kept(directory, out)?;
        return Ok(exit);
    }
    let folder = tempfile::Builder::new()
        .prefix("ondisk-demo-")
        .tempdir()
        .map_err(|error| Failure::system("make a directory in", &std::env::temp_dir(), &error))?;
    let exit = show(folder.path(), out)?;
    if args.keep {
        kept(&folder.keep(), out)?;
    } else {
        writeln!(
            out,
            "The directory is gone again; --keep keeps it, for verify, inspect, read, append and copy."
        )?;
    }
    Ok(exit)
}

fn is_free(path: &Path) -> Result<bool, Failure> {
    if !path.exists() {
        return Ok(true);
    }
    let entries = place::directory(path)?.entries();
    let entries = entries.map_err(|error| Failure::system("list", path, &error))?;
    Ok(entries.is_empty())
}

fn kept(path: &Path, out: &mut Out<'_>) -> Result<(), Failure> {
    let path = words::path(path);
    writeln!(out, "The directory is kept: ondisk inspect {path}")?;
    Ok(())
}

fn show(path: &Path, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let directory =
        RealDirectory::create_all(path).map_err(|error| Failure::system("create", path, &error))?;
    let paint = out.paint;
    let step = |out: &mut Out<'_>, name: &str, text: &str| {
        writeln!(
            out,
            "{}  {text}",
            paint.tone(Tone::Title, format!("{name:<9}"))
        )
    };
    writeln!(out, "A log in {}\n", words::path(path))?;

    log::write(&directory)?;
    step(
        out,
        "1 append",
        "Six records, flushed: from here on nothing may lose them. A file is full after three.",
    )?;
    let torn = log::tear(&directory)?;
    step(
        out,
        "2 crash",
        &format!(
            "The machine dies while it writes a seventh: {} of its {} bytes are on the disk.",
            torn.there, torn.whole
        ),
    )?;
    step(
        out,
        "3 verify",
        "What is there, what is wrong, byte by byte, and why it may go:",
    )?;
    let id = verify(&directory, out)?;
    writeln!(out)?;
    step(
        out,
        "4 repair",
        &format!("Plan {id}, as it was shown, under a lock. What is cut is kept:"),
    )?;
    let exit = repair::briefly(&directory, &args(path, id), out)?;
    writeln!(out)?;
    step(
        out,
        "5 read",
        "All that was flushed is there, and the next append goes on at offset 6:",
    )?;
    read(&directory, out)?;
    writeln!(out)?;
    Ok(exit)
}

/// Shows what `verify` shows, without what is said before. Gives the id of the plan.
fn verify(directory: &Arc<dyn Directory>, out: &mut Out<'_>) -> Result<String, Failure> {
    let question = Question::planned(SAID, Planning::default());
    look::shard(directory, question, look::quick(), |seen| {
        let verdict = Verdict::of(seen);
        segments::show(seen, &verdict, out)?;
        explain::findings(seen, &verdict, out)?;
        let plan = seen.opening.plan.as_ref();
        Ok(plan.map_or_else(String::new, |plan| plan.id().to_string()))
    })
}

fn read(directory: &Arc<dyn Directory>, out: &mut Out<'_>) -> Result<(), Failure> {
    let log = ReadOnlyLog::open_in(
        Arc::clone(directory),
        &Config::default(),
        &log::environment(),
    )?;
    let mut records = log.read(0, Bound::Tail)?;
    while let Some(record) = records.next()? {
        let when = time::instant(record.timestamp_micros());
        let payload = words::glimpse(record.payload());
        writeln!(out, "  {}  {when}  {payload}", record.offset())?;
    }
    Ok(())
}

const SAID: Said = Said {
    kind: None,
    open_at: 0,
    index_spacing: 4096,
};

/// As `ondisk repair --yes --plan ID` has them.
fn args(path: &Path, id: String) -> Repair {
    Repair {
        directory: path.to_owned(),
        yes: true,
        plan: vec![id],
        only: Vec::new(),
        offline: false,
        json: false,
        planning: Planning::default(),
        taken_as: Some(DirectoryKind::Shard),
        said: SAID,
        work: Work { jobs: None },
    }
}
