//! Those who cannot flush: futures, waits with a limit, and handles that nobody waits for.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use shuttle::future::block_on;

use crate::explore::explore;
use crate::log::{Log, threads};

#[test]
fn futures_are_woken() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            for _ in 0..2 {
                let record = writer.append();
                if number == 0 {
                    assert_eq!(writer.wait(&record), Ok(()));
                } else {
                    let number = record.number;
                    assert_eq!(block_on(record.commit), Ok(()));
                    writer.check(number, Ok(()));
                }
            }
        });
    });
}

#[test]
fn dropped_handles_get_their_records_flushed() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(3, move |number| {
            let mut record = writer.append();
            match number {
                0 => drop(record),
                1 => {
                    let mut cx = Context::from_waker(Waker::noop());
                    let _pending = Pin::new(&mut record.commit).poll(&mut cx);
                    drop(record);
                }
                _ => {
                    let _whether = record.commit.wait_timeout(Duration::ZERO);
                    drop(record);
                }
            }
        });
        log.until_all_durable();
    });
}

#[test]
fn a_dropped_handle_is_served_beside_a_cut() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(3, move |number| match number {
            0 => writer.cut(1),
            _ => drop(writer.append()),
        });
        log.until_all_durable();
    });
}

#[test]
fn whoever_gives_up_takes_nothing_along() {
    explore(|| {
        let log = Log::new();
        let writer = Arc::clone(&log);
        threads(4, move |number| {
            let record = writer.append();
            if number < 2 {
                let whether = record.commit.wait_timeout(Duration::from_millis(1));
                if whether.expect("no failure") {
                    writer.check(record.number, Ok(()));
                    assert!(record.commit.is_acknowledged());
                }
            } else {
                assert_eq!(writer.wait(&record), Ok(()));
            }
        });
        log.until_all_durable();
    });
}
