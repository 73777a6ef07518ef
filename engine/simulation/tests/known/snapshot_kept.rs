//! Logs that truncate and keep what describes the records that went: a marker of a clean end beyond the cut, a snapshot of
//! producers, an index of keys. After a crash the next start believes them, calls batches held that are gone, or takes new
//! records for flushed ones.
//! Here they are gone durably before a byte is cut, and the mark has gone back first (Felix 14.1, steps 4 and 5).

use std::collections::BTreeMap;
use std::sync::Arc;

use ondisk::felix::ProducerTag;
use ondisk::felix::name::Sidecar;
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Entry, Log, Mark};
use ondisk_engine::felix::producer::Answer;
use ondisk_engine::felix::sidecar::manifest;

use crate::bench::{bytes, config, goes_on, open, records, reports};
use crate::build::{copied, put};
use crate::power::cut_everywhere;

/// One that does not load: nobody comes to look.
const KEYS: &[u8] = b"an index of keys that are cut off";

/// A batch of two by producer 7.
fn produce(log: &Log, sequence: u64, text: &str) -> Result<(), StorageError> {
    let tag = ProducerTag {
        producer_id: 7,
        sequence,
        len: 2,
    };
    let payload = format!("{text} {sequence}");
    let entry = Entry::new(payload.as_bytes()).at(1);
    let batch = [
        entry.marked(Mark::Opens(tag)),
        entry.marked(Mark::Continues),
    ];
    let commit = log.append(&batch)?;
    commit.wait().map_err(|_| StorageError::SyncFailed)
}

/// Five batches, ten records, a snapshot of what was known at the last roll, an index of keys, and copies elsewhere.
fn prepare(directory: &Arc<dyn Directory>) {
    let log = open(directory, &config()).expect("it opens");
    for sequence in 0..5 {
        produce(&log, sequence, "batch").expect("it appends");
    }
    log.close().expect("it closes");
    put(&**directory, Sidecar::KeyIndex.file_name(), KEYS);
    manifest::store(&**directory, &[copied(0), copied(1)]).expect("it is stored");
    assert!(bytes(&**directory, Sidecar::Producers.file_name()).is_some());
}

/// Batches of the history that follows the cut.
const OTHERS: [u64; 3] = [10, 20, 30];

type Cut = fn(&Log) -> Result<(), StorageError>;

const CUTS: [(&str, Cut); 4] = [
    ("within a batch", |log| log.truncate(5)),
    ("below a snapshot", |log| log.truncate(2)),
    ("below everything", |log| log.truncate(0)),
    ("a reset", |log| log.reset_to(4)),
];

/// A log that is cut and goes on with another history of the same producer, with power going anywhere.
fn cut_and_go_on(cut: Cut, check: impl Fn(&str, &Arc<dyn Directory>, &BTreeMap<u64, Vec<u8>>)) {
    let whole = {
        let shard = crate::build::Shard::new();
        prepare(&shard.0);
        records(&open(&shard.0, &config()).expect("it opens"))
    };
    cut_everywhere(
        prepare,
        |directory, _: &mut ()| {
            let log = open(directory, &config())?;
            cut(&log)?;
            OTHERS
                .iter()
                .try_for_each(|&sequence| produce(&log, sequence, "other"))
        },
        |found| check(&found.place, &found.directory(), &whole),
    );
}

#[test]
pub fn what_describes_records_is_gone_before_the_first_of_them() {
    for (what, cut) in CUTS {
        cut_and_go_on(cut, |place, directory, whole| {
            let place = format!("{what}, {place}");
            let keys = bytes(&**directory, Sidecar::KeyIndex.file_name());
            let log = open(directory, &config()).expect(&place);
            // The mark never vouches for what is cut off.
            assert!(!reports(&log).contains(&"short_of_mark"), "{place}");
            let there = records(&log);
            let is_whole = there == *whole;
            assert!(is_whole || keys.is_none(), "{place}: keys of other records");
            let as_before = |offset| there.get(&offset) == whole.get(&offset);
            for copy in log.offloaded() {
                let is_of_these = (copy.base_offset..=copy.last_offset).all(as_before);
                assert!(is_of_these, "{place}: a copy of other records");
            }
            goes_on(&place, directory, &config(), log);
        });
    }
}

#[test]
pub fn what_is_known_of_producers_is_what_the_records_say() {
    for (what, cut) in CUTS {
        cut_and_go_on(cut, |place, directory, _| {
            let place = format!("{what}, {place}");
            let log = open(directory, &config()).expect(&place);
            let (known, there) = (log.producers(), records(&log));
            for sequence in (0..5).chain(OTHERS) {
                if let Answer::Held { first, last } = log.classify(7, sequence) {
                    let text = String::from_utf8_lossy(&there[&first]);
                    assert!(text.ends_with(&format!(" {sequence}")), "{place}: {text}");
                    assert_eq!(there[&first], there[&last], "{place}");
                }
            }
            drop(log);
            // From the records alone.
            let name = Sidecar::Producers.file_name();
            let _may_be_gone = directory.unlink(name);
            let log = open(directory, &config()).expect(&place);
            assert_eq!(log.producers(), known, "{place}");
        });
    }
}
