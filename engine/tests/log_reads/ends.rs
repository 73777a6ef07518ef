//! A log that is closed, and one whose sync failed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, FsyncMode};

use crate::bench::{Place, fill, offsets, small};
use crate::disk::{Call, told};

#[test]
fn nothing_is_read_after_the_close() {
    for place in Place::all() {
        let log = place.open(small());
        fill(&log, [100; 5]);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        let mut follow = log.follow(5, Bound::Tail).expect("it is there");
        let kept = records.next().expect("it reads").expect("one more").keep();
        log.close().expect("it closes");
        let closed =
            |error: Option<StorageError>| matches!(error, Some(StorageError::Closed { .. }));
        assert!(closed(log.read(0, Bound::Tail).err()));
        assert!(closed(log.read(9, Bound::Tail).err()));
        assert!(closed(log.read_range(0, 10).err()));
        assert!(closed(log.follow(0, Bound::Tail).err()));
        assert!(closed(follow.next().err()));
        let end = loop {
            match records.next() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("no end of a closed log"),
                Err(error) => break error,
            }
        };
        assert!(closed(Some(end)));
        assert_eq!(kept.offset(), 0);
        // The place is free again.
        drop((log, records, follow));
        assert_eq!(place.open(small()).tail(), 5);
    }
}

#[test]
fn in_this_order() {
    let place = Place::mapped();
    let log = place.open(small());
    log.reset_to(10).expect("it begins anew");
    assert!(log.read_range(10, 1).expect("it reads").is_empty());
    assert!(log.read_range(99, 1).expect("it reads").is_empty());
    let trimmed = log.read_range(9, 1);
    assert!(
        matches!(
            trimmed,
            Err(StorageError::Trimmed {
                requested: 9,
                oldest: 10
            })
        ),
        "{trimmed:?}"
    );
    log.close().expect("it closes");
    assert!(matches!(
        log.read_range(9, 1),
        Err(StorageError::Closed { .. })
    ));
}

#[test]
fn reads_of_a_poisoned_log_stop_at_the_durable_bound() {
    for place in Place::all() {
        let (directory, hooks) = told(Arc::clone(&place.directory));
        let fails = Arc::new(AtomicBool::new(false));
        let failing = Arc::clone(&fails);
        hooks.set(move |op, name| {
            if op == Call::SyncFile && name.ends_with(".log") && failing.load(Ordering::Relaxed) {
                return Err(io::Error::other("the device is gone"));
            }
            Ok(())
        });
        let place = Place { directory, ..place };
        let log = place.open(Config {
            fsync: FsyncMode::OnCommit,
            ..small()
        });
        log.append(&[Entry::new(b"one"), Entry::new(b"two")])
            .and_then(|commit| commit.wait().map_err(|_| StorageError::SyncFailed))
            .expect("it is durable");
        fails.store(true, Ordering::Relaxed);
        let lost = log.append(&[Entry::new(b"three")]).expect("it appends");
        log.advance_commit(3).expect("it is open");
        let mut before = log.read(0, Bound::Tail).expect("it is there");
        assert!(before.next().expect("it reads").is_some());
        assert!(lost.wait().is_err());
        assert_eq!((log.tail(), log.durable()), (3, 2));
        for bound in [Bound::Tail, Bound::Durable, Bound::Commit] {
            let mut records = log.read(0, bound).expect("it is there");
            let mut read = 0;
            while records.next().expect("it reads").is_some() {
                read += 1;
            }
            assert_eq!(read, 2, "{bound:?}, {}", place.name);
        }
        assert_eq!(log.read_range(0, u64::MAX).expect("it reads").len(), 2);
        assert!(before.next().expect("it reads").is_some());
        assert!(
            before.next().expect("it reads").is_none(),
            "{}: an iterator that had begun before",
            place.name
        );
    }
}

#[test]
fn a_follower_of_a_poisoned_log_does_not_wait_for_ever() {
    let place = Place::mapped();
    let (directory, hooks) = told(Arc::clone(&place.directory));
    hooks.set(|op, name| match op {
        Call::SyncFile if name.ends_with("0.log") => Err(io::Error::other("the device is gone")),
        _ => Ok(()),
    });
    let place = Place { directory, ..place };
    // Only what creates the log is synced well.
    let (first, hooks) = (place.directory.clone(), hooks);
    drop(first);
    hooks.set(|_, _| Ok(()));
    let log = place.open(Config {
        fsync: FsyncMode::OnCommit,
        ..small()
    });
    hooks.set(|op, _| match op {
        Call::SyncFile => Err(io::Error::other("the device is gone")),
        _ => Ok(()),
    });
    let mut follow = log.follow(0, Bound::Durable).expect("it is there");
    std::thread::scope(|scope| {
        let waits = scope.spawn(move || follow.next().map(|record| record.offset()));
        let lost = log.append(&[Entry::new(b"lost")]).expect("it appends");
        assert!(lost.wait().is_err());
        let told = waits.join().expect("it ends");
        assert!(matches!(told, Err(StorageError::SyncFailed)), "{told:?}");
    });
}

#[test]
fn the_last_handle_ends_the_log_for_readers_too() {
    let place = Place::mapped();
    let log = place.open(small());
    fill(&log, [100; 5]);
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    let again = log.clone();
    drop(log);
    assert_eq!(offsets(&again, 0).len(), 5);
    let kept = again.read_range(0, u64::MAX).expect("it reads");
    drop(again);
    // What is at hand may still come, and then it is told.
    let end = loop {
        match records.next() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the log is gone"),
            Err(error) => break error,
        }
    };
    assert!(matches!(end, StorageError::Closed { .. }), "{end}");
    assert_eq!(kept.len(), 5);
    // The directory is free, whatever readers hold.
    assert_eq!(place.open(small()).tail(), 5);
    assert!(kept.iter().all(|record| record.payload().len() == 100));
}
