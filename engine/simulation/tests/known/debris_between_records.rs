//! Logs in which a write fails half-way and the next append goes behind what it left: every record after it is unreachable,
//! because nothing can be read over the debris.
//! Here a failed write is cut off again before anything follows it, and when that fails too nothing follows it until an open
//! has cut it (Felix 8.2).

use std::io;

use ondisk_engine::disk::hooked::{Call, Verdict};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Entry, Log};

use crate::bench::{
    append, append_next, as_written, bytes, config, goes_on, open, records, reports,
};
use crate::build::{RECORD, Segment, length, log_name, payload};
use crate::ruled::RuledDisk;

type Outcome = fn() -> Verdict;

fn full() -> io::Error {
    io::ErrorKind::StorageFull.into()
}

/// A log that holds one record, on a disk whose next writes of a segment go as `verdict` says.
fn one(disk: &RuledDisk, verdict: Outcome, rewinds: bool) -> Log {
    let log = open(&disk.directory, &config()).expect("it opens");
    append_next(&log, 1).expect("it appends");
    disk.rule(move |call, name| match call {
        Call::Write if name.ends_with(".log") => verdict(),
        Call::SetLen if !rewinds => Verdict::Fail(io::Error::other("the medium failed")),
        _ => Verdict::Go,
    });
    log
}

/// Appends three records in one batch, which fails. Half of its bytes are the first record and half of the second.
fn fails(log: &Log) {
    let payloads = [payload(1), payload(2), payload(3)];
    let batch = payloads.each_ref().map(|payload| Entry::new(payload).at(1));
    let refused = log.append(&batch).expect_err("the write fails");
    assert!(matches!(refused, StorageError::Io { .. }), "{refused}");
    assert_eq!(log.tail(), 1);
}

/// The bytes of the segment behind its header, which has the time of its creation.
fn records_on_disk(disk: &RuledDisk) -> Vec<u8> {
    let segment = bytes(&*disk.directory, &log_name(0)).expect("it is there");
    segment[32..].to_vec()
}

#[test]
fn a_write_that_failed_leaves_nothing_between_records() {
    let ways: [(&str, Outcome); 2] = [
        ("nothing is written", || Verdict::Fail(full())),
        ("half is written", || Verdict::HalfThenFail(full())),
    ];
    for (what, verdict) in ways {
        let disk = RuledDisk::new();
        let log = one(&disk, verdict, true);
        for _ in 0..3 {
            fails(&log);
            assert_eq!(records_on_disk(&disk), Segment::of(0..1).from(32), "{what}");
        }
        disk.heal();
        append_next(&log, 3).expect("there is room again");
        assert_eq!(records(&log), as_written(0..4), "{what}");
        assert_eq!(records_on_disk(&disk), Segment::of(0..4).from(32), "{what}");
        goes_on(what, &disk.directory, &config(), log);
    }
}

#[test]
fn a_write_that_stops_short_is_gone_on_with() {
    let disk = RuledDisk::new();
    let log = one(&disk, || Verdict::Short, true);
    append_next(&log, 7).expect("it takes some calls");
    disk.heal();
    assert_eq!(records(&log), as_written(0..8));
    assert_eq!(records_on_disk(&disk), Segment::of(0..4).from(32));
    goes_on("short writes", &disk.directory, &config(), log);
}

#[test]
fn debris_that_cannot_be_cut_off_ends_all_writing_until_an_open_has_cut_it() {
    let disk = RuledDisk::new();
    let log = one(&disk, || Verdict::HalfThenFail(full()), false);
    fails(&log);
    let debris = records_on_disk(&disk);
    assert_eq!(debris.len() as u64, RECORD + RECORD + RECORD / 2);
    disk.heal();
    let refused = append(&log, b"no").expect_err("poisoned");
    assert!(matches!(refused, StorageError::SyncFailed), "{refused}");
    drop(log);
    assert_eq!(records_on_disk(&disk), debris, "nothing follows it");
    let log = open(&disk.directory, &config()).expect("it opens");
    assert_eq!(reports(&log), ["torn_tail"]);
    // One record of the batch is whole, though nobody was told of it: it may stay.
    assert_eq!(records(&log), as_written(0..2));
    let there = bytes(&*disk.directory, &log_name(0)).expect("it is there");
    assert_eq!(there.len() as u64, length(2));
    goes_on("after debris", &disk.directory, &config(), log);
}
