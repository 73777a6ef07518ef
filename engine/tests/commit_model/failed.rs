//! A failed sync is for good.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use shuttle::sync::atomic::Ordering;
use shuttle::thread;

use crate::commit::CommitError;
use crate::explore::explore;
use crate::log::{Log, Odd, threads};

#[test]
fn nothing_becomes_durable_after_a_failed_flush() {
    explore(|| {
        let log = Log::odd(|flush| if flush == 1 { Odd::Fails } else { Odd::Works });
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            for _ in 0..2 {
                let record = writer.append();
                let outcome = if number == 0 {
                    let (number, commit) = (record.number, record.commit);
                    let outcome = shuttle::future::block_on(commit);
                    writer.check(number, outcome);
                    outcome
                } else {
                    writer.wait(&record)
                };
                assert!(matches!(outcome, Ok(()) | Err(CommitError::SyncFailed)));
            }
        });
        let flushes = log.files.flushes.load(Ordering::SeqCst);
        assert!(
            flushes <= 2,
            "{flushes} flushes, of which the second failed"
        );
        if flushes == 2 {
            assert!(log.commit.is_poisoned());
            let bound = log.commit.durable();
            log.seal();
            assert_eq!(
                log.commit.durable(),
                bound,
                "published after a failed flush"
            );
            assert_eq!(log.commit.flush(), Err(CommitError::SyncFailed));
            let late = log.append();
            assert_eq!(log.wait(&late), Err(CommitError::SyncFailed));
        }
    });
}

#[test]
fn a_flush_that_succeeds_later_does_not_publish() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(4, move |number| {
            if number == 0 {
                writer.commit.poison();
                let bound = writer.commit.durable();
                for _ in 0..4 {
                    thread::yield_now();
                    assert_eq!(
                        writer.commit.durable(),
                        bound,
                        "published after a failed sync"
                    );
                }
                assert_eq!(writer.commit.flush(), Err(CommitError::SyncFailed));
                return;
            }
            let record = writer.append();
            if number == 1 {
                writer.seal();
            }
            let outcome = writer.wait(&record);
            let covered = record.commit.offsets().end <= writer.commit.durable();
            // What was covered before the failure stays so, and what was not never is.
            let wanted = if covered {
                Ok(())
            } else {
                Err(CommitError::SyncFailed)
            };
            assert_eq!(outcome, wanted);
        });
        log.commit.close();
        let late = log.append();
        assert_eq!(log.wait(&late), Err(CommitError::SyncFailed));
    });
}

#[test]
fn a_flush_that_panics_is_a_failed_one() {
    explore(|| {
        let log = Log::odd(|_| Odd::Panics);
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            let record = writer.append();
            if number == 0 {
                let outcome = shuttle::future::block_on(record.commit);
                assert_eq!(outcome, Err(CommitError::SyncFailed));
                return;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| writer.wait(&record)));
            assert!(matches!(outcome, Err(_) | Ok(Err(CommitError::SyncFailed))));
        });
        assert!(log.commit.is_poisoned());
        assert_eq!(log.files.flushes.load(Ordering::SeqCst), 1);
    });
}
