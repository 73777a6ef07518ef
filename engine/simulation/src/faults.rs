//! Every call of a script fails, with every error, once and for good.

use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};

use crate::explore::{Subject, unwinding};
use crate::promise::Violation;
use crate::shard::Script;

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
/// The log is opened again in the same process where it says that it must, and goes on. Power is cut at `cuts` operations
/// behind each.
///
/// # Errors
/// The first promise that is broken.
pub fn fail_everywhere(script: &Script, cuts: u64) -> Result<Failures, Violation> {
    let calls = calls_of(script)?;
    let mut failures = Failures::default();
    for at in 0..calls {
        for fault in faults_at(at) {
            let mut failing = script.clone();
            failing.fault = Some(fault);
            let within =
                |violation: Violation| violation.within(format!("{}, {fault:?}", script.name));
            run(&failing, cuts, &mut failures).map_err(within)?;
        }
    }
    Ok(failures)
}

/// Runs something whose disk lets a call fail, and cuts the power at `cuts` of its operations.
///
/// # Errors
/// The first promise that is broken.
pub fn run<S: Subject>(subject: &S, cuts: u64, failures: &mut Failures) -> Result<(), Violation> {
    let disk = SimulatedDisk::new();
    let trails = unwinding(|| subject.run(disk.clone()))?;
    if disk.struck() == 0 {
        return Ok(());
    }
    failures.runs += 1;
    for trail in &trails {
        let mut moments: Vec<_> = trail
            .moments
            .iter()
            .map(|moment| (moment.at, &moment.disk, trail.expected_at(moment.at)))
            .collect();
        moments.push((trail.end.operations(), &trail.end, trail.expected_at_end()));
        for cut in 0..cuts {
            // Each run looks at other moments, so that all of them see all.
            let seed = failures.runs.wrapping_mul(7).wrapping_add(cut * 13);
            let which = usize::try_from(seed % moments.len() as u64).unwrap_or(0);
            let (at, disk, expected) = moments[which];
            let found = disk.after(Model::PowerCut, seed);
            failures.checks += 1;
            unwinding(|| subject.check(&found, expected, seed)).map_err(|violation| {
                violation.within(format!("cut at operation {at}, disk {seed}"))
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
    script.run(disk.clone())?;
    Ok(disk.calls())
}
