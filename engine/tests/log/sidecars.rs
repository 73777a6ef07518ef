//! Sidecars that the disk refuses for a while: what the log says meanwhile, and what is there afterwards.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ondisk::felix::EpochEntry;
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Acceptance, Log};
use ondisk_engine::felix::opening::Sidecars;
use ondisk_engine::felix::shard::Shard;

use crate::append::{Bench, append, small};

/// A disk that fails one kind of call on one file, while it is told to.
struct Refusing {
    bench: Bench,
    /// The disk itself.
    sound: Arc<dyn Directory>,
    refuses: Arc<AtomicBool>,
}

impl Refusing {
    fn new(call: Call, name: &'static str) -> Self {
        let mut bench = Bench::new();
        let sound = Arc::clone(&bench.directory);
        let refuses = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&refuses);
        bench.directory = HookedDirectory::over(Arc::clone(&sound), move |met, file| {
            match asked.load(Ordering::Relaxed) && met == call && file == name {
                true => Verdict::Fail(io::Error::other("the medium failed")),
                false => Verdict::Go,
            }
        });
        Self {
            bench,
            sound,
            refuses,
        }
    }

    fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Relaxed);
    }

    fn open(&self) -> Log {
        self.bench.open(small())
    }

    fn sidecars(&self) -> Sidecars {
        let shard = Shard::look(Arc::clone(&self.sound), None).expect("it lists");
        Sidecars::load(&shard).expect("they load")
    }
}

fn generations(epochs: &[EpochEntry]) -> Vec<u64> {
    epochs.iter().map(|entry| entry.generation).collect()
}

#[test]
fn a_leader_that_is_promised_gets_its_generation_into_replica_when_it_asks_again() {
    let disk = Refusing::new(Call::Rename, "replica");
    let log = disk.open();
    assert_eq!(
        log.accept(3, Some("a")).expect("stored"),
        Acceptance::Raised
    );
    disk.refuse(true);
    log.accept(4, Some("b")).expect_err("replica is not stored");
    // Its ballot is: nobody else may lead this generation.
    let recorded = "b".to_owned();
    let other = log.accept(4, Some("c")).expect("nothing is stored");
    assert_eq!(other, Acceptance::Promised { recorded });
    log.accept(4, Some("b")).expect_err("nor is it now");
    let generation = || {
        disk.sidecars()
            .replica
            .sound()
            .map(|sound| sound.generation)
    };
    assert_eq!(generation(), Some(3));
    disk.refuse(false);
    let again = log.accept(4, Some("b")).expect("stored");
    assert_eq!(again, Acceptance::Current);
    assert_eq!(generation(), Some(4));
}

#[test]
fn a_leader_that_could_not_be_named_is_none() {
    let disk = Refusing::new(Call::Rename, "ballot");
    let log = disk.open();
    assert_eq!(log.accept(3, None).expect("stored"), Acceptance::Raised);
    disk.refuse(true);
    log.accept(3, Some("a")).expect_err("ballot is not stored");
    assert_eq!(log.accepted().leader, None);
    disk.refuse(false);
    let other = log.accept(3, Some("b")).expect("stored");
    assert_eq!(other, Acceptance::Current);
    let ballot = disk.sidecars().ballot;
    assert_eq!(ballot.sound().map(|sound| &*sound.leader), Some("b"));
}

#[test]
fn a_generation_that_is_given_up_has_no_leader_until_the_next() {
    let disk = Refusing::new(Call::Rename, "ballot");
    let log = disk.open();
    log.accept(3, Some("a")).expect("stored");
    log.give_up_generation().expect("stored");
    for leader in [Some("a"), Some("b"), None] {
        let answer = log.accept(3, leader).expect("nothing is stored");
        assert_eq!(answer, Acceptance::GivenUp, "{leader:?}");
    }
    assert_eq!(
        log.accept(4, Some("a")).expect("stored"),
        Acceptance::Raised
    );
}

/// What it says is nowhere else: a log that opened without it would let a second leader in.
#[test]
fn a_log_whose_replica_cannot_be_read_does_not_open() {
    let disk = Refusing::new(Call::Read, "replica");
    let log = disk.open();
    log.accept(3, Some("a")).expect("stored");
    log.close().expect("it closes");
    disk.refuse(true);
    let refused = disk.bench.try_open(small());
    assert!(matches!(
        refused,
        Err(StorageError::Io {
            operation: "read",
            ..
        })
    ));
    disk.refuse(false);
    assert_eq!(disk.open().accepted().leader.as_deref(), Some("a"));
}

/// They would count again once the log has grown past where they began.
#[test]
fn generations_past_the_tail_leave_the_file_with_the_next_change_at_the_latest() {
    let disk = Refusing::new(Call::Rename, "epochs");
    let log = disk.open();
    append(&log, &["a"]);
    log.record_epoch(1, 0).expect("stored");
    append(&log, &["b"]);
    log.record_epoch(2, 2).expect("stored");
    log.close().expect("it closes");
    let segment = disk.sound.edit("00000000000000000000.log");
    let segment = segment.expect("it is there");
    let bytes = segment.stat().expect("memory").len;
    segment.set_len(bytes - 1).expect("memory");

    disk.refuse(true);
    let log = disk.open();
    assert_eq!((log.tail(), generations(&log.epochs())), (1, vec![1]));
    let stored = || generations(disk.sidecars().epochs.sound().expect("sound"));
    assert_eq!(stored(), [1, 2]);
    append(&log, &["c", "d"]);
    disk.refuse(false);
    // It says nothing new.
    log.record_epoch(1, 0).expect("stored");
    assert_eq!(stored(), [1]);
    log.close().expect("it closes");
    assert_eq!(generations(&disk.open().epochs()), [1]);
}

#[test]
fn a_reset_leaves_no_generations_behind_that_the_open_could_not_read() {
    let disk = Refusing::new(Call::Read, "epochs");
    let log = disk.open();
    append(&log, &["a"]);
    log.record_epoch(1, 0).expect("stored");
    log.close().expect("it closes");

    disk.refuse(true);
    let log = disk.open();
    assert_eq!(log.epochs(), []);
    log.reset_to(7).expect("it is reset");
    log.close().expect("it closes");
    disk.refuse(false);
    assert_eq!(disk.open().epochs(), []);
}
