//! Many threads on the real disk, with real background threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{CommitError, Config, Entry, FsyncMode, Log, Retention};

use crate::look::Look;

const APPENDERS: usize = 16;

/// An append that was acknowledged.
struct Acknowledged {
    first: u64,
    payloads: Vec<Vec<u8>>,
    /// Truncations that had ended before it began.
    after: usize,
}

/// What all threads share.
struct Crowd {
    log: Log,
    /// Where truncations cut, noted before they do.
    cuts: Mutex<Vec<u64>>,
    cuts_ended: AtomicUsize,
    acknowledged: Mutex<Vec<Acknowledged>>,
    done: AtomicBool,
}

impl Crowd {
    fn append(&self, thread: usize) {
        for number in 0.. {
            let batch = 1 + number % 3;
            let payloads: Vec<_> = (0..batch)
                .map(|index| format!("{thread} {number} {index} {:60}", "").into_bytes())
                .collect();
            let entries: Vec<_> = payloads.iter().map(|payload| Entry::new(payload)).collect();
            let after = self.cuts_ended.load(Ordering::SeqCst);
            let commit = match self.log.append(&entries) {
                Ok(commit) => commit,
                Err(StorageError::Closed { .. }) => return,
                Err(error) => panic!("{error}"),
            };
            match commit.wait() {
                Ok(()) => {}
                Err(CommitError::Rewound { .. }) => continue,
                Err(CommitError::Closed) => return,
                Err(error) => panic!("{error}"),
            }
            let first = commit.first();
            let mut acknowledged = self.acknowledged.lock().expect("no panic under it");
            acknowledged.push(Acknowledged {
                first,
                payloads,
                after,
            });
        }
    }

    fn truncate(&self) {
        for back in [3, 20, 1, 50, 7, 2] {
            thread::sleep(Duration::from_millis(60));
            let to = self.log.tail().saturating_sub(back).max(self.log.base());
            self.cuts.lock().expect("no panic under it").push(to);
            self.log.truncate(to).expect("it cuts");
            self.cuts_ended.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn look_on(&self) {
        while !self.done.load(Ordering::Acquire) {
            let metrics = self.log.metrics();
            assert!(!metrics.poisoned);
            assert!(metrics.base <= self.log.tail());
            match self.log.retain() {
                Ok(_) | Err(StorageError::Closed { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn crowd(fsync: FsyncMode) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    let config = Config {
        fsync,
        segment_size_bytes: 16 << 10,
        index_spacing_bytes: 512,
        rollover_threshold_percent: 70,
        retention: Retention {
            bytes: Some(100 << 10),
            interval: Duration::from_millis(10),
            ..Retention::default()
        },
        ..Config::default()
    };
    let crowd = Crowd {
        log: Log::open(&path, config.clone()).expect("it opens"),
        cuts: Mutex::default(),
        cuts_ended: AtomicUsize::new(0),
        acknowledged: Mutex::default(),
        done: AtomicBool::new(false),
    };
    let begun = Instant::now();
    thread::scope(|scope| {
        let crowd = &crowd;
        for thread in 0..APPENDERS {
            scope.spawn(move || crowd.append(thread));
        }
        scope.spawn(|| crowd.look_on());
        crowd.truncate();
        thread::sleep(Duration::from_millis(100));
        let closes = [0; 3].map(|_| scope.spawn(|| crowd.log.close()));
        let closes = closes.map(|close| close.join().expect("it does not panic"));
        let first = closes.iter().filter(|close| close.is_ok()).count();
        assert_eq!(first, 1, "{closes:?}");
        crowd.done.store(true, Ordering::Release);
    });
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "somebody waits for ever"
    );
    let Crowd {
        cuts, acknowledged, ..
    } = crowd;
    let cuts = cuts.into_inner().expect("no panic under it");
    let acknowledged = acknowledged.into_inner().expect("no panic under it");
    assert!(acknowledged.len() > APPENDERS, "{}", acknowledged.len());
    let directory: Arc<dyn Directory> = RealDirectory::open(&path).expect("it is there");
    let look = Look::sound(&directory);
    let (base, tail) = look.bounds();
    let records: BTreeMap<_, _> = look
        .records
        .into_iter()
        .map(|record| (record.offset, record.payload))
        .collect();
    assert!(records.keys().copied().eq(base..tail));
    let mut there = 0;
    for append in &acknowledged {
        for (index, payload) in append.payloads.iter().enumerate() {
            let offset = append.first + index as u64;
            let cut = cuts[append.after..].iter().any(|&to| to <= offset);
            if offset < base {
                continue;
            }
            let found = records.get(&offset) == Some(payload);
            assert!(found || cut, "{offset} of {base}..{tail}, cuts {cuts:?}");
            there += usize::from(found);
        }
    }
    assert!(there > 0);
    // And it opens, and goes on.
    let log = Log::open(&path, config).expect("it opens");
    assert_eq!((log.base(), log.tail()), (base, tail));
    assert_eq!(log.recovered().reports, []);
    log.append(&[Entry::new(b"on")]).expect("it appends");
    log.close().expect("it closes");
}

#[test]
fn acknowledged_when_synced() {
    crowd(FsyncMode::OnCommit);
}

#[test]
fn acknowledged_at_once() {
    crowd(FsyncMode::Periodic {
        interval: Duration::from_millis(5),
    });
}
