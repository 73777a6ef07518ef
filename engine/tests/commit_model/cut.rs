//! A handle stands for its record, not for whatever has its offset.

use std::sync::Arc;

use shuttle::thread;

use crate::commit::CommitError;
use crate::explore::explore;
use crate::log::{Log, threads};

#[test]
fn records_that_are_cut_off_are_never_acknowledged() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(4, move |number| match number {
            0 => {
                writer.cut(1);
                // The same offsets, other records.
                for _ in 0..2 {
                    let record = writer.append();
                    assert_eq!(writer.wait(&record), Ok(()));
                }
            }
            1 => {
                let record = writer.append();
                let number = record.number;
                let outcome = shuttle::future::block_on(record.commit);
                writer.check(number, outcome);
            }
            _ => {
                let record = writer.append();
                let outcome = writer.wait(&record);
                let first = record.commit.first() == 0;
                assert!(
                    outcome == Ok(()) || !first && outcome == Err(CommitError::Rewound { to: 1 })
                );
            }
        });
        assert!(log.commit.durable() <= log.tail());
    });
}

#[test]
fn a_handle_of_an_older_era_knows() {
    explore(|| {
        let log = Log::new();
        let kept = log.append();
        let gone = log.append();
        let other = Arc::clone(&log);
        let cutter = thread::spawn(move || {
            other.cut(1);
            let record = other.append();
            assert_eq!(record.commit.offsets(), 1..2);
            assert_eq!(other.wait(&record), Ok(()));
        });
        assert_eq!(log.wait(&kept), Ok(()));
        cutter.join().expect("no panic");
        assert_eq!(log.wait(&kept), Ok(()));
        assert_eq!(log.wait(&gone), Err(CommitError::Rewound { to: 1 }));
        assert!(!gone.commit.is_acknowledged());
        let outcome = shuttle::future::block_on(gone.commit);
        assert_eq!(outcome, Err(CommitError::Rewound { to: 1 }));
    });
}

#[test]
fn the_bound_follows_a_cut() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        let background = thread::spawn(move || {
            for _ in 0..3 {
                drop(writer.append());
            }
        });
        let record = log.append();
        let _any = log.wait(&record);
        log.cut(0);
        background.join().expect("no panic");
        assert!(log.commit.durable() <= log.tail());
        assert_eq!(log.wait(&record), Err(CommitError::Rewound { to: 0 }));
    });
}

#[test]
fn a_log_that_goes_on_above_its_records_acknowledges_none_of_them() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(4, move |number| match number {
            0 => {
                writer.restart(100);
                let record = writer.append();
                assert!(record.commit.first() >= 100);
                assert_eq!(writer.wait(&record), Ok(()));
            }
            1 => drop(writer.append()),
            2 => {
                let record = writer.append();
                let number = record.number;
                let outcome = shuttle::future::block_on(record.commit);
                writer.check(number, outcome);
            }
            _ => {
                let record = writer.append();
                let early = record.commit.first() < 100;
                let outcome = writer.wait(&record);
                assert!(
                    outcome == Ok(()) || early && outcome == Err(CommitError::Rewound { to: 100 })
                );
            }
        });
        log.until_all_durable();
    });
}
