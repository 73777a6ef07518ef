//! `ondisk verify`: checks a shard or a data directory and says what an open would do, byte by byte and why.

mod notes;
pub(crate) mod root;
mod segments;
mod shard;
mod steps;
pub(crate) mod top;

use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::recovery::Provable;

use crate::args::{DirectoryKind, Verify};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::Question;
use crate::output::{Out, words};
use crate::place::{self, Place};

/// Checks one directory.
pub(crate) fn run(args: &Verify, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let directory = directory(args)?;
    let kind = match args.taken_as {
        Some(kind) => kind,
        None => place::directory_kind(&directory)?,
    };
    match kind {
        DirectoryKind::Shard => shard::run(&directory, args, out),
        DirectoryKind::Root => root::run(directory, args, out),
    }
}

fn directory(args: &Verify) -> Result<Arc<dyn Directory>, Failure> {
    let path = words::path(&args.directory);
    match place::find(&args.directory)? {
        Place::Directory(directory) => Ok(directory),
        Place::File(_) => Err(Failure::usage(
            format!("{path} is a file, not a directory"),
            format!("`ondisk inspect {path}` looks at a single file"),
        )),
        Place::Irregular(irregular) => Err(Failure::usage(
            format!("{path} is {}, not a directory", irregular.what),
            "name a shard directory or a data directory",
        )),
    }
}

/// What is asked, with the settings that the command line gives.
fn question(args: &Verify) -> Question {
    let mut question = Question::new(args.said);
    let settings = &mut question.settings;
    settings.verify_all_on_open = !args.as_open;
    settings.repair_checksum_tail = args.repair_checksum_tail;
    if args.strict {
        settings.provable = Provable::STRICT;
    }
    settings.provable.zero_tail_without_mark = args.zero_tail_without_mark;
    question
}
