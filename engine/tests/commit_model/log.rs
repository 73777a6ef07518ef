//! A log in memory that remembers what was on its disk, to hold acknowledgements against.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, PoisonError, Weak};

use shuttle::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use shuttle::sync::{Mutex, MutexGuard};
use shuttle::thread;

use crate::background::Background;
use crate::commit::{Commit, CommitError, Exclusive, Flush, GroupCommit};
use crate::faults::{Fault, planted};

/// A log, and its group commit under test.
pub struct Log {
    pub commit: GroupCommit,
    pub files: Arc<Files>,
}

/// What a flush works on.
pub struct Files {
    /// The numbers of the records by offset: in the page cache.
    cache: Mutex<Cache>,
    /// Those that a sync has put on the disk at some time.
    disk: Mutex<BTreeSet<u64>>,
    /// Whether a flush runs, and how many have begun.
    flushing: AtomicBool,
    pub flushes: AtomicU64,
    /// What the flush of a number does instead of working.
    odd: fn(u64) -> Odd,
}

#[derive(Default)]
struct Cache {
    base: u64,
    records: Vec<u64>,
    next: u64,
}

/// What a flush does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// It works.
    Works,
    /// It reports an error.
    Fails,
    /// It panics.
    Panics,
    /// It says that it covered nothing.
    CoversNothing,
}

/// A record that was appended.
pub struct Record {
    pub commit: Commit,
    pub number: u64,
}

impl Flush for Files {
    fn flush(&self) -> io::Result<u64> {
        let twice = self.flushing.swap(true, Ordering::SeqCst);
        assert!(!twice, "two flushes at a time");
        let flush = self.flushes.fetch_add(1, Ordering::SeqCst);
        let (mut tail, seen) = self.cache().seen();
        thread::yield_now();
        let odd = (self.odd)(flush);
        if matches!(odd, Odd::Works | Odd::CoversNothing) {
            self.disk().extend(seen);
        }
        if planted() == Fault::TailAfterSync {
            tail = self.cache().tail();
        }
        self.flushing.store(false, Ordering::SeqCst);
        match odd {
            Odd::Works => Ok(tail),
            Odd::Fails => Err(io::ErrorKind::Other.into()),
            Odd::Panics => std::panic::resume_unwind(Box::new("a flush that panics")),
            Odd::CoversNothing => Ok(0),
        }
    }
}

impl Cache {
    fn tail(&self) -> u64 {
        self.base + self.records.len() as u64
    }

    fn seen(&self) -> (u64, Vec<u64>) {
        (self.tail(), self.records.clone())
    }
}

impl Files {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        // While one modelled thread unwinds, all of them count as panicking, and so poison what they unlock.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn disk(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    /// An empty one whose flushes work.
    pub fn new() -> Arc<Self> {
        Self::odd(|_| Odd::Works)
    }

    /// An empty one with odd flushes.
    pub fn odd(odd: fn(u64) -> Odd) -> Arc<Self> {
        let files = Arc::new(Files {
            cache: Mutex::default(),
            disk: Mutex::default(),
            flushing: AtomicBool::new(false),
            flushes: AtomicU64::new(0),
            odd,
        });
        let background = Background::threads(1);
        let flush: Weak<Files> = Arc::downgrade(&files);
        Arc::new(Self {
            commit: GroupCommit::new(0, flush, &background),
            files,
        })
    }

    /// Appends a record.
    pub fn append(&self) -> Record {
        let mut cache = self.files.cache();
        let offset = cache.tail();
        let number = cache.next;
        cache.next += 1;
        cache.records.push(number);
        let commit = self.commit.handle(offset..offset + 1, false);
        Record { commit, number }
    }

    /// One past the newest offset.
    pub fn tail(&self) -> u64 {
        self.files.cache().tail()
    }

    /// Cuts the log back to `to`, as a truncation does.
    pub fn cut(&self, to: u64) {
        let no_flush = self.exclusive();
        let mut cache = self.files.cache();
        if (cache.base..cache.tail()).contains(&to) {
            let kept = usize::try_from(to - cache.base).expect("a short log");
            cache.records.truncate(kept);
            self.commit.lower(to);
            assert!(self.commit.durable() <= to, "the bound lies above the cut");
        }
        drop(cache);
        drop(no_flush);
    }

    /// Empties the log, which goes on at `to`.
    pub fn restart(&self, to: u64) {
        let no_flush = self.exclusive();
        let mut cache = self.files.cache();
        cache.records.clear();
        cache.base = to;
        self.commit.restart(to);
        assert_eq!(self.commit.durable(), to);
        drop(cache);
        drop(no_flush);
    }

    /// The flush lock, and the proof that nobody flushes.
    pub fn exclusive(&self) -> Exclusive<'_> {
        let guard = self.commit.exclusive();
        for _ in 0..2 {
            assert!(!self.files.flushing.load(Ordering::SeqCst), "a flush runs");
            thread::yield_now();
        }
        guard
    }

    /// Makes all durable that is there by another sync, as a seal does under the lock of the append.
    pub fn seal(&self) {
        let cache = self.files.cache();
        self.files.disk().extend(cache.records.iter().copied());
        self.commit.raise(cache.tail());
    }

    /// Holds what a wait returned against the disk.
    pub fn check(&self, number: u64, outcome: Result<(), CommitError>) {
        match outcome {
            Ok(()) => assert!(
                self.files.disk().contains(&number),
                "record {number} was acknowledged and is not on the disk"
            ),
            Err(CommitError::Rewound { to }) => {
                let cache = self.files.cache();
                let there = cache.records.contains(&number);
                assert!(
                    !there,
                    "record {number} is there, though the log was cut to {to}"
                );
            }
            Err(_) => {}
        }
    }

    /// Waits for a record and holds the outcome against the disk.
    pub fn wait(&self, record: &Record) -> Result<(), CommitError> {
        let outcome = record.commit.wait();
        self.check(record.number, outcome);
        outcome
    }

    /// Lets others go on until all records are durable. A schedule in which that never comes has no end, which is an error.
    pub fn until_all_durable(&self) {
        while self.commit.durable() < self.tail() {
            thread::yield_now();
        }
    }
}

/// Runs `work` in so many threads, each with its number, and waits for them.
pub fn threads(number: u64, work: impl Fn(u64) + Clone + Send + Sync + 'static) {
    let threads: Vec<_> = (0..number)
        .map(|number| {
            let work = work.clone();
            thread::spawn(move || work(number))
        })
        .collect();
    for thread in threads {
        thread.join().expect("no panic");
    }
}
