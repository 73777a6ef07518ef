//! What the log knows of producers (Felix 12), live, from a snapshot, and from the marks alone.

use std::sync::Arc;

use ondisk::felix::ProducerTag;
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::log::{Appended, Config, Entry, Log, Mark};
use ondisk_engine::felix::producer::{
    Answer, PRODUCERS_PER_SHARD, ProducerState, SnapshotUse, WINDOW_BATCHES,
};

use crate::append::{Bench, append, small};

/// A call on a log, and what it is called in messages.
type Call = (&'static str, fn(&Log));

/// The first `held` records of a batch.
fn produce(log: &Log, producer_id: u64, sequence: u64, len: u32, held: usize) -> u64 {
    let tag = ProducerTag {
        producer_id,
        sequence,
        len,
    };
    let mut entries = vec![Entry::new(b"p").marked(Mark::Continues); held];
    entries[0].mark = Mark::Opens(tag);
    let commit = log.append(&entries).expect("it appends");
    commit.first()
}

fn go_on(log: &Log, tail: u64, records: usize) -> Appended {
    let entries = vec![Entry::new(b"c").marked(Mark::Continues); records];
    log.append_at(tail, &entries).expect("it appends")
}

fn partial(first: u64, held: u32, len: u32) -> Answer {
    Answer::Partial { first, held, len }
}

fn held(first: u64, last: u64) -> Answer {
    Answer::Held { first, last }
}

#[test]
fn whole_repeated_and_gapped() {
    let log = Bench::new().open(small());
    assert_eq!(log.classify(1, 0), Answer::Unknown);
    produce(&log, 1, 0, 3, 3);
    assert_eq!(log.classify(1, 0), held(0, 2));
    assert_eq!(log.classify(1, 1), Answer::Next);
    assert_eq!(log.classify(1, 2), Answer::Gap { expected: 1 });
    assert_eq!(log.classify(2, 0), Answer::Unknown);
    produce(&log, 1, 1, 1, 1);
    // The log takes a gap: refusing it is for the broker.
    produce(&log, 1, 5, 2, 2);
    assert_eq!(log.classify(1, 5), held(4, 5));
    assert_eq!(log.classify(1, 4), Answer::Expired);
    // And a repetition, which begins the history anew.
    produce(&log, 1, 5, 1, 1);
    assert_eq!(log.classify(1, 5), held(6, 6));
    assert_eq!(log.classify(1, 6), Answer::Next);
}

#[test]
fn a_partial_batch_is_finished_where_it_ends() {
    let bench = Bench::new();
    let log = bench.open(small());
    append(&log, &["before"]);
    produce(&log, 1, 0, 4, 2);
    assert_eq!(log.classify(1, 0), partial(1, 2, 4));
    assert_eq!(log.classify(1, 1), Answer::Unknown);
    assert!(matches!(go_on(&log, 2, 1), Appended::TailIs(3)));
    assert!(matches!(go_on(&log, 3, 1), Appended::Written(_)));
    assert_eq!(log.classify(1, 0), partial(1, 3, 4));
    // Over a roll and a reopen.
    log.roll().expect("it rolls");
    log.close().expect("it closes");
    let log = bench.open(small());
    assert_eq!(log.classify(1, 0), partial(1, 3, 4));
    assert!(matches!(go_on(&log, 4, 1), Appended::Written(_)));
    assert_eq!(log.classify(1, 0), held(1, 4));
    assert_eq!(log.classify(1, 1), Answer::Next);
    // Too many: the one behind belongs to nothing.
    assert!(matches!(go_on(&log, 5, 1), Appended::Written(_)));
    assert_eq!(log.classify(1, 0), held(1, 4));
    assert_eq!(log.producers().open(), None);
}

#[test]
fn what_abandons_a_batch() {
    let config = small().with_feature("generation_start", 1);
    let abandon: [Call; 4] = [
        ("an ordinary record", |log| {
            append(log, &["x"]);
        }),
        ("a generation start", |log| {
            drop(log.append_generation_start(1).expect("it appends"));
        }),
        ("another batch", |log| {
            produce(log, 2, 0, 1, 1);
        }),
        ("the same batch again", |log| {
            produce(log, 1, 0, 1, 1);
        }),
    ];
    for (name, what) in abandon {
        let bench = Bench::new();
        let log = bench.open(config.clone());
        produce(&log, 1, 0, 3, 2);
        what(&log);
        assert_eq!(log.producers().open(), None, "{name}");
        let known = log.producers();
        log.close().expect("it closes");
        assert_eq!(bench.open(config.clone()).producers(), known, "{name}");
    }
}

#[test]
fn a_truncation_inside_a_batch() {
    let bench = Bench::new();
    let log = bench.open(small());
    produce(&log, 1, 0, 1, 1);
    produce(&log, 1, 1, 4, 4);
    produce(&log, 1, 2, 2, 2);
    log.truncate(3).expect("it cuts");
    assert_eq!(log.classify(1, 1), partial(1, 2, 4));
    assert_eq!(log.classify(1, 0), held(0, 0));
    assert!(matches!(go_on(&log, 3, 2), Appended::Written(_)));
    assert_eq!(log.classify(1, 1), held(1, 4));
    log.truncate(1).expect("it cuts");
    assert_eq!(log.classify(1, 1), Answer::Next);
    log.truncate(0).expect("it cuts");
    assert_eq!(log.producers(), ProducerState::default());
}

#[test]
fn as_many_as_are_remembered() {
    let bench = Bench::new();
    let config = Config {
        segment_size_bytes: 1 << 20,
        ..small()
    };
    let log = bench.open(config.clone());
    let window = WINDOW_BATCHES as u64;
    for sequence in 0..=window {
        produce(&log, 0, sequence, 1, 1);
    }
    assert_eq!(log.classify(0, 0), Answer::Expired);
    assert_eq!(log.classify(0, 1), held(1, 1));
    let producers = PRODUCERS_PER_SHARD as u64;
    for producer in 1..producers {
        produce(&log, producer, 0, 1, 1);
    }
    assert_eq!(log.producers().producers().len(), PRODUCERS_PER_SHARD);
    assert_eq!(log.classify(0, window), held(window, window));
    // One more, and the one whose newest batch ends lowest goes.
    produce(&log, producers, 0, 1, 1);
    assert_eq!(log.classify(0, window), Answer::Unknown);
    assert_eq!(log.classify(1, 1), Answer::Next);
    produce(&log, 1, 1, 1, 1);
    produce(&log, producers + 1, 0, 1, 1);
    assert_eq!(log.classify(2, 0), Answer::Unknown);
    assert_eq!(log.classify(1, 2), Answer::Next);
    log.roll().expect("it rolls");
    let known = log.producers();
    log.close().expect("it closes");
    same_from_all_sides(&bench, &config, &known);
}

/// From the snapshot, and from the marks alone.
fn same_from_all_sides(bench: &Bench, config: &Config, known: &ProducerState) {
    let log = bench.open(config.clone());
    assert_eq!(log.recovered().producers, Some(SnapshotUse::Used));
    assert_eq!(&log.producers(), known);
    log.close().expect("it closes");
    bench.directory.unlink("producers").expect("there is one");
    let log = bench.open(config.clone());
    assert_eq!(log.recovered().producers, Some(SnapshotUse::Absent));
    assert_eq!(&log.producers(), known);
}

#[test]
fn a_snapshot_says_what_the_marks_say() {
    let mut random = 12345_u64;
    let mut next = |below: u64| {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (random >> 33) % below
    };
    for round in 0..40 {
        let bench = Bench::new();
        let config = Config {
            rollover_threshold_percent: if round % 2 == 0 { 100 } else { 50 },
            segment_size_bytes: 600,
            ..small()
        };
        let log = bench.open(config.clone());
        for _ in 0..80 {
            let (producer, step, len) = (next(4), next(9), next(4) + 1);
            let last = log
                .producers()
                .known(producer)
                .map_or(0, |known| known.last());
            let sequence = if step == 0 { last + 3 } else { last + 1 };
            let len = u32::try_from(len).expect("short");
            let _offset = match next(8) {
                0 => append(&log, &["x"]),
                1 => {
                    let tail = log.tail();
                    go_on(&log, tail, 1);
                    tail
                }
                2 => produce(&log, producer, sequence, len + 1, 1),
                3 if round % 4 == 3 => {
                    let to = log.tail().saturating_sub(1 + next(3));
                    log.truncate(to).expect("it cuts");
                    to
                }
                _ => produce(&log, producer, sequence, len, len as usize),
            };
            bench.environment.background.run_ready();
        }
        // So that there is a snapshot, whatever was cut.
        produce(&log, 9, 1, 2, 1);
        log.roll().expect("it rolls");
        if round % 3 == 0 {
            produce(&log, 9, 3, 2, 1);
        }
        let known = log.producers();
        log.close().expect("it closes");
        same_from_all_sides(&bench, &config, &known);
    }
}

#[test]
fn a_snapshot_of_later_records_is_not_used() {
    let bench = Bench::new();
    let log = bench.open(small());
    for sequence in 0..8 {
        produce(&log, 1, sequence, 2, 2);
    }
    log.roll().expect("it rolls");
    log.close().expect("it closes");
    let snapshot = bench.directory.file("producers").expect("there is one");
    let mut bytes = vec![0; usize::try_from(snapshot.stat().expect("memory").len).expect("short")];
    ondisk_engine::disk::read_exact_at(&*snapshot, &mut bytes, 0).expect("memory");
    let log = bench.open(small());
    log.truncate(5).expect("it cuts");
    let known = log.producers();
    log.close().expect("it closes");
    assert!(
        bench.directory.file("producers").is_err(),
        "it went with the records"
    );
    // As if it had come back.
    let directory: &Arc<dyn Directory> = &bench.directory;
    let file = directory.create("producers").expect("it is free");
    ondisk_engine::disk::write_all_at(&*file, &bytes, 0).expect("memory");
    let log = bench.open(small());
    assert_eq!(log.recovered().producers, Some(SnapshotUse::Ignored));
    assert_eq!(log.producers(), known);
}
