//! Every call of a script fails.

use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};

use super::{Script, check};
use crate::explore::{Subject, unwinding};
use crate::faults::Failures;
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

fn run(script: &Script, looks: u64, failures: &mut Failures) -> Result<(), Violation> {
    let disk = SimulatedDisk::new();
    let trails = unwinding(|| script.run(disk.clone()))?;
    if disk.struck() == 0 {
        return Ok(());
    }
    failures.runs += 1;
    for trail in &trails {
        let mut cuts: Vec<_> = trail
            .moments
            .iter()
            .map(|moment| (moment.at, &moment.disk, trail.expected_at(moment.at)))
            .collect();
        cuts.push((trail.end.operations(), &trail.end, trail.expected_at_end()));
        for look in 0..looks {
            // Each run looks at other moments, so that all of them see all.
            let seed = failures.runs.wrapping_mul(7).wrapping_add(look * 13);
            let which = seed % cuts.len() as u64;
            let (at, disk, expected) = cuts[usize::try_from(which).unwrap_or(0)];
            let found = disk.after(Model::PowerCut, seed);
            failures.checks += 1;
            unwinding(|| check::check(&found, script, expected, seed)).map_err(|violation| {
                violation.within(format!("cut at operation {at}, disk {seed}"))
            })?;
        }
    }
    Ok(())
}
