use std::time::Duration;

use ondisk_engine::felix::log::{Config, Retention};

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
