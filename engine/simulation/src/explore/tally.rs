//! Counting states, each once.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use ondisk_engine::disk::simulated::SimulatedDisk;

use super::Place;

/// The states that were met.
///
/// A state is a script, an operation, and a disk that a power cut there left. It counts when something was unsynced in it,
/// and once: an exploration that finds the same disk at the same place again has learned nothing.
#[derive(Debug, Default)]
pub struct Tally {
    met: HashSet<u64>,
    states: u64,
    checks: u64,
}

impl Tally {
    /// Distinct states in which something was unsynced.
    #[must_use]
    pub const fn states(&self) -> u64 {
        self.states
    }

    /// Disks that were opened and held against what was owed.
    #[must_use]
    pub const fn checks(&self) -> u64 {
        self.checks
    }

    /// Adds what another exploration found, of other subjects.
    pub fn add(&mut self, other: &Self) {
        self.met.extend(&other.met);
        self.states += other.states;
        self.checks += other.checks;
    }

    /// Whether this state is a new one.
    pub(super) fn state(
        &mut self,
        subject: &str,
        place: Place,
        disk: &SimulatedDisk,
        dirty: bool,
    ) -> bool {
        let mut hasher = DefaultHasher::new();
        (subject, place, disk.fingerprint()).hash(&mut hasher);
        let new = self.met.insert(hasher.finish());
        self.states += u64::from(new && dirty);
        new
    }

    pub(super) const fn checked(&mut self) {
        self.checks += 1;
    }
}
