//! Random operations on a log, held against a log in memory that follows the specification alone.

mod gates;
#[path = "../log/look.rs"]
mod look;
mod model;
mod named;
mod op;
mod producers;
mod refused;
mod run;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::run::Pair;

proptest! {
    #![proptest_config(proptest_config())]

    #[test]
    fn a_log_and_its_model_agree(config in op::config(), ops in op::ops()) {
        Pair::run(&ops.0, config.config());
    }
}

/// What went wrong once is kept beside the file and tried again first.
fn proptest_config() -> ProptestConfig {
    ProptestConfig {
        cases: cases(),
        max_shrink_iters: 4000,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

/// As many as fit into some seconds, unless the environment wants another number.
fn cases() -> u32 {
    let wanted = std::env::var("PROPTEST_CASES");
    wanted.map_or(600, |cases| cases.parse().expect("a number"))
}
