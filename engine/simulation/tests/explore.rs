//! Power cuts at every operation of every script, and of random ones, on a simulated disk.

use std::num::NonZero;
use std::thread::available_parallelism;

use ondisk_engine::disk::simulated::Model;
use ondisk_simulation::campaign::{Outcome, until};
use ondisk_simulation::draw;
use ondisk_simulation::explore::Limits;
use ondisk_simulation::shard::{Script, scripts};

fn explored(states: u64, seed: u64, limits: &Limits) -> Outcome {
    let threads = available_parallelism().map_or(1, NonZero::get);
    until(states, &scripts(), seed, limits, threads, &|_, _| {})
}

fn told(outcome: &Outcome) -> String {
    let each = |(script, violation): &(Script, _)| format!("{violation}\n{script}\n");
    outcome.violations.iter().map(each).collect()
}

#[test]
fn no_power_cut_breaks_a_promise() {
    let outcome = explored(100_000, 0, &Limits::default());
    assert!(outcome.violations.is_empty(), "{}", told(&outcome));
    let states = outcome.tally.states();
    assert!(states >= 100_000, "{states} distinct states");
}

#[test]
fn no_lying_disk_loses_in_silence() {
    for (seed, model) in [
        Model::StaleBlocks,
        Model::Garbage,
        Model::BitRot,
        Model::Hostile,
    ]
    .into_iter()
    .enumerate()
    {
        let limits = Limits {
            model,
            recoveries: 0,
            disks: 8,
            ..Limits::default()
        };
        let outcome = explored(5_000, 1000 * seed as u64, &limits);
        assert!(
            outcome.violations.is_empty(),
            "{model:?}: {}",
            told(&outcome)
        );
    }
}

#[test]
fn a_script_is_its_text() {
    let drawn = (0..200).map(|seed| draw::script(seed, 30));
    for script in scripts().into_iter().chain(drawn) {
        let again: Script = script.to_string().parse().expect("a script");
        assert_eq!(again, script);
    }
}

#[test]
fn a_seed_gives_one_script() {
    assert_eq!(draw::script(7, 30), draw::script(7, 30));
    assert_ne!(draw::script(7, 30).ops, draw::script(8, 30).ops);
}
