//! A script that fails is printed as short as it can be, and fails still.

use ondisk_engine::planted::{self, Planted};
use ondisk_simulation::draw;
use ondisk_simulation::explore::{Limits, Tally, explore};
use ondisk_simulation::shard::{Op, Script};
use ondisk_simulation::shrink::shrink;

#[test]
fn a_random_script_that_fails_shrinks_to_what_matters() {
    let limits = Limits {
        recoveries: 0,
        ..Limits::default()
    };
    let fails = |script: &Script| {
        planted::with(Planted::AcknowledgedBeforeFlush, || {
            explore(script, &limits, &mut Tally::default()).is_err()
        })
    };
    let long = (0..)
        .map(|seed| draw::script(seed, 12))
        .find(|script| script.ops.len() == 12 && fails(script))
        .expect("one of them fails");
    let short = shrink(&long, fails);
    assert!(fails(&short));
    // One acknowledged batch is all that it takes.
    assert!(short.ops.len() <= 2, "{short}");
    assert!(
        short
            .ops
            .iter()
            .any(|op| matches!(op, Op::Append(_) | Op::Produce { .. } | Op::Wait))
    );
    let again: Script = short.to_string().parse().expect("a script");
    assert!(fails(&again), "its text fails as well");
}
