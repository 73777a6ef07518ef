//! Databases that called `fsync` again after it had failed: the kernel had dropped the pages that it could not write, the
//! second call succeeded, and what was acknowledged then was never on the disk.
//! Here the first failure ends every acknowledgement until the log is opened again, and that open writes what no mark
//! vouches for once more, because the page cache shows as clean what the device never got (Felix 7.9, 8.5).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, CommitError, Entry, Log};

use crate::bench::{append, config, environment, goes_on, open, records, reports};
use crate::build::payload;
use crate::power::found;

/// `EIO`.
const BROKEN: i32 = 5;

/// Appends over a roll, with a commit that nobody waits for in front of each that is waited for. Goes on after a failure:
/// returns what was acknowledged.
fn appends(log: &Log) -> BTreeMap<u64, Vec<u8>> {
    let mut acknowledged = BTreeMap::new();
    let mut failed = false;
    for number in 0..6 {
        let tail = log.tail();
        let payload = payload(number);
        let Ok(first) = log.append(&[Entry::new(&payload).at(1)]) else {
            failed = true;
            continue;
        };
        match first.wait() {
            Ok(()) => {
                assert!(!failed, "acknowledged after a failure");
                acknowledged.insert(tail, payload);
            }
            Err(error) => {
                assert_eq!(error, CommitError::SyncFailed);
                assert!(!first.is_acknowledged());
                failed = true;
            }
        }
    }
    acknowledged
}

/// The calls that are syncs of something that is not derived, by number.
fn syncs() -> Vec<(u64, String)> {
    let disk = SimulatedDisk::new();
    let log = open(&disk.root(), &config()).expect("it opens");
    log.close().expect("it closes");
    let syncs = Arc::new(Mutex::new(Vec::new()));
    let hooked = {
        let (syncs, disk) = (Arc::clone(&syncs), disk.clone());
        HookedDirectory::over(disk.root(), move |call, name| {
            let derived = name.ends_with(".index");
            if matches!(call, Call::SyncFile | Call::SyncDirectory) && !derived {
                let sync = (disk.calls(), format!("{call:?} {name}"));
                syncs.lock().expect("no panic").push(sync);
            }
            Verdict::Go
        })
    };
    let log = open(&hooked, &config()).expect("it opens");
    let opened = disk.calls();
    assert_eq!(appends(&log).len(), 6);
    // A close has syncs of its own.
    let ended = disk.calls();
    drop(log);
    let mut syncs = syncs.lock().expect("no panic").clone();
    syncs.retain(|(at, _)| (opened..ended).contains(at));
    syncs
}

/// A disk on which the sync of this number fails once, and what was acknowledged there. The log is gone.
fn with_failed_sync(at: u64) -> (SimulatedDisk, BTreeMap<u64, Vec<u8>>) {
    let disk = SimulatedDisk::new();
    let log = open(&disk.root(), &config()).expect("it opens");
    log.close().expect("it closes");
    drop(log);
    let log = open(&disk.root(), &config()).expect("it opens");
    disk.arm(Some(Fault::Fails {
        at,
        errno: BROKEN,
        for_good: false,
    }));
    let acknowledged = appends(&log);
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

fn reopened(directory: &Arc<dyn Directory>, acknowledged: &BTreeMap<u64, Vec<u8>>) -> Log {
    let log = Log::open_in(Arc::clone(directory), config(), &environment());
    let log = log.expect("the disk works again");
    let records = records(&log);
    for (offset, payload) in acknowledged {
        assert_eq!(records.get(offset), Some(payload));
    }
    log
}

#[test]
pub fn nothing_is_acknowledged_after_a_sync_that_failed_once() {
    let syncs = syncs();
    let kinds: Vec<&str> = syncs.iter().map(|(_, what)| what.as_str()).collect();
    assert!(kinds.contains(&"SyncDirectory "), "{kinds:?}");
    assert!(kinds.contains(&"SyncFile durable.mark"), "{kinds:?}");
    for (at, what) in syncs {
        let (disk, acknowledged) = with_failed_sync(at);
        let log = reopened(&disk.root(), &acknowledged);
        assert!(log.tail() >= acknowledged.len() as u64, "{what}");
        goes_on(&what, &disk.root(), &config(), log);
    }
}

#[test]
pub fn the_next_open_trusts_no_page_that_it_did_not_write_again() {
    for (at, what) in syncs() {
        let (disk, acknowledged) = with_failed_sync(at);
        let log = reopened(&disk.root(), &acknowledged);
        let shown = records(&log);
        // The log says that all of this is durable, and power goes at once.
        assert_eq!(log.durable(), log.tail(), "{what}");
        for disk in found(&disk) {
            let directory = disk.root();
            let after = open(&directory, &config()).expect(&what);
            assert_eq!(records(&after), shown, "{what}");
            assert!(!reports(&after).contains(&"short_of_mark"), "{what}");
            goes_on(&what, &directory, &config(), after);
        }
    }
}
