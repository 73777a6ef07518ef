//! Databases that called `fsync` again after it had failed: the kernel had dropped the pages that it could not write, the
//! second call succeeded, and what was acknowledged then was never on the disk.
//! Here the first failure ends every acknowledgement until the log is opened again, and that open writes what no mark
//! vouches for once more, because the page cache shows as clean what the device never got (Felix 7.9, 8.5).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ondisk_engine::background::Background;
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, CommitError, Config, Entry, FsyncMode, Log};

use crate::bench::{append, config, environment, goes_on, open, records};
use crate::build::payload;
use crate::power::found;

/// `EIO`.
const BROKEN: i32 = 5;

/// Flushes for each append and at seals only; rolls in the append that needs one, and in the background.
const MODES: [(FsyncMode, u32); 4] = [
    (FsyncMode::OnCommit, 100),
    (FsyncMode::OnCommit, 50),
    (FsyncMode::None, 100),
    (FsyncMode::None, 50),
];

fn in_mode((fsync, rollover_threshold_percent): (FsyncMode, u32)) -> Config {
    Config {
        fsync,
        rollover_threshold_percent,
        ..config()
    }
}

/// A log, and the background that it rolls in.
fn opened(directory: &Arc<dyn Directory>, config: &Config) -> (Log, Background) {
    let environment = environment();
    let log = Log::open_in(Arc::clone(directory), config.clone(), &environment);
    (log.expect("it opens"), environment.background)
}

/// Appends over two rolls, and goes on after a failure. Returns what was acknowledged.
fn appends(log: &Log, background: &Background) -> BTreeMap<u64, Vec<u8>> {
    let mut acknowledged = BTreeMap::new();
    let mut failed = false;
    for number in 0..10 {
        let tail = log.tail();
        let payload = payload(number);
        let Ok(commit) = log.append(&[Entry::new(&payload).at(1)]) else {
            failed = true;
            continue;
        };
        match commit.wait() {
            Ok(()) => {
                assert!(!failed, "acknowledged after a failure");
                acknowledged.insert(tail, payload);
            }
            Err(error) => {
                assert_eq!(error, CommitError::SyncFailed);
                assert!(!commit.is_acknowledged());
                failed = true;
            }
        }
        background.run_ready();
    }
    acknowledged
}

/// A disk with an empty log.
fn empty(config: &Config) -> SimulatedDisk {
    let disk = SimulatedDisk::new();
    let log = open(&disk.root(), config).expect("it opens");
    log.close().expect("it closes");
    disk
}

/// The calls of these appends that sync something that is not derived, by number.
fn syncs(config: &Config) -> Vec<(u64, String)> {
    let disk = empty(config);
    let syncs = Arc::new(Mutex::new(Vec::new()));
    let hooked = {
        let (syncs, disk) = (Arc::clone(&syncs), disk.clone());
        HookedDirectory::over(disk.root(), move |call, name| {
            let is_sync = matches!(call, Call::SyncFile | Call::SyncDirectory);
            if is_sync && !name.ends_with(".index") {
                let sync = (disk.calls(), format!("{call:?} {name}"));
                syncs.lock().expect("no panic").push(sync);
            }
            Verdict::Go
        })
    };
    let (log, background) = opened(&hooked, config);
    // Those of the open are another matter.
    syncs.lock().expect("no panic").clear();
    assert_eq!(appends(&log, &background).len(), 10);
    let syncs = syncs.lock().expect("no panic");
    syncs.clone()
}

/// A disk on which the sync of this number fails once, and what was acknowledged there. The log is gone.
fn with_failed_sync(config: &Config, at: u64) -> (SimulatedDisk, BTreeMap<u64, Vec<u8>>) {
    let disk = empty(config);
    let (log, background) = opened(&disk.root(), config);
    disk.arm(Some(Fault::Fails {
        at,
        errno: BROKEN,
        for_good: false,
    }));
    let acknowledged = appends(&log, &background);
    assert_nothing_more_is_acknowledged(&log);
    (disk, acknowledged)
}

fn assert_nothing_more_is_acknowledged(log: &Log) {
    let durable = log.durable();
    for _ in 0..3 {
        let append = append(log, b"no").expect_err("poisoned");
        assert!(matches!(append, StorageError::SyncFailed));
        let sync = log.sync().expect_err("poisoned");
        assert!(matches!(sync, StorageError::SyncFailed));
    }
    assert!(matches!(log.roll(), Err(StorageError::SyncFailed)));
    assert!(matches!(log.truncate(0), Err(StorageError::SyncFailed)));
    assert_eq!(log.durable(), durable);
    let mut read = log.read(0, Bound::Tail).expect("from the base on");
    let mut shown = 0;
    while read.next().expect("it is sound").is_some() {
        shown += 1;
    }
    assert_eq!(shown, durable, "reads end at the durable bound");
}

fn reopened(disk: &SimulatedDisk, acknowledged: &BTreeMap<u64, Vec<u8>>, config: &Config) -> Log {
    let log = open(&disk.root(), config).expect("the disk works again");
    let records = records(&log);
    for (offset, payload) in acknowledged {
        assert_eq!(records.get(offset), Some(payload));
    }
    log
}

#[test]
pub fn nothing_is_acknowledged_after_a_sync_that_failed_once() {
    for config in MODES.map(in_mode) {
        let syncs = syncs(&config);
        let kinds: Vec<&str> = syncs.iter().map(|(_, what)| what.as_str()).collect();
        assert!(kinds.contains(&"SyncDirectory "), "{kinds:?}");
        assert!(kinds.contains(&"SyncFile durable.mark"), "{kinds:?}");
        for (at, what) in syncs {
            let (disk, acknowledged) = with_failed_sync(&config, at);
            let log = reopened(&disk, &acknowledged, &config);
            goes_on(&what, &disk.root(), &config, log);
        }
    }
}

#[test]
pub fn the_next_open_trusts_no_page_that_it_did_not_write_again() {
    for config in MODES.map(in_mode) {
        for (at, what) in syncs(&config) {
            let (disk, acknowledged) = with_failed_sync(&config, at);
            let log = reopened(&disk, &acknowledged, &config);
            let shown = records(&log);
            // The log says that all of this is durable, and power goes at once.
            assert_eq!(log.durable(), log.tail(), "{what}");
            for disk in found(&disk) {
                let directory = disk.root();
                let after = open(&directory, &config).expect(&what);
                assert_eq!(records(&after), shown, "{what}");
                assert!(!after.recovered().may_have_lost_acknowledged(), "{what}");
                goes_on(&what, &directory, &config, after);
            }
        }
    }
}
