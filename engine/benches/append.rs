//! Appending: the log against the least code that encodes and writes the same records, and across rolls.
//! `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

#[path = "../../format/benches/by_hand/mod.rs"]
mod by_hand;
#[path = "../../format/benches/machine/mod.rs"]
mod machine;
#[path = "../../format/benches/rounds/mod.rs"]
mod rounds;

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{self, File};
use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log};
use std::sync::Arc;
use tempfile::TempDir;

use rounds::Rounds;

/// The control: a file, a buffer, and blocks reserved ahead as the log does it.
struct ByHand {
    _directory: TempDir,
    file: Arc<dyn File>,
    buffer: Vec<u8>,
    bytes: u64,
    reserved: u64,
    offset: u64,
}

const SEGMENT: u64 = 256 << 20;

impl ByHand {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let file = RealDirectory::open(directory.path())
            .and_then(|opened| opened.create("log"))
            .expect("a file");
        Self {
            _directory: directory,
            file,
            buffer: Vec::new(),
            bytes: 0,
            reserved: 0,
            offset: 0,
        }
    }

    fn append(&mut self, payloads: &[&[u8]]) {
        self.buffer.clear();
        for payload in payloads {
            by_hand::write_ordinary(self.offset, 7, payload, &mut self.buffer).expect("it fits");
            self.offset += 1;
        }
        disk::write_all_at(&*self.file, &self.buffer, self.bytes).expect("written");
        self.bytes += self.buffer.len() as u64;
        if self.bytes > self.reserved / 2 && self.reserved < SEGMENT {
            self.reserved = (self.reserved * 2).clamp(1 << 20, SEGMENT);
            self.file.allocate(self.reserved).expect("room");
        }
        if self.bytes >= SEGMENT {
            self.file.set_len(0).expect("cut");
            (self.bytes, self.reserved) = (0, 0);
        }
    }
}

fn log(fsync: FsyncMode) -> (TempDir, Log) {
    let directory = tempfile::tempdir().expect("a directory");
    let config = Config {
        fsync,
        segment_size_bytes: SEGMENT,
        ..Config::default()
    };
    let log = Log::open(directory.path().join("shard"), config).expect("a log");
    (directory, log)
}

/// Acknowledged after the page cache.
fn cached(criterion: &mut Criterion) {
    let payload = [5_u8; 100];
    for batch in [1, 100] {
        let payloads = vec![&payload[..]; batch];
        let entries = vec![Entry::new(&payload).at(7); batch];
        let (_directory, log) = log(FsyncMode::None);
        let mut control = ByHand::new();
        let rounds = Rounds {
            calls: 2000 / batch as u64 + 20,
            turns: 301,
        };
        rounds.compare(
            criterion,
            &format!("append of 100 bytes, batches of {batch}"),
            None,
            ("engine", || log.append(&entries).expect("appended").first()),
            ("by hand", || control.append(&payloads)),
        );
    }
}

/// One writer that waits for each record.
fn durable(criterion: &mut Criterion) {
    let payload = [5_u8; 1024];
    let entries = [Entry::new(&payload).at(7)];
    let (_directory, log) = log(FsyncMode::OnCommit);
    let mut control = ByHand::new();
    let rounds = Rounds {
        calls: 50,
        turns: 31,
    };
    rounds.compare(
        criterion,
        "durable append of 1 KiB",
        None,
        ("engine", || {
            let commit = log.append(&entries).expect("appended");
            commit.wait().expect("durable");
        }),
        ("by hand", || {
            control.append(&[&payload]);
            control.file.sync_data().expect("synced");
        }),
    );
}

/// How long single appends take across many rolls, in the foreground and in the background.
fn rolls(_: &mut Criterion) {
    let payload = [5_u8; 100];
    let entries = [Entry::new(&payload).at(7)];
    for (name, fsync, appends) in [
        ("none", FsyncMode::None, 400_000_u32),
        (
            "periodic",
            FsyncMode::Periodic {
                interval: Duration::from_millis(250),
            },
            400_000,
        ),
        ("on_commit", FsyncMode::OnCommit, 4000),
    ] {
        for threshold in [100, 75] {
            let directory = tempfile::tempdir().expect("a directory");
            let config = Config {
                fsync,
                segment_size_bytes: u64::from(appends) * 128 / 20,
                rollover_threshold_percent: threshold,
                ..Config::default()
            };
            let log = Log::open(directory.path().join("shard"), config).expect("a log");
            let mut times: Vec<_> = (0..appends)
                .map(|_| {
                    let start = Instant::now();
                    let commit = log.append(&entries).expect("appended");
                    commit.wait().expect("acknowledged");
                    start.elapsed()
                })
                .collect();
            times.sort_unstable();
            let at = |part: usize| times[(times.len() - 1) * part / 10_000].as_secs_f64() * 1e6;
            println!(
                "{name}, next segment prepared at {threshold} %: {} rolls, median {:.2} us, p99.9 {:.1} us, worst {:.0} us",
                log.metrics().rolls,
                at(5000),
                at(9990),
                at(10_000),
            );
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = machine::print, cached, durable, rolls
}
criterion_main!(benches);
