//! Brokers that take a log offline when the disk fills up during a roll, or leave an empty segment that the next start
//! trips over.
//! Here the old segment stays in use, what was begun of the new one is taken away again, and what cannot be taken away is
//! blank and stops nobody (Felix 7.5, 8.2, 8.3).

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ondisk_engine::disk::hooked::{Call, Verdict};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Log};

use crate::bench::{
    append, append_next, as_written, config, environment, goes_on, open, records, reports,
};
use crate::build::{index_name, log_name, payload};
use crate::ruled::RuledDisk;

fn full() -> Verdict {
    Verdict::Fail(io::ErrorKind::StorageFull.into())
}

/// Three records, and room for one more.
fn three(disk: &RuledDisk) -> Log {
    let log = open(&disk.directory, &config()).expect("it opens");
    append_next(&log, 3).expect("there is room");
    log
}

/// Where a roll may find no room: the call, and what it is of.
const CALLS: [Call; 3] = [Call::Create, Call::Allocate, Call::Write];

#[test]
fn the_old_segment_stays_in_use_when_there_is_no_room_for_the_next() {
    for without_room in CALLS {
        let disk = RuledDisk::new();
        let log = three(&disk);
        disk.rule(
            move |call, name| match call == without_room && name == log_name(1) {
                true => full(),
                false => Verdict::Go,
            },
        );
        let refused = log.roll().expect_err("no room");
        assert!(matches!(refused, StorageError::Io { .. }), "{refused}");
        let two = payload(0).repeat(3);
        let refused = append(&log, &two).expect_err("it does not fit the old segment");
        assert!(matches!(refused, StorageError::Io { .. }), "{refused}");
        assert_eq!(log.tail(), 3, "nothing is appended");
        append_next(&log, 1).expect("it fits");
        assert!(
            disk.directory.stat(&log_name(1)).is_err(),
            "nothing is left"
        );
        disk.heal();
        append_next(&log, 1).expect("there is room again");
        assert_eq!(log.metrics().segments, 2);
        assert_eq!(records(&log), as_written(0..5));
        goes_on("in the same log", &disk.directory, &config(), log);
    }
}

#[test]
fn what_is_left_of_the_next_segment_does_not_block_an_open() {
    for without_room in [Call::Allocate, Call::Write] {
        let disk = RuledDisk::new();
        let log = three(&disk);
        disk.rule(move |call, name| {
            let fails = call == without_room || call == Call::Unlink;
            match fails && name == log_name(1) {
                true => full(),
                false => Verdict::Go,
            }
        });
        log.roll().expect_err("no room");
        append_next(&log, 1).expect("it fits");
        drop(log);
        assert!(disk.directory.stat(&log_name(1)).is_ok(), "it is left");
        disk.heal();
        let log = open(&disk.directory, &config()).expect("it opens");
        assert_eq!(reports(&log), ["abandoned_segment"]);
        assert_eq!(records(&log), as_written(0..4));
        goes_on("in the next log", &disk.directory, &config(), log);
    }
}

#[test]
fn a_roll_in_the_background_waits_for_room() {
    let config = Config {
        rollover_threshold_percent: 50,
        ..config()
    };
    for without_room in CALLS {
        let disk = RuledDisk::new();
        let environment = environment();
        let log = Log::open_in(Arc::clone(&disk.directory), config.clone(), &environment);
        let log = log.expect("it opens");
        disk.rule(
            move |call, name| match call == without_room && name == log_name(1) {
                true => full(),
                false => Verdict::Go,
            },
        );
        // Up to twice its size while the next one is not to be had.
        for _ in 0..8 {
            append_next(&log, 1).expect("it overshoots");
            environment.background.run_ready();
        }
        let refused = append(&log, &payload(8)).expect_err("no room for the next");
        assert!(matches!(refused, StorageError::Io { .. }), "{refused}");
        disk.heal();
        append_next(&log, 1).expect("there is room again");
        assert_eq!(log.metrics().segments, 2);
        assert_eq!(records(&log), as_written(0..9));
        goes_on("in the background", &disk.directory, &config, log);
    }
}

/// The disk fills up at any call of appends over a roll, and there is room again when they have failed. The mark is written
/// over in place, which takes none.
#[test]
fn a_disk_that_fills_up_at_any_moment_costs_only_what_finds_no_room() {
    let mut refused = 0;
    for at in 0.. {
        let disk = RuledDisk::new();
        let log = open(&disk.directory, &config()).expect("it opens");
        append_next(&log, 3).expect("there is room");
        let met = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&met);
        disk.rule(move |call, name| {
            let takes_room = CALLS.contains(&call) && name != "durable.mark";
            match takes_room && counted.fetch_add(1, Relaxed) >= at {
                true => full(),
                false => Verdict::Go,
            }
        });
        let appended = append_next(&log, 3);
        disk.heal();
        let what = format!("full from call {at} on");
        let acknowledged = log.tail();
        match appended {
            Err(StorageError::Io { .. }) => refused += 1,
            Err(error) => panic!("{what}: {error}"),
            Ok(()) => assert_eq!(acknowledged, 6, "{what}"),
        }
        append_next(&log, 1).unwrap_or_else(|error| panic!("{what}: {error}"));
        let all = as_written(0..acknowledged + 1);
        assert_eq!(records(&log), all, "{what}");
        log.close()
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        drop(log);
        let log =
            open(&disk.directory, &config()).unwrap_or_else(|error| panic!("{what}: {error}"));
        // What found no room for its index does without one until now.
        let is_derived = |report: &&str| *report == "index_rebuilt";
        assert!(reports(&log).iter().all(is_derived), "{what}");
        assert_eq!(records(&log), all, "{what}");
        goes_on(&what, &disk.directory, &config(), log);
        if met.load(Relaxed) <= at {
            break;
        }
    }
    assert!(refused > 3, "only {refused} calls need room");
}

#[test]
fn a_roll_does_without_an_index_that_has_no_room() {
    let disk = RuledDisk::new();
    let log = three(&disk);
    disk.rule(|_, name| match name.ends_with(".index") {
        true => full(),
        false => Verdict::Go,
    });
    append_next(&log, 6).expect("an index is derived");
    assert_eq!(records(&log), as_written(0..9));
    drop(log);
    disk.heal();
    for id in 0..3 {
        let _may_be_there = disk.directory.unlink(&index_name(id));
    }
    let log = open(&disk.directory, &config()).expect("it opens");
    assert_eq!(reports(&log), ["index_rebuilt", "index_rebuilt"]);
    assert_eq!(records(&log), as_written(0..9));
    goes_on("indexes rebuilt", &disk.directory, &config(), log);
}
