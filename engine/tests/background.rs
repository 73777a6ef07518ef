//! The background with real threads, and without any.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use ondisk_engine::background::{Background, Task};
use ondisk_engine::clock::ManualClock;

/// Far longer than anything takes here, on a machine that is busy with other things too.
const LONG: Duration = Duration::from_secs(60);

/// What jobs did, in their order.
type Done = Arc<Mutex<Vec<&'static str>>>;

fn noting(background: &Background, done: &Done, what: &'static str) -> Task {
    let done = Arc::clone(done);
    background.task(move || done.lock().expect("no panic").push(what))
}

fn taken(done: &Done) -> Vec<&'static str> {
    std::mem::take(&mut *done.lock().expect("no panic"))
}

fn telling(background: &Background) -> (Task, Receiver<()>) {
    let (told, tells) = channel();
    let task = background.task(move || {
        let _listening = told.send(());
    });
    (task, tells)
}

/// A task that hangs until something is sent, and says when it begins to.
fn hanging(background: &Background) -> (Task, Receiver<()>, Sender<()>) {
    let (begins, begun) = channel();
    let (goes_on, go_on) = channel();
    let go_on = Mutex::new(go_on);
    let task = background.task(move || {
        let _begun = begins.send(());
        let _gone = go_on.lock().expect("no panic").recv();
    });
    (task, begun, goes_on)
}

#[test]
fn by_hand_jobs_run_in_the_order_in_which_they_became_ready() {
    let clock = Arc::new(ManualClock::default());
    let background = Background::manual(Arc::clone(&clock) as _);
    let done = Done::default();
    let [a, b, c] = ["a", "b", "c"].map(|what| noting(&background, &done, what));
    assert_eq!(background.run_ready(), 0);
    b.wake();
    a.wake();
    b.wake();
    assert_eq!(background.run_ready(), 2);
    assert_eq!(taken(&done), ["b", "a"]);

    let second = Duration::from_secs(1);
    c.at(3 * second);
    a.at(2 * second);
    b.at(5 * second);
    // The earlier of two deadlines holds.
    a.at(4 * second);
    b.at(second);
    assert_eq!(background.next_deadline(), Some(second));
    assert_eq!(background.run_ready(), 0);
    clock.advance_monotonic(2 * second);
    c.wake();
    assert_eq!(background.run_ready(), 3);
    assert_eq!(taken(&done), ["c", "b", "a"]);
    // A run for another reason has left the deadline of c.
    assert_eq!(background.next_deadline(), Some(3 * second));
    clock.advance_monotonic(second);
    assert!(background.run_one());
    assert!(!background.run_one());
    assert_eq!(taken(&done), ["c"]);
    assert_eq!(background.next_deadline(), None);
}

#[test]
fn by_hand_a_cancelled_task_is_gone() {
    let background = Background::manual(Arc::new(ManualClock::default()));
    let done = Done::default();
    let [a, b] = ["a", "b"].map(|what| noting(&background, &done, what));
    a.wake();
    a.at(Duration::ZERO);
    b.wake();
    a.cancel_and_wait();
    a.wake();
    a.at(Duration::ZERO);
    assert_eq!(background.next_deadline(), None);
    assert_eq!(background.run_ready(), 1);
    assert_eq!(taken(&done), ["b"]);
    b.wake();
    drop(b);
    assert_eq!(background.run_ready(), 0);
}

#[test]
fn by_hand_a_job_that_wakes_another_is_followed_by_it() {
    let background = Background::manual(Arc::new(ManualClock::default()));
    let done = Done::default();
    let last = noting(&background, &done, "last");
    let first = background.task(move || last.wake());
    first.wake();
    assert_eq!(background.run_ready(), 2);
    assert_eq!(taken(&done), ["last"]);
}

#[test]
fn by_hand_a_panic_comes_out_and_the_task_can_run_again() {
    let background = Background::manual(Arc::new(ManualClock::default()));
    let ran = Arc::new(AtomicU64::new(0));
    let task = {
        let ran = Arc::clone(&ran);
        background.task(move || {
            if ran.fetch_add(1, Ordering::SeqCst) == 0 {
                resume_unwind(Box::new("a job that panics"));
            }
        })
    };
    task.wake();
    let panic = catch_unwind(AssertUnwindSafe(|| background.run_ready()));
    assert!(panic.is_err());
    task.wake();
    assert_eq!(background.run_ready(), 1);
    assert_eq!(ran.load(Ordering::SeqCst), 2);
}

