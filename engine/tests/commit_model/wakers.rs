//! A waker is code of others: it runs outside of every lock, and its panic is nobody else's.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use shuttle::sync::atomic::{AtomicU64, Ordering};
use shuttle::thread;

use crate::explore::explore;
use crate::log::{Log, Record};

/// Appends where it is woken, and waits for that: whoever holds a lock meanwhile waits for ever.
struct Appends(Weak<Log>, Arc<AtomicU64>);

impl Wake for Appends {
    fn wake(self: Arc<Self>) {
        if let Some(log) = self.0.upgrade() {
            let record = log.append();
            assert_eq!(log.wait(&record), Ok(()));
            drop(log.exclusive());
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Counts that it was woken, and panics.
struct Panics(Arc<AtomicU64>);

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::panic::resume_unwind(Box::new("a waker that panics"));
    }
}

fn poll(record: &mut Record, waker: &Waker) -> bool {
    let poll = Pin::new(&mut record.commit).poll(&mut Context::from_waker(waker));
    matches!(poll, Poll::Ready(outcome) if { assert_eq!(outcome, Ok(())); true })
}

#[test]
fn wakers_run_outside_of_every_lock() {
    explore(|| {
        let log = Log::new();
        let woken = Arc::new(AtomicU64::new(0));
        let waker: Waker = Arc::new(Appends(Arc::downgrade(&log), Arc::clone(&woken))).into();
        let mut first = log.append();
        let ready = poll(&mut first, &waker);
        let other = Arc::clone(&log);
        let writer = thread::spawn(move || {
            let record = other.append();
            other.seal();
            assert_eq!(other.wait(&record), Ok(()));
        });
        let record = log.append();
        assert_eq!(log.wait(&record), Ok(()));
        writer.join().expect("no panic");
        let wanted = u64::from(!ready);
        while woken.load(Ordering::SeqCst) < wanted {
            thread::yield_now();
        }
        assert!(poll(&mut first, &waker));
    });
}

#[test]
fn a_waker_that_panics_keeps_nobody_from_being_woken() {
    explore(|| {
        let log = Log::new();
        let woken = Arc::new(AtomicU64::new(0));
        let waker: Waker = Arc::new(Panics(Arc::clone(&woken))).into();
        let mut records: Vec<_> = (0..3).map(|_| log.append()).collect();
        let pending = records
            .iter_mut()
            .filter_map(|record| (!poll(record, &waker)).then_some(()))
            .count();
        let other = Arc::clone(&log);
        let writer = thread::spawn(move || {
            let record = other.append();
            assert_eq!(other.wait(&record), Ok(()));
        });
        writer.join().expect("no panic");
        while woken.load(Ordering::SeqCst) < pending as u64 {
            thread::yield_now();
        }
        // The background goes on as well.
        drop(log.append());
        log.until_all_durable();
    });
}

#[test]
fn the_last_waker_counts() {
    explore(|| {
        let log = Log::new();
        let mut record = log.append();
        if !poll(&mut record, Waker::noop()) {
            let number = record.number;
            assert_eq!(shuttle::future::block_on(record.commit), Ok(()));
            log.check(number, Ok(()));
        }
    });
}
