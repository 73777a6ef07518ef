//! Replicas that truncate and leave the durable bound where it was: records appended next at the same offsets count as
//! flushed before they are.
//! Here the bound goes back with the tail, so a reused offset is acknowledged by its own flush only (Felix 14.1, step 9).

use std::collections::BTreeMap;
use std::io;

use ondisk_engine::disk::hooked::{Call, Verdict};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Commit, CommitError, Entry, Log};

use crate::bench::{append, append_next, config, goes_on, open, records};
use crate::power::cut_everywhere;
use crate::ruled::RuledDisk;

/// What is written over offsets that had other records.
fn anew(offset: u64) -> Vec<u8> {
    format!("{offset}, written anew").into_bytes()
}

type Cut = fn(&Log) -> Result<(), StorageError>;

/// Each leaves the log at an end that lies below where it was, or above.
const CUTS: [(&str, Cut, u64); 4] = [
    ("within a segment", |log| log.truncate(6), 6),
    ("over segments", |log| log.truncate(3), 3),
    ("a reset below the end", |log| log.reset_to(2), 2),
    ("a reset above the end", |log| log.reset_to(50), 50),
];

fn filled(disk: &RuledDisk) -> Log {
    let log = open(&disk.directory, &config()).expect("it opens");
    append_next(&log, 7).expect("it appends");
    assert_eq!(log.durable(), 7);
    log
}

fn unflushed(log: &Log) -> Commit {
    let payload = anew(log.tail());
    log.append(&[Entry::new(&payload).at(1)])
        .expect("it appends")
}

/// Records from the base on that a reader of what is durable gets.
fn shown_as_durable(log: &Log) -> u64 {
    let mut read = log.read(log.base(), Bound::Durable).expect("it is there");
    let mut shown = 0;
    while read.next().expect("it is sound").is_some() {
        shown += 1;
    }
    shown
}

#[test]
pub fn a_reused_offset_is_not_acknowledged_before_its_own_flush() {
    for (what, cut, end) in CUTS {
        let disk = RuledDisk::new();
        let log = filled(&disk);
        cut(&log).expect("it cuts");
        assert_eq!((log.tail(), log.durable()), (end, end), "{what}");
        let below = shown_as_durable(&log);
        let commit = unflushed(&log);
        assert_eq!(commit.first(), end, "{what}");
        assert!(!commit.is_acknowledged(), "{what}");
        assert_eq!(log.durable(), end, "{what}");
        assert_eq!(shown_as_durable(&log), below, "{what}");
        commit.wait().expect("the disk works");
        assert_eq!(log.durable(), end + 1, "{what}");
        assert_eq!(shown_as_durable(&log), below + 1, "{what}");
        goes_on(what, &disk.directory, &config(), log);
    }
}

#[test]
fn a_reused_offset_whose_flush_fails_is_never_acknowledged() {
    for (what, cut, end) in CUTS {
        let disk = RuledDisk::new();
        let log = filled(&disk);
        cut(&log).expect("it cuts");
        let commit = unflushed(&log);
        disk.rule(|call, _| match call {
            Call::SyncFile => Verdict::Fail(io::Error::other("the medium failed")),
            _ => Verdict::Go,
        });
        assert_eq!(commit.wait(), Err(CommitError::SyncFailed), "{what}");
        disk.heal();
        assert_eq!(commit.wait(), Err(CommitError::SyncFailed), "{what}");
        assert!(!commit.is_acknowledged(), "{what}");
        assert_eq!(log.durable(), end, "{what}");
        drop(log);
        let log = open(&disk.directory, &config()).expect("the disk works again");
        goes_on(what, &disk.directory, &config(), log);
    }
}

#[test]
fn what_was_acknowledged_at_a_reused_offset_survives_a_power_cut() {
    for (what, cut, _) in CUTS {
        cut_everywhere(
            |directory| {
                let log = open(directory, &config()).expect("it opens");
                append_next(&log, 7).expect("it appends");
                log.close().expect("it closes");
            },
            |directory, acknowledged: &mut BTreeMap<u64, Vec<u8>>| {
                let log = open(directory, &config())?;
                cut(&log)?;
                for _ in 0..4 {
                    let payload = anew(log.tail());
                    acknowledged.insert(append(&log, &payload)?, payload);
                }
                Ok(())
            },
            |found| {
                let place = format!("{what}, {}", found.place);
                let directory = found.directory();
                let log = open(&directory, &config()).expect(&place);
                let there = records(&log);
                for (offset, payload) in found.told {
                    assert_eq!(there.get(offset), Some(payload), "{place}");
                }
                goes_on(&place, &directory, &config(), log);
            },
        );
    }
}
