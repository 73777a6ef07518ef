//! Group commit with real threads, and with futures that are polled by hand. `commit_model` has the schedules.

use std::collections::HashSet;
use std::future::Future;
use std::io;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ondisk_engine::background::Background;
use ondisk_engine::clock::ManualClock;
use ondisk_engine::commit::{Commit, CommitError, Flush, GroupCommit};

/// Far longer than anything takes here, on a machine that is busy with other things too.
const LONG: Duration = Duration::from_secs(60);

/// What is done to the commits of a log.
type End = fn(&GroupCommit);

/// Offsets that are given out, and how far a flush brought them.
#[derive(Default)]
struct Log {
    tail: AtomicU64,
    synced: AtomicU64,
    threads: Mutex<HashSet<ThreadId>>,
    /// A flush says that it begins, and waits until it may go on.
    gate: Option<(Sender<()>, Mutex<Receiver<()>>)>,
}

impl Flush for Log {
    fn flush(&self) -> io::Result<u64> {
        let tail = self.tail.load(Ordering::SeqCst);
        self.threads
            .lock()
            .expect("no panic")
            .insert(thread::current().id());
        if let Some((begins, goes_on)) = &self.gate {
            let _listening = begins.send(());
            let _gone = goes_on.lock().expect("no panic").recv();
        }
        self.synced.fetch_max(tail, Ordering::SeqCst);
        Ok(tail)
    }
}

impl Log {
    fn commit(self: &Arc<Self>, background: &Background) -> GroupCommit {
        let flush: Weak<Self> = Arc::downgrade(self);
        GroupCommit::new(0, flush, background)
    }

    fn append(&self, commit: &GroupCommit) -> Commit {
        let offset = self.tail.fetch_add(1, Ordering::SeqCst);
        commit.handle(offset..offset + 1, false)
    }

    /// One whose flushes hang, with what tells that one has begun and what lets it go on.
    fn hanging() -> (Arc<Self>, Receiver<()>, Sender<()>) {
        let (begins, begun) = channel();
        let (goes_on, go_on) = channel();
        let log = Self {
            gate: Some((begins, Mutex::new(go_on))),
            ..Self::default()
        };
        (Arc::new(log), begun, goes_on)
    }
}

fn by_hand() -> Background {
    Background::manual(Arc::new(ManualClock::default()))
}

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

#[test]
fn handles_go_where_they_are_wanted() {
    fn anywhere<T: Send + Sync + Unpin + 'static>() {}
    anywhere::<Commit>();
    anywhere::<GroupCommit>();
    anywhere::<Background>();
    // Two offsets, and either nothing or what leads to the log.
    assert!(size_of::<Commit>() <= 96, "{}", size_of::<Commit>());
}
