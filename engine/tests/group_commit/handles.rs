//! Handles as futures, dropped, and acknowledged at once.

use std::future::Future;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use ondisk_engine::background::Background;
use ondisk_engine::commit::{Commit, CommitError, GroupCommit};

use crate::log::{End, Log, by_hand};

struct Counts(AtomicU64);

impl Wake for Counts {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

struct Panics;

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        resume_unwind(Box::new("a waker that panics"));
    }
}

fn poll(commit: &mut Commit, waker: &Waker) -> Poll<Result<(), CommitError>> {
    Pin::new(commit).poll(&mut Context::from_waker(waker))
}

#[test]
fn a_future_is_woken_by_the_flush_of_the_background() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    let mut handle = log.append(&commit);
    let counts = Arc::new(Counts(AtomicU64::new(0)));
    let waker = Arc::clone(&counts).into();
    assert_eq!(poll(&mut handle, &waker), Poll::Pending);
    assert_eq!(poll(&mut handle, &waker), Poll::Pending);
    assert_eq!(log.synced.load(Ordering::SeqCst), 0, "a poll flushed");
    assert_eq!(background.run_ready(), 1);
    assert_eq!(counts.0.load(Ordering::SeqCst), 1);
    assert_eq!(poll(&mut handle, &waker), Poll::Ready(Ok(())));
    // A future that is ready stays what it is, whatever comes.
    commit.lower(0);
    assert_eq!(poll(&mut handle, &waker), Poll::Ready(Ok(())));
}

#[test]
fn a_future_that_is_ready_says_the_same_to_whoever_waits() {
    let ends: [(End, Result<(), CommitError>); 2] = [
        (|commit| commit.raise(1), Ok(())),
        (|commit| commit.poison(), Err(CommitError::SyncFailed)),
    ];
    let log = Arc::new(Log::default());
    for (end, outcome) in ends {
        let commit = log.commit(&by_hand());
        let mut handle = commit.handle(0..1, false);
        end(&commit);
        assert_eq!(poll(&mut handle, Waker::noop()), Poll::Ready(outcome));
        // By now its offset may be that of another record.
        commit.lower(0);
        assert_eq!(handle.is_acknowledged(), outcome.is_ok());
        assert_eq!(handle.wait(), outcome);
        let waited = handle.wait_timeout(Duration::ZERO);
        assert_eq!(waited, outcome.map(|()| true));
    }
}

#[test]
fn what_is_printed_says_how_far_it_is() {
    let log = Arc::new(Log::default());
    let commit = log.commit(&by_hand());
    let handle = log.append(&commit);
    // Nor does it wait for a flush that runs.
    let flushes = commit.exclusive();
    let printed = format!("{handle:?} {commit:?} {flushes:?}");
    assert!(
        printed.starts_with("Commit { offsets: 0..1, acknowledged: false, .. }"),
        "{printed}"
    );
    assert!(printed.contains("durable: 0, ended: 0"), "{printed}");
    drop(flushes);
    handle.wait().expect("durable");
    commit.poison();
    let printed = format!("{handle:?} {commit:?}");
    assert!(printed.contains("acknowledged: true"), "{printed}");
    assert!(printed.contains("durable: 1, ended: 2"), "{printed}");
}

#[test]
fn a_waker_that_panics_keeps_nobody_from_being_woken() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    let counts = Arc::new(Counts(AtomicU64::new(0)));
    let wakers: [Waker; 3] = [
        Arc::clone(&counts).into(),
        Arc::new(Panics).into(),
        Arc::clone(&counts).into(),
    ];
    let mut handles = [(); 3].map(|()| log.append(&commit));
    for (handle, waker) in handles.iter_mut().zip(&wakers) {
        assert_eq!(poll(handle, waker), Poll::Pending);
    }
    log.append(&commit).wait().expect("durable");
    assert_eq!(counts.0.load(Ordering::SeqCst), 2);
    for handle in &mut handles {
        assert_eq!(poll(handle, Waker::noop()), Poll::Ready(Ok(())));
    }
}

#[test]
fn wakers_that_fall_due_under_a_lock_are_left_to_the_background() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let ends: [(End, Result<(), CommitError>); 4] = [
        (|commit| commit.raise(1), Ok(())),
        (
            |commit| commit.lower(0),
            Err(CommitError::Rewound { to: 0 }),
        ),
        (|commit| commit.poison(), Err(CommitError::SyncFailed)),
        (|commit| commit.close(), Err(CommitError::Closed)),
    ];
    for (end, outcome) in ends {
        let commit = log.commit(&background);
        let mut handle = commit.handle(0..1, false);
        let counts = Arc::new(Counts(AtomicU64::new(0)));
        let waker = Arc::clone(&counts).into();
        assert_eq!(poll(&mut handle, &waker), Poll::Pending);
        end(&commit);
        assert_eq!(counts.0.load(Ordering::SeqCst), 0, "{outcome:?}");
        background.run_ready();
        assert_eq!(counts.0.load(Ordering::SeqCst), 1, "{outcome:?}");
        assert_eq!(poll(&mut handle, &waker), Poll::Ready(outcome));
    }
    assert!(log.threads.lock().expect("no panic").is_empty());
}

#[test]
fn dropped_handles_get_their_records_flushed() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    for _ in 0..10 {
        drop(log.append(&commit));
    }
    let mut polled = log.append(&commit);
    assert_eq!(poll(&mut polled, Waker::noop()), Poll::Pending);
    drop(polled);
    assert_eq!(background.run_ready(), 1, "one flush for all");
    assert_eq!(commit.durable(), 11);
    let covered = commit.handle(10..11, false);
    drop(covered);
    assert_eq!(background.run_ready(), 0);
}

#[test]
fn a_dropped_handle_of_a_record_that_is_cut_off_wants_nothing() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    drop(log.append(&commit));
    commit.lower(0);
    background.run_ready();
    assert!(log.threads.lock().expect("no panic").is_empty(), "flushed");
}

#[test]
fn a_log_that_is_gone_is_closed() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    let handle = log.append(&commit);
    let mut future = log.append(&commit);
    assert_eq!(poll(&mut future, Waker::noop()), Poll::Pending);
    drop(log);
    assert_eq!(handle.wait(), Err(CommitError::Closed));
    assert_eq!(
        poll(&mut future, Waker::noop()),
        Poll::Ready(Err(CommitError::Closed))
    );
    assert_eq!(commit.flush(), Err(CommitError::Closed));
}

#[test]
fn what_is_acknowledged_at_once_has_nothing_to_wait_for() {
    let (background, log) = (by_hand(), Arc::new(Log::default()));
    let commit = log.commit(&background);
    let mut handle = commit.handle(3..5, true);
    commit.poison();
    assert!(handle.is_acknowledged());
    assert_eq!(handle.wait(), Ok(()));
    assert_eq!(handle.wait_timeout(Duration::ZERO), Ok(true));
    assert_eq!(poll(&mut handle, Waker::noop()), Poll::Ready(Ok(())));
    drop(handle);
    drop(commit.handle(5..6, true));
    assert_eq!(background.run_ready(), 0);
    assert!(log.threads.lock().expect("no panic").is_empty());
}

#[test]
fn handles_go_where_they_are_wanted() {
    fn anywhere<T: Send + Sync + Unpin + 'static>() {}
    anywhere::<Commit>();
    anywhere::<GroupCommit>();
    anywhere::<Background>();
    // Two offsets, and either nothing or what leads to the log.
    assert!(size_of::<Commit>() <= 96, "{}", size_of::<Commit>());
}
