//! Schedules: by chance, and with few changes of thread at the worst moments.

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, Runner};

/// Schedules of each kind, unless the environment says otherwise.
const SCHEDULES: usize = 1500;

/// Changes of thread that are placed, where few are.
const DEPTH: usize = 3;

/// Runs `test` under all of them.
pub fn explore(test: fn()) {
    let asked = std::env::var("COMMIT_MODEL_SCHEDULES").ok();
    let schedules = asked
        .and_then(|number| number.parse().ok())
        .unwrap_or(SCHEDULES);
    let mut config = Config::new();
    config.stack_size = 1 << 17;
    Runner::new(RandomScheduler::new(schedules), config.clone()).run(test);
    Runner::new(PctScheduler::new(DEPTH, schedules), config).run(test);
}
