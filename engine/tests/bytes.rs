//! The feature `bytes`: a record becomes `bytes::Bytes` without a copy, and needs nothing of the log any more.
//!
//! A dev-dependency of the package on itself switches the feature on, so that these tests run with all others.

use std::thread;

use bytes::Bytes;
use ondisk_engine::felix::log::{Config, Entry, Log, ReadMode};

const PAYLOAD: &[u8] = &[b'p'; 5000];

/// Fifteen records, of which the first thirteen are in a sealed segment.
fn filled(place: &tempfile::TempDir, read_mode: ReadMode) -> Log {
    let config = Config {
        read_mode,
        segment_size_bytes: 1 << 16,
        ..Config::default()
    };
    let log = Log::open(place.path().join("shard"), config).expect("it opens");
    for _ in 0..15 {
        log.append(&[Entry::new(PAYLOAD)]).expect("it appends");
    }
    assert_eq!(log.metrics().segments, 2);
    log
}

#[test]
fn the_payload_stays_where_it_was() {
    for read_mode in [ReadMode::Mapped, ReadMode::Pread] {
        let place = tempfile::tempdir().expect("a directory");
        let log = filled(&place, read_mode);
        for record in log.read_range(0, u64::MAX).expect("it reads") {
            let there = record.payload().as_ptr();
            let bytes = Bytes::from(record);
            assert_eq!(bytes.as_ptr(), there, "{read_mode:?}");
            let part = bytes.slice(100..200);
            assert_eq!(part.as_ptr(), there.wrapping_add(100), "{read_mode:?}");
        }
    }
}

#[test]
fn they_outlive_a_truncation_and_the_log_in_another_thread() {
    for read_mode in [ReadMode::Mapped, ReadMode::Pread] {
        let place = tempfile::tempdir().expect("a directory");
        let log = filled(&place, read_mode);
        let records = log.read_range(0, u64::MAX).expect("it reads");
        let kept: Vec<Bytes> = records.into_iter().map(Bytes::from).collect();
        log.truncate(1).expect("it cuts");
        log.append(&[Entry::new(b"another")]).expect("it appends");
        log.close().expect("it closes");
        drop(log);
        place.close().expect("the files go");
        let sound = thread::spawn(move || kept.len() == 15 && kept.iter().all(|it| it == PAYLOAD));
        assert!(sound.join().expect("no panic"), "{read_mode:?}");
    }
}

#[test]
fn an_empty_payload_is_no_bytes() {
    let place = tempfile::tempdir().expect("a directory");
    let log = Log::open(place.path().join("shard"), Config::default()).expect("it opens");
    log.append(&[Entry::new(b"")]).expect("it appends");
    let [record] = <[_; 1]>::try_from(log.read_range(0, 0).expect("it reads")).expect("one");
    assert!(Bytes::from(record).is_empty());
}
