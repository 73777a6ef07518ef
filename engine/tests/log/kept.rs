//! Records that somebody keeps while the directory is opened anew.

use ondisk_engine::felix::log::{Config, Entry, Log, ReadMode};

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
