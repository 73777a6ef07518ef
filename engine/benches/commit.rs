//! Durable commits a second by so many writers, each of which waits for its record before it writes the next: group commit
//! against one flush thread that wakes every batch, on the disk and with syncs of a given time.
//! `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

#[path = "../../format/benches/machine/mod.rs"]
mod machine;
#[allow(dead_code, reason = "only what the machine does is measured by it")]
#[path = "../../format/benches/rounds/mod.rs"]
mod rounds;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use ondisk_engine::background::Background;
use ondisk_engine::commit::{Flush, GroupCommit};

/// How long one figure is measured for.
const TIME: Duration = Duration::from_secs(2);

/// Writers at a time.
const WRITERS: [u64; 5] = [1, 2, 4, 16, 64];

/// Bytes of a record.
const RECORD: [u8; 100] = [7; 100];

/// A file that is appended to, or the time that a sync of it would take.
struct Log {
    file: Option<File>,
    sync: Duration,
    tail: Mutex<u64>,
    syncs: AtomicU64,
}

impl Log {
    fn append(&self) -> u64 {
        let mut tail = self.tail.lock().expect("the tail");
        if let Some(file) = &self.file {
            let position = *tail * RECORD.len() as u64;
            file.write_all_at(&RECORD, position).expect("written");
        }
        *tail += 1;
        *tail
    }
}

impl Flush for Log {
    fn flush(&self) -> io::Result<u64> {
        let tail = *self.tail.lock().expect("the tail");
        self.syncs.fetch_add(1, Ordering::Relaxed);
        match &self.file {
            Some(file) => file.sync_data()?,
            None => thread::sleep(self.sync),
        }
        Ok(tail)
    }
}

/// What a writer does with its record.
trait Durable: Send + Sync {
    fn wait(&self, offset: u64);
}

struct Grouped(GroupCommit);

impl Durable for Grouped {
    fn wait(&self, offset: u64) {
        self.0
            .handle(offset - 1..offset, false)
            .wait()
            .expect("durable");
    }
}

/// The yardstick: a thread that flushes whenever somebody waits, and wakes all who do.
#[derive(Default)]
struct OneThread {
    state: Mutex<Waits>,
    wanted: Condvar,
    durable: Condvar,
}

#[derive(Default)]
struct Waits {
    wanted: u64,
    durable: u64,
    ended: bool,
}

impl OneThread {
    fn run(&self, log: &Log) {
        let mut state = self.state.lock().expect("the state");
        while !state.ended {
            if state.wanted <= state.durable {
                state = self.wanted.wait(state).expect("the state");
                continue;
            }
            drop(state);
            let durable = log.flush().expect("flushed");
            state = self.state.lock().expect("the state");
            state.durable = durable;
            self.durable.notify_all();
        }
    }
}

impl Durable for OneThread {
    fn wait(&self, offset: u64) {
        let mut state = self.state.lock().expect("the state");
        if state.wanted <= state.durable {
            self.wanted.notify_one();
        }
        state.wanted = state.wanted.max(offset);
        while state.durable < offset {
            state = self.durable.wait(state).expect("the state");
        }
    }
}

/// Commits a second, and how many a sync covered.
fn measure(log: &Log, writers: u64, durable: &dyn Durable) -> (f64, f64) {
    log.syncs.store(0, Ordering::Relaxed);
    let commits = AtomicU64::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..writers {
            scope.spawn(|| {
                while start.elapsed() < TIME {
                    durable.wait(log.append());
                    commits.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let commits = commits.into_inner() as f64;
    let syncs = log.syncs.load(Ordering::Relaxed) as f64;
    (commits / start.elapsed().as_secs_f64(), commits / syncs)
}

fn commits(_: &mut Criterion) {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let syncs = [None, Some(20), Some(200), Some(2000)];
    for (number, sync) in syncs.into_iter().enumerate() {
        let what = match sync {
            None => "the disk".to_owned(),
            Some(micros) => format!("{micros} us"),
        };
        for writers in WRITERS {
            let log = || {
                let file = sync.is_none().then(|| {
                    let file = File::create(place.path().join(number.to_string()));
                    file.expect("a file")
                });
                Arc::new(Log {
                    file,
                    sync: Duration::from_micros(sync.unwrap_or(0)),
                    tail: Mutex::new(0),
                    syncs: AtomicU64::new(0),
                })
            };
            let group = {
                let log = log();
                let flush = Arc::downgrade(&log);
                let grouped = Grouped(GroupCommit::new(
                    0,
                    flush as Weak<dyn Flush>,
                    &Background::default(),
                ));
                measure(&log, writers, &grouped)
            };
            let thread = {
                let log = log();
                let one = OneThread::default();
                thread::scope(|scope| {
                    scope.spawn(|| one.run(&log));
                    let measured = measure(&log, writers, &one);
                    one.state.lock().expect("the state").ended = true;
                    one.wanted.notify_one();
                    measured
                })
            };
            println!(
                "sync of {what:>8}, {writers:2} writers: group {:8.0}/s ({:4.1} a sync), one thread {:8.0}/s ({:4.1} a sync)",
                group.0, group.1, thread.0, thread.1,
            );
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default();
    targets = machine::print, commits
}
criterion_main!(benches);
