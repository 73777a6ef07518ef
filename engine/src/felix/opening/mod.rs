//! What an open of a shard does, without doing it (Felix 7.9).
//!
//! The manifest first, then the plan, then the sidecars that are read after it in the order of an open: `epochs`,
//! `replica`, `ballot`, `producers`, and the projection of a cache or counter shard. The first that fails is what the open
//! fails with.

mod holds;
mod sidecars;

pub use holds::{Held, Hold, holds};
pub use sidecars::Sidecars;

use ondisk::felix::EpochEntry;
use ondisk::felix::name::Sidecar;

use super::error::{Corruption, StorageError};
use super::mark::Mark;
use super::producer::{self, Rebuilt};
use super::projection::{cache, counter};
use super::reader::Reader;
use super::recovery::{Category, Plan, Refusal, Report, Scans, Settings, plan};
use super::sidecar::Loaded;
use super::sidecar::accepted::Accepted;
use super::sidecar::epochs;

/// What the records of a shard are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// Opaque payloads: streams, their groups and dead letters.
    #[default]
    Stream,
    /// Cache records.
    Cache,
    /// Counter records.
    Counter,
}

/// What an open of a shard comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The plan; none when the manifest already fails the open.
    pub plan: Option<Plan>,
    /// What the open fails with: the manifest, the plan, or what is read after it.
    pub refusal: Option<Refusal>,
    /// What the shard's state is afterwards; as far as the open gets.
    pub state: State,
}

/// The state of an open shard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Where each generation began; entries past the tail are dropped.
    pub epochs: Vec<EpochEntry>,
    /// Which leader is accepted.
    pub accepted: Option<Accepted>,
    /// What is known of producers.
    pub producers: Option<Rebuilt>,
    /// What the records amount to, for a cache or counter shard.
    pub projection: Option<Projection>,
}

/// What the records of a cache or counter shard amount to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projection {
    /// Of a cache.
    Cache(cache::Projected),
    /// Of counters.
    Counters(counter::Counters),
}

/// Finds what an open under `settings` would do. Changes nothing.
///
/// ```
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::opening::{LogKind, Sidecars, open};
/// use ondisk_engine::felix::recovery::{Category, Scans, Settings};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// # let segment = path.join("00000000000000000000.log");
/// # let mut segment = std::fs::File::options().append(true).open(segment)?;
/// # std::io::Write::write_all(&mut segment, b"torn")?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let scans = Scans::new(&shard, Access::default());
/// let sidecars = Sidecars::load(&shard)?;
/// let opening = open(&scans, &sidecars, LogKind::Stream, &Settings::default())?;
/// assert_eq!(opening.category(), Category::Repaired(vec!["torn_tail"]));
/// assert!(opening.state.producers.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`plan`], and [`StorageError::Io`] when a segment cannot be read. Damage is no error of this call.
pub fn open(
    scans: &Scans<'_>,
    sidecars: &Sidecars,
    kind: LogKind,
    settings: &Settings,
) -> Result<Opening, StorageError> {
    let manifest = match required(&sidecars.manifest, Sidecar::Manifest) {
        Ok(manifest) => manifest.map_or(&[][..], Vec::as_slice),
        Err(refusal) => {
            return Ok(Opening {
                plan: None,
                refusal: Some(refusal),
                state: State::default(),
            });
        }
    };
    let plan = plan(scans, Mark::from(&sidecars.mark), manifest, settings)?;
    let mut opening = Opening {
        refusal: plan.refusal.clone(),
        plan: Some(plan),
        state: State::default(),
    };
    if let Err(refusal) = opening.after_plan(scans, sidecars, kind, settings.open_at)? {
        opening.refusal = Some(refusal);
    }
    Ok(opening)
}

impl Opening {
    /// What the open comes to.
    #[must_use]
    pub fn category(&self) -> Category {
        Category::of(self.reports(), self.refusal.as_ref())
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.refusal.is_none() && !self.reports().iter().any(Report::is_damage)
    }

    /// The findings of the plan.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        self.plan
            .as_ref()
            .map_or(&[], |plan| plan.reports.as_slice())
    }

    fn after_plan(
        &mut self,
        scans: &Scans<'_>,
        sidecars: &Sidecars,
        kind: LogKind,
        open_at: u64,
    ) -> Result<Result<(), Refusal>, StorageError> {
        let plan = self.plan.as_ref().filter(|plan| plan.refusal.is_none());
        let Some(plan) = plan else { return Ok(Ok(())) };
        let state = &mut self.state;
        // A fresh log ends where it begins.
        let tail = plan.log.as_ref().map_or(open_at, |log| log.tail);
        state.epochs = epochs::up_to(&sidecars.epochs, tail);
        let replica = match required(&sidecars.replica, Sidecar::Replica) {
            Ok(replica) => replica,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let ballot = match required(&sidecars.ballot, Sidecar::Ballot) {
            Ok(ballot) => ballot,
            Err(refusal) => return Ok(Err(refusal)),
        };
        state.accepted = Some(Accepted::of(replica, ballot));
        let Some(log) = &plan.log else {
            return Ok(Ok(()));
        };
        let reader = Reader::new(scans, log);
        match producer::rebuild(&reader, &sidecars.producers)? {
            Ok(rebuilt) => state.producers = Some(rebuilt),
            Err(corruption) => return Ok(Err(corrupt(corruption))),
        }
        let projection = match kind {
            LogKind::Stream => return Ok(Ok(())),
            LogKind::Cache => cache::project(&reader, &sidecars.keys)?.map(Projection::Cache),
            LogKind::Counter => counter::project(&reader)?.map(Projection::Counters),
        };
        Ok(match projection {
            Ok(projection) => {
                state.projection = Some(projection);
                Ok(())
            }
            Err(corruption) => Err(corrupt(corruption)),
        })
    }
}

fn corrupt(corruption: Corruption) -> Refusal {
    Refusal::Corruption {
        corruption,
        opt_in: None,
    }
}

/// The value of an authoritative file, none when it is absent; or why the open is refused.
fn required<T>(loaded: &Loaded<T>, sidecar: Sidecar) -> Result<Option<&T>, Refusal> {
    let file = sidecar.file_name();
    match loaded {
        Loaded::Absent => Ok(None),
        Loaded::Sound(value) => Ok(Some(value)),
        Loaded::Damaged(damage) => Err(Refusal::Sidecar {
            file,
            damage: *damage,
        }),
        Loaded::Irregular | Loaded::Unreadable(_) => Err(Refusal::Irregular {
            file: file.to_owned(),
        }),
    }
}
