//! A look at one shard: what is there, and what an open would do about it.
//!
//! A live directory is judged at the lengths first seen. What a writer did meanwhile can make a moment look like damage,
//! a mark that is ahead of the length for one; then the directory is looked at again, a few times.

mod verdict;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::opening::{self, LogKind, Opening, Sidecars};
use ondisk_engine::felix::recovery::{Provable, Scans, Settings};
use ondisk_engine::felix::segment::{Access, Mode};
use ondisk_engine::felix::shard::{Moved, Shard, is_moved};
use rustix::process::{Resource, getrlimit};

use crate::args::{self, Planning, Said, Work};
use crate::failure::Failure;
use crate::place;

pub(crate) use verdict::{Verdict, Weight};

/// What is asked about a shard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    /// The settings of the open.
    pub(crate) settings: Settings,
    /// What its records are, if the caller says so.
    pub(crate) kind: Option<args::LogKind>,
}

impl Question {
    /// What an open with default settings would do.
    pub(crate) fn new(said: Said) -> Self {
        let settings = Settings {
            index_spacing_bytes: said.index_spacing,
            open_at: said.open_at,
            ..Settings::default()
        };
        Self {
            settings,
            kind: said.kind,
        }
    }

    /// What `verify` asks, and with it `repair`.
    pub(crate) fn planned(said: Said, planning: Planning) -> Self {
        let mut question = Self::new(said);
        let settings = &mut question.settings;
        settings.verify_all_on_open = !planning.as_open;
        settings.repair_checksum_tail = planning.repair_checksum_tail;
        if planning.strict {
            settings.provable = Provable::STRICT;
        }
        settings.provable.zero_tail_without_mark = planning.zero_tail_without_mark;
        question
    }
}

/// A shard as it was seen.
pub(crate) struct Seen<'a> {
    pub(crate) shard: &'a Shard,
    pub(crate) scans: &'a Scans<'a>,
    pub(crate) sidecars: Sidecars,
    pub(crate) settings: Settings,
    pub(crate) kind: LogKind,
    pub(crate) opening: Opening,
    /// What changed while it was looked at.
    pub(crate) moved: Vec<Moved>,
}

/// Looks at most so many times at a directory that does not stand still.
const LOOKS: u32 = 5;

/// Looks at the shard in `directory`, and hands what was seen to `then`.
pub(crate) fn shard<R>(
    directory: &Arc<dyn Directory>,
    question: Question,
    access: Access<'_>,
    then: impl FnOnce(&Seen<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let mut look = 1;
    loop {
        // The name and not the path: a plan is the same wherever its directory is reached from.
        let label = place::own_name(directory.path());
        let last = look >= LOOKS;
        let again = match Shard::look(Arc::clone(directory), label) {
            Ok(shard) => {
                let scans = Scans::new(&shard, access);
                match see(&shard, &scans, question) {
                    Ok(seen) if last || !Verdict::of(&seen).is_unsettled() => return then(&seen),
                    Ok(_) => None,
                    Err(error) => Some(error),
                }
            }
            Err(error) => Some(error),
        };
        if let Some(error) = again
            && (last || !is_moved(&error))
        {
            return Err(error.into());
        }
        thread::sleep(Duration::from_millis(20 * u64::from(look)));
        look += 1;
    }
}

fn see<'a>(
    shard: &'a Shard,
    scans: &'a Scans<'a>,
    question: Question,
) -> Result<Seen<'a>, StorageError> {
    let kind = place::log_kind(question.kind, shard);
    if question.settings.verify_all_on_open {
        // Each segment is looked at, whatever the plan comes to before it gets to it.
        let ids: Vec<u64> = shard
            .segments()
            .filter_map(|segment| segment.bytes.map(|_| segment.id))
            .collect();
        scans.warm(&ids);
    }
    let sidecars = Sidecars::load(shard)?;
    let opening = opening::open(scans, &sidecars, kind, &question.settings)?;
    let moved = shard.moved()?;
    Ok(Seen {
        shard,
        scans,
        sidecars,
        settings: question.settings,
        kind,
        opening,
        moved,
    })
}

/// Threads by default: a shard is read faster by several, a disk by no more than these.
const MOST_JOBS: usize = 8;

/// Address space that a thread may take for itself.
const SPACE_PER_JOB: u64 = 256 << 20;

/// How segments are read: through a window, and dropped from the page cache again, so that a look at a broker's data
/// pushes out nothing of what the broker works with.
pub(crate) fn access(work: Work) -> Access<'static> {
    let jobs = work.jobs.unwrap_or_else(|| {
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let space = getrlimit(Resource::As).current.unwrap_or(u64::MAX) / SPACE_PER_JOB;
        let jobs = processors
            .min(MOST_JOBS)
            .min(usize::try_from(space).unwrap_or(MOST_JOBS));
        NonZeroUsize::new(jobs).unwrap_or(NonZeroUsize::MIN)
    });
    Access {
        mode: Mode::WindowedOnce,
        jobs,
        progress: None,
    }
}

/// By one thread, for a look ahead of something else.
pub(crate) fn quick() -> Access<'static> {
    Access {
        mode: Mode::Windowed,
        ..Access::default()
    }
}

#[cfg(test)]
mod tests;
