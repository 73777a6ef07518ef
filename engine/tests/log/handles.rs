//! Handles that go without a close.

use std::time::Duration;

use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log, Retention};

/// The directory is free when the last handle is gone, whatever the background is at.
#[test]
fn the_next_log_opens_at_once() {
    let place = tempfile::tempdir().expect("a directory");
    let config = Config {
        fsync: FsyncMode::Periodic {
            interval: Duration::from_micros(50),
        },
        segment_size_bytes: 200,
        rollover_threshold_percent: 50,
        retention: Retention {
            bytes: Some(1000),
            interval: Duration::from_micros(50),
            ..Retention::default()
        },
        ..Config::default()
    };
    let mut tail = 0;
    for round in 0..150 {
        let log = Log::open(place.path().join("shard"), config.clone());
        let log = log.unwrap_or_else(|error| panic!("round {round}: {error}"));
        assert_eq!(log.tail(), tail);
        for _ in 0..round % 7 {
            log.append(&[Entry::new(&[b'x'; 90])]).expect("it appends");
            tail += 1;
        }
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}
