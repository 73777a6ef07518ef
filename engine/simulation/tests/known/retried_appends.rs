//! Queues that hold a message twice: the append is durable, the answer is lost with the crash, and the client sends it
//! again; or half of a batch is found, and the whole is appended behind it.
//! Here the log knows from its records which batches of a producer it holds, and how much of the last one, so a retry is
//! answered, finished or appended, and the batch is there once (Felix 12).

use std::collections::{BTreeMap, BTreeSet};

use ondisk::felix::ProducerTag;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Appended, Commit, Config, Entry, Log, Mark};
use ondisk_engine::felix::producer::Answer;

use crate::bench::{config, goes_on, open, records};
use crate::power::cut_everywhere;

const PRODUCER: u64 = 7;

/// Records of a batch, each longer than a sector, so that a crash finds any part of it.
const LEN: u32 = 3;

fn larger() -> Config {
    Config {
        segment_size_bytes: 4096,
        ..config()
    }
}

fn payload(sequence: u64, number: u32) -> Vec<u8> {
    format!("{sequence}.{number}:{:600}", "").into_bytes()
}

/// The records of a batch from the one of this number on.
fn send(log: &Log, sequence: u64, from: u32, at: u64) -> Result<(), StorageError> {
    let payloads: Vec<_> = (from..LEN)
        .map(|number| payload(sequence, number))
        .collect();
    let mut entries: Vec<_> = payloads
        .iter()
        .map(|payload| Entry::new(payload).at(1).marked(Mark::Continues))
        .collect();
    if from == 0 {
        entries[0].mark = Mark::Opens(ProducerTag {
            producer_id: PRODUCER,
            sequence,
            len: LEN,
        });
    }
    match log.append_at(at, &entries)? {
        Appended::Written(commit) => acknowledged(&commit),
        Appended::TailIs(tail) => panic!("it ends at {tail}, not at {at}"),
    }
}

fn acknowledged(commit: &Commit) -> Result<(), StorageError> {
    commit.wait().map_err(|_| StorageError::SyncFailed)
}

/// What a client does that does not know whether the batch arrived. Returns how it was answered.
fn retry(log: &Log, sequence: u64) -> Result<&'static str, StorageError> {
    Ok(match log.classify(PRODUCER, sequence) {
        Answer::Held { .. } => "held",
        Answer::Partial { first, held, len } => {
            assert_eq!((len, first + u64::from(held)), (LEN, log.tail()));
            send(log, sequence, held, log.tail())?;
            "partial"
        }
        Answer::Unknown | Answer::Next => {
            send(log, sequence, 0, log.tail())?;
            "sent again"
        }
        answer => panic!("batch {sequence}: {answer:?}"),
    })
}

#[test]
fn a_batch_that_is_sent_again_after_a_crash_is_held_once() {
    let mut answers = BTreeSet::new();
    cut_everywhere(
        |_| {},
        |directory, acknowledged: &mut u64| {
            let log = open(directory, &larger())?;
            for sequence in 0..5 {
                send(&log, sequence, 0, log.tail())?;
                *acknowledged = sequence + 1;
            }
            Ok(())
        },
        |found| {
            let place = &found.place;
            let directory = found.directory();
            let log = open(&directory, &larger()).expect(place);
            for sequence in 0..5 {
                let answer = retry(&log, sequence).expect(place);
                if sequence < *found.told {
                    assert_eq!(answer, "held", "{place}: batch {sequence}");
                }
                answers.insert(answer);
                // The answer may be lost once more.
                assert_eq!(retry(&log, sequence).expect(place), "held", "{place}");
            }
            let batches =
                (0..5).flat_map(|sequence| (0..LEN).map(move |number| payload(sequence, number)));
            let once: BTreeMap<_, _> = (0..).zip(batches).collect();
            assert_eq!(records(&log), once, "{place}");
            goes_on(place, &directory, &larger(), log);
        },
    );
    let all = BTreeSet::from(["held", "partial", "sent again"]);
    assert_eq!(answers, all, "every way to answer was met");
}

/// What was there of an abandoned batch stays, and is no part of another one.
#[test]
fn half_a_batch_that_something_else_follows_is_abandoned() {
    let shard = crate::build::Shard::new();
    let half = crate::build::Segment::at(0).opens(0).payload(b"in between");
    let shard = shard.segment(0, &half).mark(0, 32);
    let log = open(&shard.0, &larger()).expect("it opens");
    assert_eq!(log.classify(PRODUCER, 0), Answer::Unknown);
    assert_eq!(retry(&log, 0).expect("the disk works"), "sent again");
    assert_eq!(retry(&log, 0).expect("the disk works"), "held");
    assert_eq!(
        log.classify(PRODUCER, 0),
        Answer::Held { first: 2, last: 4 }
    );
    goes_on("abandoned", &shard.0, &larger(), log);
}
