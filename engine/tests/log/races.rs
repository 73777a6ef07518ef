//! Two calls at once, the second in the middle of the first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::felix::log::{Config, Entry, Environment, Log, Retention};

use crate::append::{append, small};
use crate::faulty::{Call, Faults, faulty};
use crate::look::Look;

/// A call on a log, and what it is called in messages.
type OnLog = (&'static str, fn(&Log));

/// Time given to the second call to do what it must not.
const A_WHILE: Duration = Duration::from_millis(80);

struct Stage {
    directory: Arc<dyn Directory>,
    faults: Arc<Faults>,
    environment: Environment,
}

/// What runs in the middle of another call.
struct Second {
    thread: JoinHandle<()>,
    /// It had ended before the first call went on.
    early: bool,
}

impl Stage {
    fn new() -> Self {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(1_000_000));
        let faults = Arc::new(Faults::default());
        let directory = faulty(MemoryDirectory::new("shard"), &faults);
        Self {
            directory,
            faults,
            environment: Environment {
                background: Background::manual(Arc::clone(&clock)),
                clock,
                ..Environment::default()
            },
        }
    }

    fn open(&self, config: Config) -> Log {
        let opened = Log::open_in(Arc::clone(&self.directory), config, &self.environment);
        opened.expect("it opens")
    }

    /// Runs `second` in a thread when the disk is called like this for the first time, and lets the call go on when that
    /// has ended or a while has passed.
    fn in_the_middle(
        &self,
        at: impl Fn(Call, &str) -> bool + Send + Sync + 'static,
        second: impl FnOnce() + Send + 'static,
    ) -> Receiver<Second> {
        let (told, tell) = channel();
        let once = Mutex::new(Some((second, told)));
        let taken = AtomicBool::new(false);
        self.faults.hook(move |call, name| {
            if !at(call, name) || taken.swap(true, Ordering::AcqRel) {
                return;
            }
            let taken = once.lock().expect("no panic under it").take();
            let Some((second, told)) = taken else { return };
            let (ended, end) = channel();
            let thread = thread::spawn(move || {
                second();
                let _nobody_waits = ended.send(());
            });
            let early = end.recv_timeout(A_WHILE).is_ok();
            let _nobody_asks = told.send(Second { thread, early });
        });
        tell
    }
}

/// The second call, once the first has returned.
fn ended(second: &Receiver<Second>) -> bool {
    let Second { thread, early } = second.try_recv().expect("the first call came to it");
    thread.join().expect("it does not panic");
    early
}

/// The background must not prepare a segment under an id that a cut is about to give away: the close took the segment for
/// one that was never used, and unlinked it.
#[test]
fn a_segment_is_prepared_during_a_cut() {
    let cuts: [fn(&Log); 3] = [
        |log| log.truncate(0).expect("it cuts"),
        |log| log.reset_to(7).expect("it begins anew"),
        |log| log.truncate(2).expect("it cuts"),
    ];
    // The close right behind it, and with the ids used up again before.
    for (cut, rolls) in cuts.into_iter().flat_map(|cut| [(cut, 0), (cut, 12)]) {
        let stage = Stage::new();
        let config = Config {
            rollover_threshold_percent: 50,
            ..small()
        };
        let log = stage.open(config.clone());
        let payload = "x".repeat(60);
        for _ in 0..4 {
            append(&log, &[&payload]);
            append(&log, &[&payload]);
            stage.environment.background.run_ready();
        }
        append(&log, &[&payload, &payload]);
        // A roll is wanted now, and has not run.
        let background = stage.environment.background.clone();
        let ahead = |call, name: &str| {
            call == Call::Create && name.ends_with(".log.tmp")
                || call == Call::Unlink && name.ends_with(".log")
        };
        let second = stage.in_the_middle(ahead, move || {
            background.run_ready();
        });
        cut(&log);
        ended(&second);
        let first = append(&log, &["after"]);
        for _ in 0..rolls {
            append(&log, &[&payload]);
            stage.environment.background.run_ready();
        }
        let bounds = (log.base(), log.tail());
        log.close().expect("it closes");
        let look = Look::sound(&stage.directory);
        assert_eq!(look.bounds(), bounds);
        let after = look.records.iter().find(|record| record.offset == first);
        assert_eq!(after.expect("it is there").payload, b"after");
    }
}

#[test]
fn a_reset_waits_for_a_retention_pass() {
    let stage = Stage::new();
    let log = stage.open(Config {
        retention: Retention {
            bytes: Some(1),
            ..Retention::default()
        },
        ..small()
    });
    for _ in 0..4 {
        append(&log, &[&"x".repeat(150)]);
    }
    let other = log.clone();
    let ahead = |call, name: &str| call == Call::Unlink && name == "00000000000000000000.log";
    let second = stage.in_the_middle(ahead, move || {
        other.reset_to(50).expect("it begins anew");
    });
    log.retain().expect("it trims");
    assert!(!ended(&second), "a crash would have left a hole");
    assert_eq!((log.base(), log.tail()), (50, 50));
}

#[test]
fn a_close_waits_for_who_writes() {
    let calls: [OnLog; 3] = [
        ("ballot.tmp", |log| {
            log.accept(1, Some("a")).expect("it is stored");
        }),
        ("epochs.tmp", |log| {
            log.record_epoch(1, 0).expect("it is stored");
        }),
        ("replica.tmp", |log| {
            log.restore_to(0).expect("it is lowered");
        }),
    ];
    for (name, call) in calls {
        let stage = Stage::new();
        let log = stage.open(small());
        append(&log, &["x"]);
        if name == "replica.tmp" {
            log.advance_commit(1).expect("it is open");
        }
        let other = log.clone();
        let ahead = move |call, created: &str| call == Call::Create && created == name;
        let second = stage.in_the_middle(ahead, move || other.close().expect("it closes"));
        if name == "replica.tmp" {
            // The rest of it, the truncation, finds the log closed.
            let told = log.restore_to(0);
            assert!(told.is_ok() || log.append(&[Entry::new(b"x")]).is_err());
        } else {
            call(&log);
        }
        assert!(
            !ended(&second),
            "{name} was written to a directory of another"
        );
    }
}
