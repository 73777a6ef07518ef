//! Power cuts at every operation of repairs and copies, and each of their calls failing.

use ondisk_simulation::copy::copies;
use ondisk_simulation::explore::{Limits, Subject, Tally, explore};
use ondisk_simulation::repair::repairs;

fn explored<S: Subject>(subjects: &[S]) -> u64 {
    let limits = Limits {
        disks: 6,
        recoveries: 1,
        recovery_disks: 1,
        ..Limits::default()
    };
    let mut tally = Tally::default();
    for subject in subjects {
        explore(subject, &limits, &mut tally).unwrap_or_else(|violation| panic!("{violation}"));
    }
    tally.states()
}

#[test]
fn no_power_cut_in_a_repair_loses_anything() {
    let states = explored(&repairs());
    assert!(states > 100, "{states} distinct states");
}

#[test]
fn no_failure_in_a_repair_loses_anything() {
    for repair in repairs() {
        let failures = repair.fail_everywhere();
        let failures = failures.unwrap_or_else(|violation| panic!("{violation}"));
        assert!(failures.runs > 20, "{failures:?}");
    }
}

#[test]
fn a_copy_that_was_made_is_whole_after_a_power_cut() {
    let states = explored(&copies());
    assert!(states > 100, "{states} distinct states");
}

#[test]
fn a_copy_that_fails_leaves_nothing_there() {
    for copy in copies() {
        let failures = copy.fail_everywhere();
        let failures = failures.unwrap_or_else(|violation| panic!("{violation}"));
        assert!(failures.runs > 20, "{failures:?}");
    }
}
