//! What a log promises, and that it was broken.

use std::fmt;

/// A promise of the engine, in the words of `docs/durability.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Promise {
    /// After a power cut an open is never refused.
    Opens,
    /// What was acknowledged as durable is there, whole and in order, and nothing was acknowledged that is not.
    KeepsAcknowledged,
    /// Nothing appears that was not appended, and no record past a cut comes back.
    InventsNothing,
    /// No offset between the base and the tail is missing.
    HasNoHole,
    /// The base is where it was, or on the way to where retention or a reset moves it.
    KeepsItsBase,
    /// The history of generations is the old one or the new one.
    KeepsEpochs,
    /// The accepted generation and its leader are the old ones or the new ones, and a vote that was given survives.
    KeepsVotes,
    /// The commit is one that was stored, and never above what was advanced to.
    KeepsTheCommit,
    /// The list of offloaded segments is the old one or the new one, and names nothing that was cut off.
    KeepsTheManifest,
    /// What is known of producers is what the records say.
    KnowsProducers,
    /// What an open has shown survives the next power cut.
    ShowsOnlyWhatLasts,
    /// One recovery is enough: a second open finds nothing to do.
    Converges,
    /// A log that was recovered, or whose disk works again, takes appends.
    GoesOn,
    /// After a failed sync nothing is acknowledged until the log is opened again.
    StaysPoisoned,
    /// A call fails only when something failed, and says what.
    FailsForAReason,
    /// Nothing panics.
    NeverPanics,
    /// A data directory knows its shards, streams and identity as it was told, old or new.
    KeepsTheStore,
    /// A copy holds what was durable when it was made.
    CopiesWhole,
    /// A loss that a lying disk causes is reported by name, and none is where a power cut caused none.
    TellsOfLosses,
}

impl Promise {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::Opens,
        Self::KeepsAcknowledged,
        Self::InventsNothing,
        Self::HasNoHole,
        Self::KeepsItsBase,
        Self::KeepsEpochs,
        Self::KeepsVotes,
        Self::KeepsTheCommit,
        Self::KeepsTheManifest,
        Self::KnowsProducers,
        Self::ShowsOnlyWhatLasts,
        Self::Converges,
        Self::GoesOn,
        Self::StaysPoisoned,
        Self::FailsForAReason,
        Self::NeverPanics,
        Self::KeepsTheStore,
        Self::CopiesWhole,
        Self::TellsOfLosses,
    ];
}

/// A promise that was broken, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which.
    pub promise: Promise,
    /// What was found, and what is right.
    pub what: String,
    /// Where, from the outermost to the innermost place.
    pub place: Vec<String>,
}

impl Violation {
    /// A broken promise at a place that the callers name.
    pub fn new(promise: Promise, what: impl Into<String>) -> Self {
        Self {
            promise,
            what: what.into(),
            place: Vec::new(),
        }
    }

    /// The same, inside of `place`.
    #[must_use]
    pub fn within(mut self, place: impl Into<String>) -> Self {
        self.place.insert(0, place.into());
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is broken: {}", self.promise, self.what)?;
        if self.place.is_empty() {
            return Ok(());
        }
        write!(f, "\n  at {}", self.place.join(", "))
    }
}

impl std::error::Error for Violation {}
