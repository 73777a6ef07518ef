//! Every call of a script fails, with every error, once and for good.

use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};

use crate::explore::{Tally, unwinding};
use crate::promise::Violation;
use crate::shard::{Run, Script, check};

/// The errors that a disk is made to return: `EIO`, `ENOSPC`, `EMFILE`, `EROFS`, `EINTR`.
pub const ERRORS: [(&str, i32); 5] = [
    ("EIO", 5),
    ("ENOSPC", 28),
    ("EMFILE", 24),
    ("EROFS", 30),
    ("EINTR", 4),
];

/// What was let fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// Runs, each with another call or another error.
    pub runs: u64,
    /// Disks after a power cut behind a failure that were opened and held against what was owed.
    pub checks: u64,
}

/// Lets the n-th call of a script fail for every n, with every error, once and for good, and cut short where it writes.
/// The log is opened again in the same process where it says that it must, and goes on. In the end power is cut.
///
/// # Errors
/// The first promise that is broken.
pub fn fail_everywhere(
    script: &Script,
    disks: u64,
    tally: &mut Tally,
) -> Result<Failures, Violation> {
    let calls = calls_of(script)?;
    let mut failures = Failures::default();
    for at in 0..calls {
        for fault in faults_at(at) {
            let mut failing = script.clone();
            failing.fault = Some(fault);
            let within =
                |violation: Violation| violation.within(format!("{}, {fault:?}", script.name));
            run(&failing, disks, tally, &mut failures).map_err(within)?;
        }
    }
    Ok(failures)
}

/// Runs a script whose disk lets a call fail, and cuts the power at some of its operations.
///
/// # Errors
/// The first promise that is broken.
pub fn run(
    script: &Script,
    disks: u64,
    tally: &mut Tally,
    failures: &mut Failures,
) -> Result<(), Violation> {
    let disk = SimulatedDisk::new();
    let trails = unwinding(|| Run::new(script, disk.clone()).go())?;
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
        for seed in 0..disks {
            // Each run looks at other moments, so that all of them see all.
            let which = (failures.runs.wrapping_mul(7).wrapping_add(seed * 13)) % cuts.len() as u64;
            let (at, disk, expected) = cuts[usize::try_from(which).unwrap_or(0)];
            let found = disk.after(Model::PowerCut, failures.runs ^ seed);
            if !tally.state_of(script, at, &found, disk.is_dirty()) {
                continue;
            }
            failures.checks += 1;
            unwinding(|| check(&found, &script.settings, expected, seed)).map_err(|violation| {
                violation.within(format!(
                    "cut at operation {at}, disk {}",
                    failures.runs ^ seed
                ))
            })?;
        }
    }
    Ok(())
}

fn faults_at(at: u64) -> impl Iterator<Item = Fault> {
    let fails = ERRORS.into_iter().flat_map(move |(_, errno)| {
        [false, true].map(|for_good| Fault::Fails {
            at,
            errno,
            for_good,
        })
    });
    fails.chain([Fault::Short { at }])
}

fn calls_of(script: &Script) -> Result<u64, Violation> {
    let disk = SimulatedDisk::new();
    Run::new(script, disk.clone()).go()?;
    Ok(disk.calls())
}
