//! Records that somebody keeps while the directory is opened anew.

use std::fs;
use std::os::unix::fs::FileExt;

use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{Config, Entry, Log, ReadMode};

use ondisk_engine::felix::sidecar::mark::MarkFile;

use crate::append::small;

/// The file that they are in must not be cut under them, or the process dies of it: the new log cannot know of them.
#[test]
fn a_log_that_is_opened_again_is_cut() {
    for read_mode in [ReadMode::Mapped, ReadMode::Pread] {
        for close in [true, false] {
            let place = tempfile::tempdir().expect("a directory");
            let config = Config {
                segment_size_bytes: 1 << 20,
                read_mode,
                ..small()
            };
            let log = Log::open(place.path().join("shard"), config.clone()).expect("it opens");
            let payload = vec![b'k'; 5000];
            for _ in 0..20 {
                log.append(&[Entry::new(&payload)]).expect("it appends");
            }
            let kept = log.read_range(0, u64::MAX).expect("it reads");
            if close {
                log.close().expect("it closes");
            }
            drop(log);
            let log = Log::open(place.path().join("shard"), config).expect("it opens");
            log.truncate(1).expect("it cuts");
            log.append(&[Entry::new(b"other")]).expect("it appends");
            assert_eq!(kept.len(), 20);
            for record in &kept {
                assert!(record.payload() == payload, "{read_mode:?}");
            }
        }
    }
}

/// Nor may recovery cut it: what rots in front of a kept record takes that one with it out of the log, not out of memory.
#[test]
fn a_log_that_is_opened_again_is_repaired() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    let config = Config {
        segment_size_bytes: 1 << 20,
        ..small()
    };
    let log = Log::open(&path, config.clone()).expect("it opens");
    let payload = vec![b'k'; 5000];
    for _ in 0..20 {
        log.append(&[Entry::new(&payload)]).expect("it appends");
    }
    let kept = log.read_range(15, u64::MAX).expect("it reads");
    log.close().expect("it closes");
    drop(log);
    let mark = MarkFile::open(&*RealDirectory::open(&path).expect("it opens"));
    mark.write(0, 32).expect("a mark that lags");
    let segment = path.join("00000000000000000000.log");
    let file = fs::File::options().write(true).open(segment);
    file.and_then(|file| file.write_all_at(b"rot", 30_000))
        .expect("it is written");
    let log = Log::open(&path, config).expect("it opens");
    assert_eq!(log.tail(), 5);
    assert_eq!(kept.len(), 5);
    assert!(kept.iter().all(|record| record.payload() == payload));
}
