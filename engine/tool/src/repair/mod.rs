//! `ondisk repair`: does what `verify` plans, under the lock, and keeps whatever it cuts.

mod ahead;
mod consent;
mod document;
mod held;
mod root;
mod shard;
mod show;
mod still;

use std::sync::Arc;

use ondisk_engine::disk::Directory;

use crate::args::{DirectoryKind, Repair};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::look::Question;
use crate::output::Out;
use crate::place;

pub(crate) use still::is_disturbed;

/// Repairs one directory.
pub(crate) fn run(args: &Repair, out: &mut Out<'_>) -> Result<Exit, Failure> {
    consent::check(args)?;
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

/// Repairs a shard that lies by itself, and says in a few lines what it does.
pub(crate) fn briefly(
    directory: &Arc<dyn Directory>,
    args: &Repair,
    out: &mut Out<'_>,
) -> Result<Exit, Failure> {
    let task = shard::Task {
        directory,
        root: None,
        question: Question::planned(args.said, args.planning),
        args,
    };
    task.run(&mut shard::Told::Briefly(out))
}
