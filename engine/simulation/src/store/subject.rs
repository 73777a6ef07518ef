//! A script as something to explore.

use ondisk::felix::RunPhase;
use ondisk_engine::disk::simulated::SimulatedDisk;

use super::check::check;
use super::found::Found;
use super::run::Run;
use super::survives::survives;
use super::{Ledger, Script, background, start};
use crate::explore::{Subject, Trail};
use crate::promise::Violation;

impl Subject for Script {
    type Expectation = Ledger;

    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, disk: SimulatedDisk) -> Result<Vec<Trail<Ledger>>, Violation> {
        Run::new(self, disk).go()
    }

    /// Starts, and opens every shard.
    fn recover(&self, disk: &SimulatedDisk) {
        // What it says is of no interest here: whoever cuts it looks at the disk.
        if let Ok(store) = start(disk, self.early, &background()) {
            let _ = Found::whole(&store, disk, self);
        }
    }

    /// It says that a run began, and makes the first storage id.
    fn recovering(&self, expected: &Ledger) -> Ledger {
        let mut cut = expected.clone();
        cut.identity.runs.push(Some(RunPhase::Running));
        cut.identity.any_id |= cut.identity.ids.contains(&None);
        cut
    }

    fn check(&self, disk: &SimulatedDisk, expected: &Ledger, seed: u64) -> Result<(), Violation> {
        check(disk, self, expected, seed)
    }

    fn survives(&self, disk: &SimulatedDisk, expected: &Ledger) -> Result<(), Violation> {
        survives(disk, self, expected)
    }
}
