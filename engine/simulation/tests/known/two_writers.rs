//! Stores that guard a directory by a lock file: a second process that ignores it or finds it stale writes into the same
//! log, and after a crash somebody has to remove it by hand.
//! Here the directory itself is locked by the kernel, for as long as the process lives, and what has the path is looked at
//! again behind the lock (Felix 2.1, 7.9).

use std::fs;
use std::io;
use std::path::Path;

use ondisk_engine::disk::locked;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Log;

use crate::bench::{append_next, as_written, config, environment, goes_on, records};
use crate::process::{self, Other};

fn open(path: &Path) -> Result<Log, StorageError> {
    Log::open_with(path, config(), &environment())
}

/// Why the lock was refused.
fn refused(opened: Result<Log, StorageError>) -> io::Error {
    match opened {
        Err(StorageError::Io {
            source,
            operation: "lock",
            ..
        }) => source,
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "the other process of the tests below"]
fn hold_a_log() {
    let Some(place) = process::place() else {
        return;
    };
    let log = open(&place).expect("nobody has it");
    append_next(&log, 6).expect("the disk works");
    process::say("open");
    process::wait();
    log.close().expect("it closes");
    drop(log);
    process::say("closed");
    process::wait();
}

#[test]
fn a_second_process_is_refused_until_the_first_one_closes_its_log() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    let mut other = Other::start("two_writers::hold_a_log", &path);
    other.has_said("open");
    let before = fs::read(path.join("00000000000000000001.log")).expect("it is there");
    for _ in 0..2 {
        let error = refused(open(&path));
        let locked = locked(&error).expect("because of the lock");
        if let Some(holder) = locked.holder {
            assert_eq!(holder, other.id());
            let message = error.to_string();
            assert_eq!(message, format!("locked by process {holder}"));
        }
    }
    let after = fs::read(path.join("00000000000000000001.log")).expect("it is there");
    assert_eq!(after, before, "nothing is touched");
    other.goes_on();
    other.has_said("closed");
    let log = open(&path).expect("it is free");
    assert_eq!(log.recovered().reports, []);
    assert_eq!(records(&log), as_written(0..6));
    other.kill();
    let directory = RealDirectory::open(&path).expect("it opens") as _;
    goes_on("closed by another", &directory, &config(), log);
}

#[test]
fn the_lock_of_a_process_that_is_killed_is_free() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    let mut other = Other::start("two_writers::hold_a_log", &path);
    other.has_said("open");
    refused(open(&path));
    other.kill();
    let log = open(&path).expect("it is free");
    assert_eq!(log.recovered().reports, []);
    assert_eq!(records(&log), as_written(0..6));
    let directory = RealDirectory::open(&path).expect("it opens") as _;
    goes_on("killed", &directory, &config(), log);
}

#[test]
fn a_second_log_in_the_same_process_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let first = open(place.path()).expect("nobody has it");
    let error = refused(open(place.path()));
    assert!(locked(&error).is_some(), "{error}");
    // A clone is a handle of the same log: it holds the lock as well.
    let clone = first.clone();
    drop(first);
    refused(open(place.path()));
    drop(clone);
    open(place.path()).expect("it is free");
}

#[test]
fn a_directory_that_was_replaced_is_not_written_by_its_old_handle() {
    let place = tempfile::tempdir().expect("a directory");
    let (path, moved) = (place.path().join("shard"), place.path().join("moved"));
    open(&path).expect("it opens").close().expect("it closes");
    // Between the open of the directory and the lock another one takes its path.
    let directory = RealDirectory::open(&path).expect("it opens");
    fs::rename(&path, &moved).expect("it is moved");
    let by_old_handle = || Log::open_in(directory.clone(), config(), &environment());
    refused(by_old_handle());
    fs::create_dir(&path).expect("the path is free");
    let error = refused(by_old_handle());
    let message = error.to_string();
    assert!(
        message.contains("another directory has the path"),
        "{message}"
    );
    assert!(locked(&error).is_none(), "nobody has a lock");
    // Both are free for whoever opens them by their paths, also at once.
    let new = open(&path).expect("it is free");
    let old = open(&moved).expect("it is free");
    append_next(&old, 1).expect("the disk works");
    assert_eq!((new.tail(), old.tail()), (0, 1));
}
