//! The background by itself: no wake-up is lost, and a task that was cancelled does not run.

use std::sync::Arc;
use std::sync::Mutex as Slot;

use shuttle::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use shuttle::thread;

use crate::background::{Background, Task};
use crate::explore::explore;
use crate::log::threads;

#[test]
fn a_run_begins_after_every_wake_up() {
    explore(|| {
        let background = Background::threads(2);
        let asked = Arc::new(AtomicU64::new(0));
        let seen = Arc::new(AtomicU64::new(0));
        let running = Arc::new(AtomicBool::new(false));
        let task = {
            let (asked, seen) = (Arc::clone(&asked), Arc::clone(&seen));
            Arc::new(background.task(move || {
                assert!(
                    !running.swap(true, Ordering::SeqCst),
                    "runs twice at a time"
                );
                let number = asked.load(Ordering::SeqCst);
                thread::yield_now();
                seen.fetch_max(number, Ordering::SeqCst);
                running.store(false, Ordering::SeqCst);
            }))
        };
        let waker = Arc::clone(&task);
        let ask = Arc::clone(&asked);
        threads(2, move |_| {
            for _ in 0..2 {
                ask.fetch_add(1, Ordering::SeqCst);
                waker.wake();
            }
        });
        while seen.load(Ordering::SeqCst) < 4 {
            thread::yield_now();
        }
        drop(task);
    });
}

#[test]
fn a_cancelled_task_does_not_run() {
    explore(|| {
        let background = Background::threads(1);
        let running = Arc::new(AtomicBool::new(false));
        let ran = Arc::new(AtomicU64::new(0));
        let task = {
            let (running, ran) = (Arc::clone(&running), Arc::clone(&ran));
            Arc::new(background.task(move || {
                running.store(true, Ordering::SeqCst);
                thread::yield_now();
                ran.fetch_add(1, Ordering::SeqCst);
                running.store(false, Ordering::SeqCst);
            }))
        };
        let waker = Arc::clone(&task);
        let waking = thread::spawn(move || {
            waker.wake();
            waker.wake();
        });
        task.wake();
        task.cancel_and_wait();
        assert!(!running.load(Ordering::SeqCst), "still runs");
        let before = ran.load(Ordering::SeqCst);
        task.wake();
        waking.join().expect("no panic");
        // Another job of the same worker, so that it had its turn.
        let done = Arc::new(AtomicBool::new(false));
        let other = {
            let done = Arc::clone(&done);
            background.task(move || done.store(true, Ordering::SeqCst))
        };
        other.wake();
        while !done.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        assert_eq!(
            ran.load(Ordering::SeqCst),
            before,
            "ran after it was cancelled"
        );
    });
}

#[test]
fn a_job_may_cancel_its_own_task() {
    explore(|| {
        let background = Background::threads(1);
        let own: Arc<Slot<Option<Task>>> = Arc::default();
        let ran = Arc::new(AtomicU64::new(0));
        let task = {
            let (own, ran) = (Arc::downgrade(&own), Arc::clone(&ran));
            background.task(move || {
                ran.fetch_add(1, Ordering::SeqCst);
                let own = own.upgrade().expect("there");
                let task = own.lock().expect("no panic").take().expect("runs once");
                task.wake();
                task.cancel_and_wait();
            })
        };
        *own.lock().expect("no panic") = Some(task);
        own.lock()
            .expect("no panic")
            .as_ref()
            .expect("there")
            .wake();
        while ran.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        // The handle of the test goes first or last: the threads end either way, or the schedule has no end.
        drop(background);
    });
}
