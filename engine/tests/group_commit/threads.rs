//! Threads that wait.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use ondisk_engine::background::Background;
use ondisk_engine::commit::{CommitError, GroupCommit};

use crate::log::{End, LONG, Log, by_hand};

#[test]
fn a_writer_alone_flushes_by_itself() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    for offset in 0..100 {
        let handle = log.append(&commit);
        assert_eq!(
            (handle.offsets(), handle.first()),
            (offset..offset + 1, offset)
        );
        assert!(!handle.is_acknowledged());
        handle.wait().expect("durable");
        assert!(handle.is_acknowledged());
        assert_eq!(commit.durable(), offset + 1);
    }
    assert_eq!(background.run_ready(), 0);
    let threads = log.threads.lock().expect("no panic");
    assert_eq!(*threads, HashSet::from([thread::current().id()]));
}

#[test]
fn many_writers_are_acknowledged_and_only_when_synced() {
    let log = Arc::new(Log::default());
    let commit = log.commit(&Background::default());
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..2000 {
                    let handle = log.append(&commit);
                    handle.wait().expect("durable");
                    assert!(log.synced.load(Ordering::SeqCst) >= handle.offsets().end);
                }
            });
        }
    });
    assert_eq!(commit.durable(), 32_000);
}

#[test]
fn a_wait_with_a_limit_gives_up_and_can_be_repeated() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    let handle = log.append(&commit);
    assert_eq!(handle.wait_timeout(Duration::from_millis(1)), Ok(false));
    assert_eq!(log.synced.load(Ordering::SeqCst), 0, "it flushed");
    drop(handle);
    let handle = log.append(&commit);
    // The record of the handle that was dropped is wanted, so the flush covers this one as well.
    assert!(background.run_ready() > 0);
    assert_eq!(handle.wait_timeout(Duration::ZERO), Ok(true));

    let threads = Background::default();
    let commit = log.commit(&threads);
    let handle = log.append(&commit);
    assert_eq!(handle.wait_timeout(LONG), Ok(true));
}

#[test]
fn an_end_does_not_wait_for_a_flush_that_hangs() {
    let ends: [(End, CommitError); 2] = [
        (GroupCommit::poison, CommitError::SyncFailed),
        (GroupCommit::close, CommitError::Closed),
    ];
    for (end, error) in ends {
        let (log, begun, goes_on) = Log::hanging();
        let commit = log.commit(&by_hand());
        thread::scope(|scope| {
            let leads = scope.spawn(|| log.append(&commit).wait());
            begun.recv_timeout(LONG).expect("it leads");
            let waits = scope.spawn(|| log.append(&commit).wait());
            let flushes = scope.spawn(|| commit.flush());
            // Whether they come before the end or after it, they are told of it.
            thread::sleep(Duration::from_millis(20));
            end(&commit);
            assert_eq!(waits.join().expect("no panic"), Err(error));
            assert_eq!(flushes.join().expect("no panic"), Err(error));
            // The flush that hung comes back well, and that says nothing any more after a failed sync.
            goes_on.send(()).expect("it hangs");
            let poisoned = commit.is_poisoned();
            assert_eq!(leads.join().expect("no panic").is_err(), poisoned);
            assert_eq!(commit.durable(), u64::from(!poisoned));
        });
    }
}

#[test]
fn flushes_that_hang_delay_no_other_log() {
    let background = Background::threads(2);
    let hanging: Vec<_> = (0..4)
        .map(|_| {
            let (log, begun, goes_on) = Log::hanging();
            let commit = log.commit(&background);
            drop(log.append(&commit));
            begun
                .recv_timeout(LONG)
                .expect("it begins beside the others");
            (log, commit, goes_on)
        })
        .collect();
    let log = Arc::new(Log::default());
    let commit = log.commit(&background);
    for _ in 0..10 {
        let handle = log.append(&commit);
        assert_eq!(handle.wait_timeout(LONG), Ok(true));
        assert_eq!(log.append(&commit).wait(), Ok(()));
    }
    for (log, commit, goes_on) in &hanging {
        assert_eq!(commit.durable(), 0);
        let handle = log.append(commit);
        goes_on.send(()).expect("it hangs");
        goes_on.send(()).expect("the next as well");
        assert_eq!(handle.wait_timeout(LONG), Ok(true));
    }
}

#[test]
fn whoever_joins_a_flush_is_told_by_the_next() {
    let (log, begun, goes_on) = Log::hanging();
    let commit = log.commit(&by_hand());
    thread::scope(|scope| {
        let first = log.append(&commit);
        scope.spawn(move || first.wait().expect("durable"));
        begun.recv_timeout(LONG).expect("it leads");
        // This record and this flush come too late for the one that runs.
        let second = log.append(&commit);
        let waits = scope.spawn(move || second.wait());
        let flushes = scope.spawn(|| commit.flush());
        goes_on.send(()).expect("it hangs");
        begun.recv_timeout(LONG).expect("one of them leads");
        goes_on.send(()).expect("it hangs");
        // Whichever of the two came later may need a flush of its own.
        goes_on.send(()).expect("it may hang");
        assert_eq!(waits.join().expect("no panic"), Ok(()));
        assert_eq!(flushes.join().expect("no panic"), Ok(2));
    });
    assert_eq!(commit.durable(), 2);
}

/// What it made durable is gone by then.
#[test]
fn a_flush_that_was_overtaken_by_a_cut_says_nothing_of_what_is_behind_it() {
    let (log, begun, goes_on) = Log::hanging();
    let commit = log.commit(&by_hand());
    thread::scope(|scope| {
        let kept = log.append(&commit);
        let gone = log.append(&commit);
        let flushes = scope.spawn(|| commit.flush());
        begun.recv_timeout(LONG).expect("it begins");
        commit.lower(1);
        goes_on.send(()).expect("it hangs");
        assert_eq!(flushes.join().expect("no panic"), Ok(1));
        assert_eq!(kept.wait(), Ok(()));
        assert_eq!(gone.wait(), Err(CommitError::Rewound { to: 1 }));
    });
    assert_eq!(commit.durable(), 1);
}
