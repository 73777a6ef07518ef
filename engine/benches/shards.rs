//! What many open shards hold, and what two on two cores give. `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use ondisk_engine::background::Background;
use ondisk_engine::felix::log::{Bound, Config, Entry, Environment, FsyncMode, Log};

fn main() {
    let place = tempfile::tempdir().expect("a directory");
    many(&place.path().join("many"));
    segments(&place.path().join("segments"));
    for round in 0..9 {
        two(&place.path().join(format!("two-{round}")));
    }
}

/// Lines of `/proc/self/status`, and the descriptors.
fn held(what: &str) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        line.map(|line| line[name.len()..].trim().to_owned())
            .unwrap_or_default()
    };
    let descriptors = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    println!(
        "{what}: resident {}, anonymous {}, threads {}, descriptors {descriptors}",
        line("VmRSS:"),
        line("RssAnon:"),
        line("Threads:"),
    );
}

/// A thousand shards, or as many as the descriptors of this process allow.
fn many(place: &Path) {
    held("no shard");
    let environment = Environment::default();
    let mut logs = Vec::new();
    for number in 0..1000 {
        match Log::open_with(
            place.join(number.to_string()),
            Config::default(),
            &environment,
        ) {
            Ok(log) => logs.push(log),
            Err(error) => {
                println!("after {number}: {error}");
                break;
            }
        }
    }
    for log in &logs {
        log.append(&[Entry::new(&[7; 100])]).expect("appended");
        let mut records = log.read(0, Bound::Tail).expect("there");
        assert!(records.next().expect("read").is_some());
    }
    for log in &logs {
        log.sync().expect("synced");
    }
    held(&format!("{} shards, each written and read", logs.len()));
}

/// One shard of many sealed segments.
fn segments(place: &Path) {
    let config = Config {
        segment_size_bytes: 60,
        fsync: FsyncMode::None,
        preallocate: false,
        ..Config::default()
    };
    let count = 2000;
    let log = Log::open(place, config.clone()).expect("opened");
    for _ in 0..=count {
        log.append(&[Entry::new(&[7; 100])]).expect("appended");
    }
    log.close().expect("closed");
    drop(log);
    held("before the open of many segments");
    let start = Instant::now();
    let log = Log::open(place, config).expect("opened");
    println!("open of {} sealed segments: {:?}", count, start.elapsed());
    held("one shard of many segments");
    drop(log);
}

/// The same work on one shard, and on two by two threads.
fn two(place: &Path) {
    let environment = Environment {
        background: Background::threads(2),
        ..Environment::default()
    };
    let config = Config {
        fsync: FsyncMode::None,
        ..Config::default()
    };
    let open = |name: &str| {
        Log::open_with(place.join(name), config.clone(), &environment).expect("opened")
    };
    let fill = |log: &Log| {
        let start = Instant::now();
        let entries = [Entry::new(&[7; 100]).at(1); 100];
        for _ in 0..10_000 {
            log.append(&entries).expect("appended");
        }
        1e6 / start.elapsed().as_secs_f64()
    };
    let (first, second) = (open("first"), open("second"));
    let alone = fill(&first);
    let both = thread::scope(|scope| {
        let other = scope.spawn(|| fill(&second));
        fill(&first) + other.join().expect("no panic")
    });
    println!(
        "one shard {:.2} M records/s, two shards on two threads {:.2} M records/s, {:.2} times",
        alone / 1e6,
        both / 1e6,
        both / alone
    );
}
