use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Log, Retention};

use crate::append::{Bench, append, small};
use crate::look::Look;

#[test]
fn by_bytes() {
    let bench = Bench::new();
    let log = bench.open(Config {
        retention: Retention {
            bytes: Some(500),
            ..Retention::default()
        },
        ..small()
    });
    let payload = "x".repeat(28);
    for _ in 0..5 {
        append(&log, &[&payload, &payload, &payload]);
    }
    // Five segments of 200 bytes: three must go.
    assert_eq!(log.retain().expect("it trims"), 3);
    assert_eq!((log.base(), log.tail()), (9, 15));
    assert_eq!(log.retain().expect("it trims"), 0);
    log.close().expect("it closes");
    assert_eq!(Look::sound(&bench.directory).records.len(), 6);
}

#[test]
fn what_is_not_committed_is_held() {
    let bench = Bench::new();
    let log = bench.open(Config {
        retention: Retention {
            bytes: Some(1),
            ..Retention::default()
        },
        ..small()
    });
    let payload = "x".repeat(28);
    for _ in 0..4 {
        append(&log, &[&payload, &payload, &payload]);
    }
    log.hold_retention_at_commit(true);
    assert_eq!(log.retain().expect("it trims"), 0);
    log.advance_commit(6).expect("it is open");
    assert_eq!(log.retain().expect("it trims"), 2);
    log.hold_retention_at_commit(false);
    assert_eq!(log.retain().expect("it trims"), 1);
    assert_eq!(log.base(), 9);
}

#[test]
fn by_age_with_a_clock_that_jumps() {
    let bench = Bench::new();
    let hour = Duration::from_secs(3600);
    let log = bench.open(Config {
        retention: Retention {
            age: Some(hour),
            ..Retention::default()
        },
        ..small()
    });
    let payload = "x".repeat(28);
    for _ in 0..3 {
        append(&log, &[&payload, &payload, &payload]);
    }
    bench.clock.advance_wall(hour * 2);
    assert_eq!(log.retain().expect("it trims"), 0, "right after a jump");
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(log.retain().expect("it trims"), 2, "the clock stayed there");
    bench.clock.set_wall(0);
    assert_eq!(log.retain().expect("it trims"), 0, "backwards");
}

/// A bench on whose disk a call on some file fails while the switch is on.
fn failing(call: Call, file: &'static str) -> (Bench, Arc<AtomicBool>) {
    let mut bench = Bench::new();
    let fails = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&fails);
    bench.directory = HookedDirectory::over(bench.directory, move |asked, name| {
        let fail = (asked, name) == (call, file) && switch.load(Ordering::Relaxed);
        match fail {
            true => Verdict::Fail(io::ErrorKind::PermissionDenied.into()),
            false => Verdict::Go,
        }
    });
    (bench, fails)
}

/// Five segments of three records each, of which three are to go.
fn five_segments(bench: &Bench) -> Log {
    let log = bench.open(Config {
        retention: Retention {
            bytes: Some(500),
            ..Retention::default()
        },
        ..small()
    });
    let payload = "x".repeat(28);
    for _ in 0..5 {
        append(&log, &[&payload, &payload, &payload]);
    }
    log
}

fn offsets(log: &Log) -> Vec<u64> {
    let mut records = log.read(log.base(), Bound::Tail).expect("it begins there");
    let mut offsets = Vec::new();
    while let Some(record) = records.next().expect("it reads") {
        offsets.push(record.offset());
    }
    offsets
}

#[test]
fn a_segment_that_cannot_be_removed_stays_and_the_next_pass_goes_on() {
    for (at, file) in [
        (0, "00000000000000000000.log"),
        (3, "00000000000000000001.log"),
    ] {
        let (bench, fails) = failing(Call::Unlink, file);
        let log = five_segments(&bench);
        let mut before = log.read(at, Bound::Tail).expect("it is there");
        assert!(before.next().expect("it reads").is_some());
        for _ in 0..2 {
            fails.store(true, Ordering::Relaxed);
            let error = log.retain().expect_err("it cannot be removed");
            assert!(
                matches!(&error, StorageError::Io { operation: "remove", path, .. } if path.ends_with(file)),
                "{error}"
            );
            assert!(!log.metrics().poisoned);
            assert_eq!((log.base(), log.metrics().segments_trimmed), (at, at / 3));
            assert!(offsets(&log).into_iter().eq(at..log.tail()));
            append(&log, &["more"]);
        }
        // Who was reading it reads on.
        for _ in at + 1..log.tail() {
            assert!(before.next().expect("it is there").is_some());
        }
        fails.store(false, Ordering::Relaxed);
        assert!(log.retain().expect("it trims") >= 2);
        assert_eq!(log.base() % 3, 0);
        assert!(log.base() >= 9);
        let left = offsets(&log);
        log.close().expect("it closes");
        assert_eq!(Look::sound(&bench.directory).records.len(), left.len());
        assert_eq!(offsets(&bench.open(small())), left);
    }
}

/// The segment that stays is one of the log: whatever cuts the log cuts it too.
#[test]
fn a_log_is_cut_after_a_segment_could_not_be_removed() {
    type Cut = fn(&Log);
    let cuts: [(&str, Cut, &[u64]); 3] = [
        ("in it", |log| log.truncate(1).expect("it cuts"), &[0]),
        ("below it", |log| log.truncate(0).expect("it cuts"), &[]),
        (
            "all of it",
            |log| log.reset_to(50).expect("it begins anew"),
            &[],
        ),
    ];
    for (name, cut, left) in cuts {
        let (bench, fails) = failing(Call::Unlink, "00000000000000000000.log");
        let log = five_segments(&bench);
        fails.store(true, Ordering::Relaxed);
        assert!(log.retain().is_err(), "{name}");
        fails.store(false, Ordering::Relaxed);
        cut(&log);
        assert_eq!(offsets(&log), left, "{name}");
        log.close().expect("it closes");
        assert_eq!(offsets(&bench.open(small())), left, "{name}");
    }
}

#[test]
fn a_directory_that_does_not_sync_poisons() {
    let (bench, fails) = failing(Call::SyncDirectory, "");
    let log = five_segments(&bench);
    fails.store(true, Ordering::Relaxed);
    assert!(matches!(log.retain(), Err(StorageError::Io { .. })));
    assert!(log.metrics().poisoned);
    assert!(matches!(log.retain(), Err(StorageError::SyncFailed)));
}
