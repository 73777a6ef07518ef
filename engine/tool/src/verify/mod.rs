//! `ondisk verify`: checks a shard or a data directory and says what an open would do, byte by byte and why.

mod notes;
pub(crate) mod root;
pub(crate) mod segments;
pub(crate) mod shard;
pub(crate) mod steps;
pub(crate) mod top;

use crate::args::{DirectoryKind, Verify};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::Question;
use crate::output::Out;
use crate::place;

/// Checks one directory.
pub(crate) fn run(args: &Verify, out: &mut Out<'_>) -> Result<Exit, Failure> {
    let directory = place::directory(&args.directory)?;
    let kind = match args.taken_as {
        Some(kind) => kind,
        None => place::directory_kind(&directory)?,
    };
    match kind {
        DirectoryKind::Shard => shard::run(&directory, args, out),
        DirectoryKind::Root => root::run(directory, args, out),
    }
}

/// What is asked, with the settings that the command line gives.
fn question(args: &Verify) -> Question {
    Question::planned(args.said, args.planning)
}
