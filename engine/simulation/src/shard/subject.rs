//! A script as something to explore.

use ondisk_engine::disk::simulated::SimulatedDisk;

use super::run::Run;
use super::{Expectation, Script, check, environment, open, survives};
use crate::explore::{Subject, Trail};
use crate::promise::Violation;

impl Subject for Script {
    type Expectation = Expectation;

    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, disk: SimulatedDisk) -> Result<Vec<Trail<Expectation>>, Violation> {
        Run::new(self, disk).go()
    }

    fn recover(&self, disk: &SimulatedDisk) {
        let (environment, _) = environment();
        // What it says is of no interest here: whoever cuts it looks at the disk.
        drop(open(disk, &self.settings, &environment));
    }

    fn check(
        &self,
        disk: &SimulatedDisk,
        expected: &Expectation,
        seed: u64,
    ) -> Result<(), Violation> {
        check(disk, &self.settings, expected, seed)
    }

    fn survives(&self, disk: &SimulatedDisk, expected: &Expectation) -> Result<(), Violation> {
        survives(disk, &self.settings, expected)
    }
}