#[test]
fn a_thousand_tasks_share_the_threads() {
    let background = Background::default();
    let threads = Arc::new(Mutex::new(HashSet::new()));
    let (told, tells) = channel();
    let tasks: Vec<_> = (0..1000)
        .map(|_| {
            let (threads, told) = (Arc::clone(&threads), told.clone());
            background.task(move || {
                threads
                    .lock()
                    .expect("no panic")
                    .insert(thread::current().id());
                let _told = told.send(());
            })
        })
        .collect();
    for task in &tasks {
        task.wake();
    }
    for _ in &tasks {
        tells.recv_timeout(LONG).expect("every task runs");
    }
    // Two, and spare ones should the machine have stood still.
    assert!((1..=16).contains(&threads.lock().expect("no panic").len()));
}

#[test]
fn a_timer_waits_for_its_time() {
    let background = Background::threads(1);
    let (task, tells) = telling(&background);
    let before = Instant::now();
    let time = Duration::from_millis(50);
    task.at(background.now() + LONG);
    task.at(background.now() + time);
    tells.recv_timeout(LONG).expect("it runs");
    assert!(before.elapsed() >= time, "ran after {:?}", before.elapsed());
    // And only once.
    assert!(tells.recv_timeout(2 * time).is_err());
}

#[test]
fn jobs_that_hang_do_not_keep_others_from_running() {
    let background = Background::threads(2);
    let hanging: Vec<_> = (0..10).map(|_| hanging(&background)).collect();
    for (task, begun, _) in &hanging {
        task.wake();
        begun
            .recv_timeout(LONG)
            .expect("it begins beside the others");
    }
    let (task, tells) = telling(&background);
    task.wake();
    tells.recv_timeout(LONG).expect("it runs beside the others");
    task.at(background.now());
    tells.recv_timeout(LONG).expect("and so do timers");
    for (task, _, goes_on) in &hanging {
        goes_on.send(()).expect("it hangs");
        task.cancel_and_wait();
    }
    // The spare threads leave, and those that stay still work.
    task.wake();
    tells.recv_timeout(LONG).expect("it runs");
}

#[test]
fn a_job_that_panics_leaves_its_worker_alive() {
    let background = Background::threads(1);
    let worker = Arc::new(Mutex::new(HashSet::new()));
    let (task, tells) = {
        let worker = Arc::clone(&worker);
        let (told, tells) = channel();
        let job = move || {
            worker
                .lock()
                .expect("no panic")
                .insert(thread::current().id());
            let _told = told.send(());
            resume_unwind(Box::new("a job that panics"));
        };
        (background.task(job), tells)
    };
    for _ in 0..3 {
        task.wake();
        tells.recv_timeout(LONG).expect("it runs");
    }
    assert!(!worker.lock().expect("no panic").is_empty());
}

#[test]
fn a_cancel_waits_for_the_run_that_is_under_way() {
    let background = Background::threads(1);
    let (task, begun, goes_on) = hanging(&background);
    task.wake();
    begun.recv_timeout(LONG).expect("it begins");
    task.wake();
    thread::scope(|scope| {
        let (cancelled, cancel) = channel();
        let task = &task;
        scope.spawn(move || {
            task.cancel_and_wait();
            cancelled.send(()).expect("somebody listens");
        });
        let early = cancel.recv_timeout(Duration::from_millis(50));
        assert!(early.is_err(), "the run was still under way");
        goes_on.send(()).expect("it hangs");
        cancel.recv_timeout(LONG).expect("the run is over");
    });
    // The wake-up during the run came to nothing.
    assert!(begun.try_recv().is_err());
}

#[test]
fn the_last_handle_goes_without_waiting_for_what_hangs() {
    let background = Background::threads(1);
    let (task, begun, goes_on) = hanging(&background);
    task.wake();
    begun.recv_timeout(LONG).expect("it begins");
    drop(task);
    drop(background);
    // The worker ends with its job, and lets go of what the job holds.
    goes_on.send(()).expect("it hangs");
    assert!(matches!(
        begun.recv_timeout(LONG),
        Err(std::sync::mpsc::RecvTimeoutError::Disconnected)
    ));
}
