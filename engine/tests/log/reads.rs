use std::time::Duration;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, Log, ReadMode, ReadOnlyLog};

use crate::append::{Bench, append, small};

fn offsets(log: &Log, from: u64, bound: Bound) -> Vec<u64> {
    let mut records = log.read(from, bound).expect("it is there");
    let mut read = Vec::new();
    while let Some(record) = records.next().expect("it reads") {
        assert_eq!(
            record.payload(),
            format!("record {:13}", record.offset()).as_bytes()
        );
        read.push(record.offset());
    }
    read
}

fn filled(log: &Log, records: u64) {
    for number in log.tail()..log.tail() + records {
        append(log, &[&format!("record {number:13}")]);
    }
}

/// On the real disk, mapped and by `pread`, and in memory.
fn everywhere(test: impl Fn(&Log)) {
    let place = tempfile::tempdir().expect("a directory");
    for (name, read_mode) in [("mapped", ReadMode::Mapped), ("pread", ReadMode::Pread)] {
        let config = Config {
            read_mode,
            ..small()
        };
        let log = Log::open(place.path().join(name), config).expect("it opens");
        test(&log);
    }
    test(&Bench::new().open(small()));
}

#[test]
fn from_every_offset() {
    everywhere(|log| {
        filled(log, 20);
        for from in 0..=21 {
            let expected: Vec<u64> = (from..20).collect();
            assert_eq!(offsets(log, from, Bound::Tail), expected);
        }
        assert_eq!(offsets(log, 0, Bound::Commit), []);
        log.advance_commit(7).expect("it is open");
        assert_eq!(offsets(log, 3, Bound::Commit), [3, 4, 5, 6]);
    });
}

#[test]
fn what_is_kept_outlives_the_log() {
    everywhere(|log| {
        filled(log, 20);
        let kept = log.read_range(0, u64::MAX).expect("it reads");
        log.truncate(3).expect("it cuts");
        append(log, &["another"]);
        log.reset_to(100).expect("it begins anew");
        log.close().expect("it closes");
        for (offset, record) in (0..).zip(&kept) {
            assert_eq!(record.offset(), offset);
            assert_eq!(record.payload(), format!("record {offset:13}").as_bytes());
        }
    });
}

#[test]
fn whoever_stands_above_a_cut_is_told() {
    everywhere(|log| {
        filled(log, 20);
        let mut above = log.read(12, Bound::Tail).expect("it is there");
        let mut below = log.read(2, Bound::Tail).expect("it is there");
        assert_eq!(
            above
                .next()
                .expect("it reads")
                .map(|record| record.offset()),
            Some(12)
        );
        assert_eq!(
            below
                .next()
                .expect("it reads")
                .map(|record| record.offset()),
            Some(2)
        );
        log.truncate(5).expect("it cuts");
        filled(log, 20);
        for _ in 0..2 {
            assert!(matches!(above.next(), Err(StorageError::Rewound { to: 5 })));
        }
        for offset in 3..25 {
            assert_eq!(
                below
                    .next()
                    .expect("it reads")
                    .map(|record| record.offset()),
                Some(offset)
            );
        }
        log.reset_to(50).expect("it begins anew");
        filled(log, 1);
        let mut records = log.read(50, Bound::Tail).expect("it is there");
        assert!(records.next().expect("it reads").is_some());
        assert!(matches!(
            log.read(49, Bound::Tail),
            Err(StorageError::Trimmed {
                requested: 49,
                oldest: 50
            })
        ));
    });
}

#[test]
fn a_budget_of_bytes_and_of_records() {
    let bench = Bench::new();
    let log = bench.open(Config {
        max_records_per_read: 3,
        ..small()
    });
    append(&log, &["1234567890", "", "12345", "1234567890", "x"]);
    let read = |start, bytes| {
        let read = log.read_range(start, bytes).expect("it reads");
        read.iter()
            .map(|record| record.offset())
            .collect::<Vec<_>>()
    };
    assert_eq!(read(0, 0), [0, 1]);
    assert_eq!(read(0, 10), [0, 1]);
    assert_eq!(read(0, 15), [0, 1, 2]);
    assert_eq!(read(1, 1000), [1, 2, 3]);
    assert_eq!(read(4, 0), [4]);
    assert_eq!(read(5, 10), []);
}

