//! Logs that create the next segment and append to it without a sync of the directory: after power loss the file has no
//! name, and the records in it are gone, or the name is there without its header, and the log stays closed.
//! Here the name and the header are durable before a record follows them, and a segment that never held one is recognised
//! and removed (Felix 7.5, 8.3).

use std::collections::BTreeSet;

use ondisk_engine::felix::log::{Config, Environment, Log};

use crate::bench::{
    Right, append_next, as_written, config, environment, goes_on, open, opens, records, reports,
};
use crate::build::{Segment, Shard, length, log_name};
use crate::power::cut_everywhere;

#[test]
fn a_segment_that_was_only_created_leaves_no_gap() {
    for (what, left) in [
        ("no name", None),
        ("a name", Some(0)),
        ("a part of the header", Some(31)),
        ("zeros where the header was to be", Some(32)),
    ] {
        let mut shard = Shard::new()
            .segment(0, &Segment::of(0..4))
            .mark(0, length(4));
        if let Some(zeros) = left {
            shard = shard.file(&log_name(1), &vec![0; zeros]);
        }
        let removed: &[&str] = match left {
            Some(_) => &["abandoned_segment"],
            None => &[],
        };
        let right = Right {
            reports: removed,
            offsets: 0..4,
            saved: &[],
        };
        opens(what, &shard.0, &config(), &right);
    }
}

/// Cuts power at every operation of appends over two rolls. Returns what opens reported.
fn rolls(config: &Config) -> BTreeSet<&'static str> {
    let mut met = BTreeSet::new();
    cut_everywhere(
        |_| {},
        |directory, acknowledged: &mut u64| {
            let environment: Environment = environment();
            let log = Log::open_in(directory.clone(), config.clone(), &environment)?;
            for _ in 0..10 {
                append_next(&log, 1)?;
                *acknowledged = log.tail();
                environment.background.run_ready();
            }
            Ok(())
        },
        |found| {
            let directory = found.directory();
            let log = open(&directory, config).unwrap_or_else(|error| {
                panic!("{}: {error}", found.place);
            });
            met.extend(reports(&log));
            assert!(!log.recovered().may_have_lost_acknowledged());
            assert_eq!(log.base(), 0, "{}", found.place);
            assert!(log.tail() >= *found.told, "{}", found.place);
            assert_eq!(records(&log), as_written(0..log.tail()), "{}", found.place);
            goes_on(&found.place, &directory, config, log);
        },
    );
    met
}

#[test]
pub fn a_roll_that_loses_power_anywhere_loses_nothing() {
    let met = rolls(&config());
    assert!(met.contains("abandoned_segment"), "{met:?}");
}

#[test]
fn a_roll_in_the_background_that_loses_power_anywhere_loses_nothing() {
    let met = rolls(&Config {
        rollover_threshold_percent: 50,
        ..config()
    });
    assert!(met.contains("abandoned_segment"), "{met:?}");
}
