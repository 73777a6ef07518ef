//! Followers: what wakes them, and what does not.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, FsyncMode, Log, Retention};

use crate::bench::{Place, fill, payload, small};

/// Far more than anything here takes.
const LONG: Duration = Duration::from_secs(30);

/// What a follower that waits at `from` is told once `act` is done.
fn woken(
    log: &Log,
    from: u64,
    bound: Bound,
    act: impl FnOnce(),
) -> Result<Option<u64>, StorageError> {
    let mut follow = log.follow(from, bound).expect("it is there");
    thread::scope(|scope| {
        let (ready, waits) = mpsc::channel();
        let follower = scope.spawn(move || {
            ready.send(()).expect("somebody waits");
            let next = follow.next_timeout(LONG)?;
            Ok(next.map(|record| record.offset()))
        });
        waits.recv().expect("it began");
        // It may wait by now or not; both must work.
        thread::sleep(Duration::from_millis(20));
        let before = Instant::now();
        act();
        let told = follower.join().expect("it ends");
        assert!(before.elapsed() < LONG / 2, "it was not woken");
        told
    })
}

#[test]
fn by_what_moves_the_bound() {
    for place in Place::all() {
        let log = place.open(small());
        fill(&log, [100; 3]);
        let append = || fill(&log, [100]);
        let told = woken(&log, 3, Bound::Tail, append);
        assert_eq!(told.expect("it reads"), Some(3), "{}", place.name);
        let sync = || assert_eq!(log.sync().expect("it syncs"), 4);
        let told = woken(&log, 3, Bound::Durable, sync);
        assert_eq!(told.expect("it reads"), Some(3), "{}", place.name);
        let advance = || log.advance_commit(1).expect("it is open");
        let told = woken(&log, 0, Bound::Commit, advance);
        assert_eq!(told.expect("it reads"), Some(0), "{}", place.name);
        // A roll flushes what it seals.
        append();
        let roll = || log.roll().expect("it rolls");
        let told = woken(&log, 4, Bound::Durable, roll);
        assert_eq!(told.expect("it reads"), Some(4), "{}", place.name);
    }
}

#[test]
fn by_the_flush_of_another() {
    let place = Place::mapped();
    let log = place.open(Config {
        fsync: FsyncMode::OnCommit,
        ..small()
    });
    let act = || {
        let commit = log.append(&[Entry::new(b"x")]).expect("it appends");
        commit.wait().expect("it is durable");
    };
    let told = woken(&log, 0, Bound::Durable, act);
    assert_eq!(told.expect("it reads"), Some(0));
    // Nobody waits for this one: a flush in the background makes it durable.
    let act = || drop(log.append(&[Entry::new(b"x")]).expect("it appends"));
    let told = woken(&log, 1, Bound::Durable, act);
    assert_eq!(told.expect("it reads"), Some(1));
    let place = Place::mapped();
    let log = place.open(Config {
        fsync: FsyncMode::Periodic {
            interval: Duration::from_millis(5),
        },
        ..small()
    });
    let told = woken(&log, 0, Bound::Durable, || fill(&log, [100]));
    assert_eq!(told.expect("it reads"), Some(0));
}

#[test]
fn by_cuts_and_the_close() {
    for place in Place::all() {
        let log = place.open(Config {
            retention: Retention {
                bytes: Some(1),
                ..Retention::default()
            },
            ..small()
        });
        fill(&log, [100; 30]);
        let told = woken(&log, 30, Bound::Tail, || log.truncate(20).expect("it cuts"));
        assert!(
            matches!(told, Err(StorageError::Rewound { to: 20 })),
            "{told:?}"
        );
        // Its position still means what it meant.
        let mut follow = log.follow(20, Bound::Tail).expect("it is there");
        log.truncate(20).expect("it cuts");
        fill(&log, [100]);
        assert_eq!(follow.next().expect("it reads").offset(), 20);
        let told = woken(&log, 21, Bound::Tail, || {
            log.reset_to(50).expect("it begins anew");
        });
        assert!(
            matches!(
                told,
                Err(StorageError::Trimmed {
                    requested: 21,
                    oldest: 50
                })
            ),
            "{told:?}"
        );
        let told = woken(&log, 50, Bound::Tail, || log.close().expect("it closes"));
        assert!(matches!(told, Err(StorageError::Closed { .. })), "{told:?}");
    }
}

#[test]
fn not_by_what_it_does_not_wait_for() {
    let place = Place::mapped();
    let log = place.open(small());
    let mut follow = log.follow(0, Bound::Durable).expect("it is there");
    fill(&log, [100]);
    let begun = Instant::now();
    let pause = Duration::from_millis(50);
    assert!(follow.next_timeout(pause).expect("it reads").is_none());
    assert!(begun.elapsed() >= pause);
    log.sync().expect("it syncs");
    let next = follow.next_timeout(Duration::ZERO).expect("it reads");
    assert_eq!(next.map(|record| record.offset()), Some(0));
    // From far ahead it waits until the log is there.
    let mut ahead = log.follow(10, Bound::Tail).expect("it is there");
    fill(&log, [100; 9]);
    assert!(
        ahead
            .next_timeout(Duration::ZERO)
            .expect("it reads")
            .is_none()
    );
    fill(&log, [100]);
    assert_eq!(ahead.next().expect("it reads").offset(), 10);
}

#[test]
fn many_at_once() {
    let place = Place::mapped();
    let log = place.open(small());
    let records = 300;
    thread::scope(|scope| {
        for _ in 0..20 {
            let mut follow = log.follow(0, Bound::Tail).expect("it is there");
            scope.spawn(move || {
                for offset in 0..records {
                    let record = follow.next().expect("it reads");
                    assert_eq!(record.offset(), offset);
                    assert_eq!(record.payload(), payload(offset, 50));
                }
            });
        }
        for _ in 0..records {
            fill(&log, [50]);
            if log.tail().is_multiple_of(7) {
                thread::yield_now();
            }
        }
    });
}

#[test]
fn without_generation_starts() {
    for place in Place::all() {
        let log = place.open(small().with_feature("generation_start", 1));
        let mut expected = Vec::new();
        for generation in 1..20 {
            log.append_generation_start(generation).expect("it appends");
            if generation % 3 == 0 {
                log.append_generation_start(generation).expect("it appends");
            }
            expected.push(log.tail());
            fill(&log, [100]);
        }
        log.append_generation_start(20).expect("it appends");
        let mut records = log
            .read(0, Bound::Tail)
            .expect("it is there")
            .without_generation_starts();
        let mut follow = log
            .follow(0, Bound::Tail)
            .expect("it is there")
            .without_generation_starts();
        let mut met = Vec::new();
        while let Some(record) = records.next().expect("it reads") {
            met.push(record.offset());
            let followed = follow.next_timeout(LONG).expect("it reads");
            assert_eq!(
                followed.map(|record| record.offset()),
                Some(met[met.len() - 1])
            );
        }
        assert_eq!(met, expected, "{}", place.name);
        assert_eq!(records.position(), log.tail());
        assert!(
            follow
                .next_timeout(Duration::ZERO)
                .expect("it reads")
                .is_none()
        );
        // Whoever copies the log needs them.
        let raw = log.read_range(0, u64::MAX).expect("it reads");
        assert_eq!(raw.len() as u64, log.tail());
    }
}
