//! Many explorations at once, in as many threads as are wanted.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::draw;
use crate::explore::{Limits, Tally, explore};
use crate::promise::Violation;
use crate::shard::Script;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Distinct states and checks, over all scripts.
    pub tally: Tally,
    /// Scripts that were explored.
    pub scripts: u64,
    /// The promises that were broken, with the script of each.
    pub violations: Vec<(Script, Violation)>,
}

/// Steps of a random script at most.
pub const STEPS: usize = 30;

/// Violations after which nothing more is explored.
const ENOUGH: usize = 5;

/// Explores these scripts, then random ones, of the seeds from `seed` on, until that makes `states` distinct states.
/// `progress` is told of each script when it is done, with the states so far.
pub fn until(
    states: u64,
    scripts: &[Script],
    seed: u64,
    limits: &Limits,
    threads: usize,
    progress: &(dyn Fn(&str, u64) + Sync),
) -> Outcome {
    let next = AtomicUsize::new(0);
    let met = AtomicU64::new(0);
    let all = Mutex::new(Outcome::default());
    let work = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let is_enough = all
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .violations
                .len()
                >= ENOUGH;
            let drawn;
            let script = match scripts.get(number) {
                Some(script) => script,
                None if met.load(Ordering::Relaxed) >= states => break,
                None => {
                    drawn = draw::script(seed + (number - scripts.len()) as u64, STEPS);
                    &drawn
                }
            };
            if is_enough {
                break;
            }
            let before = tally.states();
            let explored = explore(script, limits, &mut tally);
            let found = tally.states() - before;
            let so_far = met.fetch_add(found, Ordering::Relaxed) + found;
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.scripts += 1;
            if let Err(violation) = explored {
                all.violations.push((script.clone(), violation));
            }
            progress(&script.name, so_far);
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.tally.add(&tally);
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}
