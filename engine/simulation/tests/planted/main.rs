//! The proof can fail: each planted mistake is found, by the promise that it breaks.
//!
//! With a mistake in the engine a short script is explored as all scripts are, with the power cut at every operation. What
//! is found must be the promise that the mistake breaks. The same exploration of the engine as it is finds nothing.

mod explored;
mod mistakes;
mod new_shard;

use ondisk_engine::planted::{self, Planted};
use ondisk_simulation::promise::Promise;

use explored::Explored;

/// Explores without the mistake, where nothing is broken, and with it, where one of these promises is.
fn is_caught(mistake: Planted, breaks: &[Promise], explored: &Explored) {
    if let Some(violation) = explored.first_violation() {
        panic!("without {mistake:?}: {violation}");
    }
    let Some(violation) = planted::with(mistake, || explored.first_violation()) else {
        panic!("{mistake:?} is not found");
    };
    let promise = violation.promise;
    assert!(breaks.contains(&promise), "{mistake:?}: {violation}");
}
