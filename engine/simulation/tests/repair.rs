//! Power cuts at every operation of repairs and copies, and each of their calls failing.

use ondisk_engine::disk::simulated::Model;
use ondisk_engine::planted::{self, Planted};
use ondisk_simulation::copy::copies;
use ondisk_simulation::explore::{Limits, Subject, Tally, explore};
use ondisk_simulation::promise::Violation;
use ondisk_simulation::repair::repairs;

const LIMITS: Limits = Limits {
    model: Model::PowerCut,
    seed: 0,
    disks: 6,
    recoveries: 1,
    recovery_disks: 1,
};

fn explored<S: Subject>(subjects: &[S]) -> u64 {
    let mut tally = Tally::default();
    for subject in subjects {
        explore(subject, &LIMITS, &mut tally).unwrap_or_else(|violation| panic!("{violation}"));
    }
    tally.states()
}

/// The first violation with a mistake in what writes small files.
fn broken_by_a_mistake<S: Subject>(subjects: &[S]) -> Option<Violation> {
    planted::with(Planted::RenameWithoutSync, || {
        let mut explored = subjects
            .iter()
            .map(|subject| explore(subject, &LIMITS, &mut Tally::default()));
        explored.find_map(Result::err)
    })
}

#[test]
fn a_planted_mistake_is_found() {
    assert!(broken_by_a_mistake(&repairs()).is_some(), "in repairs");
    assert!(broken_by_a_mistake(&copies()).is_some(), "in copies");
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
