//! The log engine on a simulated disk, driven by whatever steps the fuzzer draws, with power cuts and failing calls.

use arbitrary::Unstructured;
use ondisk_simulation::draw;
use ondisk_simulation::explore::{Limits, Tally, explore};

/// Steps of a script at most: a short one finds as much, and sooner.
const STEPS: usize = 8;

/// Draws a script from `input`, and cuts the power at each of its operations.
///
/// # Panics
/// With the promise that is broken and the script as it can be replayed.
pub fn check(input: &[u8]) {
    let Ok(script) = draw::script_from(&mut Unstructured::new(input), STEPS) else {
        return;
    };
    let limits = Limits {
        disks: 2,
        recoveries: 1,
        recovery_disks: 1,
        ..Limits::default()
    };
    if let Err(violation) = explore(&script, &limits, &mut Tally::default()) {
        panic!("{violation}\n\n{script}");
    }
}
