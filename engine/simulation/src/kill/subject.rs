//! What is written and killed: one log, or a data directory.

use std::path::Path;

use ondisk_engine::felix::log::Log;

use super::doing::Doing;
use super::look::Look;
use super::opened::compare;
use super::oracle::{Known, Lost};
use super::said::{Act, Ends, Line, Said};
use super::settings::Settings;
use super::store::KnownRoot;

/// What is known of it.
#[derive(Clone, Debug)]
pub enum Subject {
    /// One log.
    Log(Box<Known>),
    /// A data directory.
    Store(Box<KnownRoot>),
}

/// How many records were there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// For which an append had returned.
    pub known: u64,
    /// For which none had.
    pub in_flight: u64,
}

impl Subject {
    /// One that is not there yet.
    #[must_use]
    pub fn new(is_store: bool, settings: &Settings) -> Self {
        match is_store {
            true => Self::Store(Box::new(KnownRoot::new(settings))),
            false => Self::Log(Box::new(Known::new(settings))),
        }
    }

    /// What the writer is at.
    #[must_use]
    pub fn doing(&self) -> Doing {
        match self {
            Self::Log(known) => known.doing(),
            Self::Store(known) => known.doing(),
        }
    }

    /// Takes in what the writer says.
    ///
    /// # Errors
    /// Why that cannot be, or that a call failed.
    pub fn hear(&mut self, line: &Line) -> Result<(), String> {
        match (self, line) {
            (Self::Log(known), Line::Shard(_, said)) => known.hear(said),
            (Self::Store(known), Line::Shard(place, said)) => known.hear_of(*place, said),
            (Self::Store(known), Line::Root(said)) => known.hear(said),
            (_, Line::Failed(why)) => Err(format!("the writer failed: {why}")),
            (Self::Log(_), Line::Root(_)) => Err(format!("of one log: {line}")),
        }
    }

    /// Holds what lies at `path` against what was said, after a kill, and goes on from there. Changes nothing on the disk.
    ///
    /// # Errors
    /// What is not there, or should not be.
    pub fn hold(&mut self, path: &Path, reports: &mut Vec<&'static str>) -> Result<Count, String> {
        match self {
            Self::Store(known) => known
                .hold(path)
                .map(|(known, in_flight)| Count { known, in_flight }),
            Self::Log(known) => {
                let look = Look::at(path)?;
                let held = known.hold(look.as_ref(), Lost::Nothing)?;
                let count = Count {
                    known: held.known,
                    in_flight: held.in_flight,
                };
                known.settle(look.as_ref(), held);
                let found = look.iter().flat_map(Look::reports);
                reports.extend(found.map(|report| report.name()));
                Ok(count)
            }
        }
    }

    /// Opens it in this process, compares it with what a look at it sees, and closes it; then it is sound.
    ///
    /// # Errors
    /// What is different.
    pub fn open_and_close(&mut self, path: &Path, settings: &Settings) -> Result<(), String> {
        let known = match self {
            Self::Store(known) => return known.start_and_stop(path),
            Self::Log(known) => known,
        };
        let Some(look) = Look::at(path)? else {
            return Ok(());
        };
        known.hear(&Said::Begin(Act::Open))?;
        let opened = Log::open(path, settings.checking());
        let log = opened.map_err(|error| format!("open: {error}"))?;
        known.hear(&Said::Done(Ends::of(&log)))?;
        compare(&log, &look)?;
        known.hear(&Said::Begin(Act::Close))?;
        log.close().map_err(|error| format!("close: {error}"))?;
        known.hear(&Said::Done(Ends::of(&log)))?;
        let look = Look::at(path)?;
        let held = known.hold(look.as_ref(), Lost::Nothing)?;
        known.settle(look.as_ref(), held);
        Ok(())
    }
}
