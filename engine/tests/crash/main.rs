//! Power cuts at every operation of short scripts, on a simulated disk.
//!
//! Each script is run once for each of its operations, with the power cut there. Many disks are made of what was there; on
//! each the log must open, hold what was acknowledged and nothing that was not appended, and go on. The recovery itself is
//! cut at each of its operations, and must come to a log that is right all the same.

mod run;
mod scripts;
mod state;

use std::collections::HashSet;
use std::sync::Arc;

use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::felix::log::{Environment, Log};

use run::Run;
use scripts::Script;
use state::Found;

/// Disks made of one moment.
const SEEDS: u64 = 8;

/// Of those, how many have their recovery cut as well.
const RECOVERIES_CUT: u64 = 1;

/// A clock that stands still, and no thread.
pub fn environment() -> Environment {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(1_000_000));
    Environment {
        background: Background::manual(Arc::clone(&clock)),
        clock,
        ..Environment::default()
    }
}

/// The directory of the shard, which is there from the start.
pub fn shard(disk: &SimulatedDisk) -> Arc<dyn Directory> {
    disk.root()
}

#[test]
fn every_operation_of_every_script() {
    let mut states = HashSet::new();
    for script in scripts::all() {
        let mut at = 0;
        loop {
            let disk = SimulatedDisk::new();
            let mut run = Run::new(&script, disk.clone());
            disk.arm(Some(Fault::PowerCut { at }));
            let finished = run.go();
            for seed in 0..SEEDS {
                let found = disk.after(Model::PowerCut, seed);
                if disk.is_dirty() && !states.insert((script.name, at, found.fingerprint())) {
                    continue;
                }
                let place = format!("{}, cut at {at}, disk {seed}", script.name);
                check(&script, &run, &found, &place, seed < RECOVERIES_CUT);
            }
            if finished {
                break;
            }
            at += 1;
        }
        assert!(at > 5, "{} hardly does anything", script.name);
    }
    let distinct = states.len();
    assert!(distinct > 2000, "only {distinct} distinct disks");
}

fn check(script: &Script, run: &Run<'_>, disk: &SimulatedDisk, place: &str, cut_recovery: bool) {
    let log = Log::open_in(shard(disk), script.config(), &environment())
        .unwrap_or_else(|error| panic!("{place}: {error}"));
    run.check(&Found::of(&log), place);
    let goes_on = log.append(&[ondisk_engine::felix::log::Entry::new(b"goes on").at(1)]);
    goes_on
        .unwrap_or_else(|error| panic!("{place}: {error}"))
        .wait()
        .unwrap_or_else(|error| panic!("{place}: {error}"));
    let tail = log.tail();
    log.close()
        .unwrap_or_else(|error| panic!("{place}: {error}"));
    let again = Log::open_in(shard(disk), script.config(), &environment())
        .unwrap_or_else(|error| panic!("{place}: opened again: {error}"));
    assert_eq!(again.recovered().reports, [], "{place}: opened again");
    assert_eq!(again.tail(), tail, "{place}: opened again");
    if cut_recovery {
        recover_with_cuts(script, run, place);
    }
}

/// Cuts the power at each operation of a recovery.
fn recover_with_cuts(script: &Script, run: &Run<'_>, place: &str) {
    for at in 0.. {
        let disk = run.disk_after(place);
        let begun = disk.operations();
        disk.arm(Some(Fault::PowerCut { at: begun + at }));
        let opened = Log::open_in(shard(&disk), script.config(), &environment());
        let whole = opened.is_ok();
        drop(opened);
        if whole {
            return;
        }
        let place = format!("{place}, recovery cut at {at}");
        for seed in 0..3 {
            let found = disk.after(Model::PowerCut, seed);
            let log = Log::open_in(shard(&found), script.config(), &environment())
                .unwrap_or_else(|error| panic!("{place}, disk {seed}: {error}"));
            run.check(&Found::of(&log), &place);
        }
    }
}
