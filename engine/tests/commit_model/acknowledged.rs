//! Whoever is told that records are durable is told the truth, and everybody is told something.

use std::sync::Arc;

use shuttle::sync::atomic::Ordering;
use shuttle::thread;

use crate::commit::CommitError;
use crate::explore::explore;
use crate::log::{Log, Odd, threads};

#[test]
fn every_writer_is_acknowledged() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(3, move |_| {
            for _ in 0..2 {
                let record = writer.append();
                assert_eq!(writer.wait(&record), Ok(()));
                assert!(record.commit.is_acknowledged());
            }
        });
        assert_eq!(log.commit.durable(), 6);
        // A flush for each would mean that nobody joined another; more, that one ran for nothing.
        assert!((1..=6).contains(&log.files.flushes.load(Ordering::SeqCst)));
    });
}

#[test]
fn a_flush_covers_what_was_appended_before_it() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            let record = writer.append();
            if number == 2 {
                assert_eq!(writer.wait(&record), Ok(()));
                return;
            }
            let bound = writer.commit.flush().expect("flushed");
            assert!(bound >= record.commit.offsets().end);
            writer.check(record.number, Ok(()));
            assert!(record.commit.is_acknowledged());
        });
    });
}

#[test]
fn a_seal_acknowledges() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            let record = writer.append();
            if number == 0 {
                writer.seal();
                assert!(record.commit.is_acknowledged());
            }
            assert_eq!(writer.wait(&record), Ok(()));
        });
    });
}

#[test]
fn no_flush_runs_beside_the_flush_lock() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(4, move |number| {
            if number < 2 {
                let record = writer.append();
                assert_eq!(writer.wait(&record), Ok(()));
                return;
            }
            let mut guard = writer.exclusive();
            if number == 3 {
                let record = writer.append();
                let bound = guard.flush().expect("flushed");
                assert!(bound >= record.commit.offsets().end);
                writer.check(record.number, Ok(()));
            }
        });
    });
}

#[test]
fn flushes_that_cover_nothing_come_to_an_end() {
    explore(|| {
        let log = Log::odd(|_| Odd::CoversNothing);
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            let record = writer.append();
            match number {
                0 => drop(record),
                1 => {
                    let outcome = shuttle::future::block_on(record.commit);
                    assert_eq!(outcome, Err(CommitError::SyncFailed));
                }
                _ => assert_eq!(writer.wait(&record), Err(CommitError::SyncFailed)),
            }
        });
        assert!(!log.commit.is_poisoned());
        assert_eq!(log.commit.durable(), 0);
    });
}

#[test]
fn a_close_ends_every_wait() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(4, move |number| match number {
            0 => {
                let mut guard = writer.exclusive();
                let _last = guard.flush();
                writer.commit.close();
                let flushes = writer.files.flushes.load(Ordering::SeqCst);
                drop(guard);
                thread::yield_now();
                let since = writer.files.flushes.load(Ordering::SeqCst);
                assert_eq!(since, flushes, "flushed after the close");
            }
            1 => {
                let record = writer.append();
                let number = record.number;
                let outcome = shuttle::future::block_on(record.commit);
                writer.check(number, outcome);
            }
            2 => {
                let outcome = writer.commit.flush();
                assert!(matches!(outcome, Ok(_) | Err(CommitError::Closed)));
            }
            _ => {
                let record = writer.append();
                let outcome = writer.wait(&record);
                assert!(matches!(outcome, Ok(()) | Err(CommitError::Closed)));
            }
        });
        let late = log.append();
        assert_eq!(log.wait(&late), Err(CommitError::Closed));
        assert_eq!(log.commit.flush(), Err(CommitError::Closed));
    });
}
