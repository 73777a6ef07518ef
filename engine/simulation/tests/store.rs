//! Power cuts at every operation of scripts on a data directory, and each of their calls failing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use ondisk_engine::disk::simulated::Model;
use ondisk_engine::planted::{self, Planted};
use ondisk_simulation::explore::{Limits, Tally, explore};
use ondisk_simulation::promise::{Promise, Violation};
use ondisk_simulation::store::{Script, fail_everywhere, scripts};

/// Does something with every script, in two threads.
fn each(act: impl Fn(&Script) -> Result<(), Violation> + Sync) {
    let scripts = scripts();
    let next = AtomicUsize::new(0);
    let broken = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(script) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(violation) = act(script) {
                        let mut broken = broken.lock().expect("no panic under it");
                        broken.push(format!("{violation}\n{script}"));
                    }
                }
            });
        }
    });
    let broken = broken.into_inner().expect("no panic under it");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn no_power_cut_breaks_a_promise() {
    let limits = Limits {
        disks: 2,
        recoveries: 0,
        ..Limits::default()
    };
    let states = AtomicU64::new(0);
    each(|script| {
        let mut tally = Tally::default();
        explore(script, &limits, &mut tally)?;
        states.fetch_add(tally.states(), Ordering::Relaxed);
        Ok(())
    });
    let states = states.into_inner();
    assert!(states > 2_000, "{states} distinct states");
}

#[test]
fn no_power_cut_in_a_start_breaks_a_promise() {
    let limits = Limits {
        disks: 1,
        recoveries: 1,
        recovery_disks: 1,
        ..Limits::default()
    };
    let script = "append streams/orders/0@1 10
                  append streams/orders/0@2 10
                  delete streams orders 2";
    let script: Script = script.parse().expect("a script");
    let explored = explore(&script, &limits, &mut Tally::default());
    explored.unwrap_or_else(|violation| panic!("{violation}"));
}

/// The same exploration finds a mistake.
#[test]
fn a_planted_mistake_is_found() {
    let limits = Limits {
        recoveries: 0,
        ..Limits::default()
    };
    let script = "append streams/orders/0@1 10
                  node-id";
    let script: Script = script.parse().expect("a script");
    let explored = || explore(&script, &limits, &mut Tally::default());
    explored().unwrap_or_else(|violation| panic!("{violation}"));
    for mistake in [Planted::NewDirectoryNotSynced, Planted::RenameWithoutSync] {
        let violation = planted::with(mistake, explored).expect_err("a violation");
        let promise = violation.promise;
        let found = [Promise::KeepsTheStore, Promise::ShowsOnlyWhatLasts].contains(&promise);
        assert!(found, "{mistake:?}: {violation}");
    }
}

#[test]
fn no_lying_disk_makes_up_a_record() {
    let limits = Limits {
        model: Model::Hostile,
        disks: 2,
        recoveries: 0,
        ..Limits::default()
    };
    each(|script| explore(script, &limits, &mut Tally::default()));
}

#[test]
fn no_failure_breaks_a_promise() {
    let runs = AtomicU64::new(0);
    each(|script| {
        // Some of the calls, others in each script; the command lets all of them fail.
        let failures = fail_everywhere(script, script.ops.len() as u64, 21, 1)?;
        runs.fetch_add(failures.runs, Ordering::Relaxed);
        Ok(())
    });
    let runs = runs.into_inner();
    assert!(runs > 400, "only {runs} failures");
}

#[test]
fn a_script_is_its_text() {
    for script in scripts() {
        let again: Script = script.to_string().parse().expect("a script");
        assert_eq!(again, script);
    }
}
