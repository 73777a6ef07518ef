//! What is explored besides scripts on one log: data directories, repairs and copies.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::copy::copies;
use crate::explore::{Limits, Subject, Tally, explore};
use crate::faults::Failures;
use crate::promise::Violation;
use crate::repair::repairs;
use crate::store;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Distinct states and checks.
    pub tally: Tally,
    /// Data directories, repairs and copies that were explored.
    pub subjects: u64,
    /// The promises that were broken.
    pub violations: Vec<Violation>,
}

type Exploration = dyn Fn(&Limits, &mut Tally) -> Result<(), Violation> + Send + Sync;

struct Other {
    name: String,
    explore: Box<Exploration>,
}

impl Other {
    fn of<S: Subject + Send + Sync + 'static>(subject: S) -> Self {
        Self {
            name: subject.name().to_owned(),
            explore: Box::new(move |limits, tally| explore(&subject, limits, tally)),
        }
    }
}

/// Cuts the power at every operation of all of them. `progress` is told of each when it is done, with the states so far.
pub fn explore_others(
    limits: &Limits,
    threads: usize,
    progress: &(dyn Fn(&str, u64) + Sync),
) -> Outcome {
    let scripts = store::scripts().into_iter().map(Other::of);
    let repairs = repairs().into_iter().map(Other::of);
    let copies = copies().into_iter().map(Other::of);
    let others: Vec<Other> = scripts.chain(repairs).chain(copies).collect();
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Outcome::default());
    let work = || {
        while let Some(other) = others.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut tally = Tally::default();
            let explored = (other.explore)(limits, &mut tally);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.subjects += 1;
            all.tally.add(&tally);
            all.violations.extend(explored.err());
            progress(&other.name, all.tally.states());
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Lets each call of all of them fail once, with every error, and cuts the power at `cuts` operations behind each failure of a
/// data directory. `told` gets what came of each, by name.
pub fn fail_others(cuts: u64, told: &mut dyn FnMut(&str, Result<Failures, Violation>)) {
    for script in store::scripts() {
        told(&script.name, store::fail_everywhere(&script, 0, 1, cuts));
    }
    for repair in repairs() {
        told(repair.name(), repair.fail_everywhere());
    }
    for copying in copies() {
        told(copying.name(), copying.fail_everywhere());
    }
}
