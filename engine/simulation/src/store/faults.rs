//! Every call of a script fails.

use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};

use super::Script;
use crate::explore::Subject;
use crate::faults::{Failures, run};
use crate::promise::Violation;

/// The errors that a disk is made to return: `EIO`, `ENOSPC`.
const ERRORS: [i32; 2] = [5, 28];

/// Lets a call of a script fail once, for every `step`-th call from `first` on, with every error. The store goes on, in one
/// run, or is started again, in another; what failed is tried once more, and must be done then. Power is cut at `cuts` of the
/// operations.
///
/// # Errors
/// The first promise that is broken.
pub fn fail_everywhere(
    script: &Script,
    first: u64,
    step: usize,
    cuts: u64,
) -> Result<Failures, Violation> {
    let disk = SimulatedDisk::new();
    script.run(disk.clone())?;
    let mut failures = Failures::default();
    for at in (first..disk.calls()).step_by(step) {
        for errno in ERRORS {
            for restarts in [false, true] {
                let mut failing = script.clone();
                failing.restarts = restarts;
                failing.fault = Some(Fault::Fails {
                    at,
                    errno,
                    for_good: false,
                });
                let place = format!("{}, {:?}, restarts: {restarts}", script.name, failing.fault);
                run(&failing, cuts, &mut failures).map_err(|violation| violation.within(place))?;
            }
        }
    }
    Ok(failures)
}