#[test]
fn a_follower_is_woken() {
    everywhere(|log| {
        let mut follow = log.follow(0, Bound::Tail).expect("it is there");
        assert!(
            follow
                .next_timeout(Duration::ZERO)
                .expect("it reads")
                .is_none()
        );
        std::thread::scope(|scope| {
            let follower = scope.spawn(move || {
                for offset in 0..50 {
                    assert_eq!(follow.next().expect("it reads").offset(), offset);
                }
                follow
            });
            for number in 0..50 {
                append(log, &[&format!("record {number:13}")]);
            }
            let mut follow = follower.join().expect("it ends");
            let waits = scope.spawn(move || follow.next().map(|record| record.offset()));
            log.close().expect("it closes");
            let closed = waits.join().expect("it ends");
            assert!(
                matches!(closed, Err(StorageError::Closed { .. })),
                "{closed:?}"
            );
        });
    });
}

#[test]
fn a_follower_of_what_is_durable_is_woken_by_the_flush() {
    let place = tempfile::tempdir().expect("a directory");
    let log = Log::open(place.path(), small()).expect("it opens");
    let mut durable = log.follow(0, Bound::Durable).expect("it is there");
    let mut committed = log.follow(0, Bound::Commit).expect("it is there");
    let commit = log.append(&[Entry::new(b"x")]).expect("it appends");
    assert!(
        durable
            .next_timeout(Duration::ZERO)
            .expect("it reads")
            .is_none()
    );
    std::thread::scope(|scope| {
        let waits = scope.spawn(move || durable.next().map(|record| record.offset()));
        commit.wait().expect("it is durable");
        assert_eq!(waits.join().expect("it ends").expect("it reads"), 0);
        let waits = scope.spawn(move || committed.next().map(|record| record.offset()));
        log.advance_commit(1).expect("it is open");
        assert_eq!(waits.join().expect("it ends").expect("it reads"), 0);
    });
}

#[test]
fn a_log_that_another_writes() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    let log = Log::open(&path, small()).expect("it opens");
    filled(&log, 5);
    let other = ReadOnlyLog::open(&path, &small()).expect("it opens");
    let mut follow = other.follow(0).expect("it is there");
    for round in 1..8 {
        while follow.position() < log.tail() {
            let offset = follow.position();
            assert_eq!(
                follow.next().expect("it reads").offset(),
                offset,
                "round {round}"
            );
        }
        filled(&log, 5);
    }
    other.refresh().expect("it looks");
    assert_eq!(other.tail(), log.tail());
    log.truncate(20).expect("it cuts");
    for _ in 0..30 {
        append(&log, &["other records in their place"]);
    }
    other.refresh().expect("it looks");
    assert_eq!(other.tail(), 50);
    let told = follow.next().map(|record| record.offset());
    assert!(
        matches!(told, Err(StorageError::Rewound { to }) if to <= 20),
        "{told:?}"
    );
    let mut records = other.read(0, Bound::Tail).expect("it is there");
    for offset in 0..50 {
        assert_eq!(
            records
                .next()
                .expect("it reads")
                .map(|record| record.offset()),
            Some(offset)
        );
    }
}

#[test]
fn a_batch_longer_than_the_mapping() {
    everywhere(|log| {
        let mut follow = log.follow(0, Bound::Tail).expect("it is there");
        let long = vec![7; 200_000];
        log.append(&[Entry::new(b"short"), Entry::new(&long), Entry::new(&long)])
            .expect("it appends");
        for len in [5, 200_000, 200_000] {
            assert_eq!(follow.next().expect("it reads").payload().len(), len);
        }
    });
}
