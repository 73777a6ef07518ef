use std::sync::Arc;

use ondisk::felix::{ProducerTag, feature};
use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Appended, Config, Entry, Environment, FsyncMode, Log, Mark};

use crate::look::Look;

/// A disk in memory, a clock that stands still, and no thread.
pub struct Bench {
    pub directory: Arc<dyn Directory>,
    pub clock: Arc<ManualClock>,
    pub environment: Environment,
}

impl Bench {
    pub fn new() -> Self {
        let clock = Arc::new(ManualClock::at(1_000_000));
        let environment = Environment {
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            background: Background::manual(Arc::clone(&clock) as Arc<dyn Clock>),
            ..Environment::default()
        };
        Self {
            directory: Arc::new(MemoryDirectory::new("shard")),
            clock,
            environment,
        }
    }

    pub fn open(&self, config: Config) -> Log {
        self.try_open(config).expect("it opens")
    }

    pub fn try_open(&self, config: Config) -> Result<Log, StorageError> {
        Log::open_in(Arc::clone(&self.directory), config, &self.environment)
    }
}

pub fn small() -> Config {
    Config {
        segment_size_bytes: 200,
        index_spacing_bytes: 60,
        fsync: FsyncMode::OnCommit,
        ..Config::default()
    }
}

pub fn append(log: &Log, payloads: &[&str]) -> u64 {
    let entries: Vec<_> = payloads
        .iter()
        .map(|payload| Entry::new(payload.as_bytes()).at(7))
        .collect();
    let commit = log.append(&entries).expect("it appends");
    commit.wait().expect("it is durable");
    commit.first()
}

#[test]
fn what_was_appended_is_there() {
    let bench = Bench::new();
    let log = bench.open(small());
    assert_eq!((log.base(), log.tail(), log.durable()), (0, 0, 0));
    assert_eq!(append(&log, &["a", "", "ccc"]), 0);
    assert_eq!(append(&log, &["d"]), 3);
    assert_eq!((log.tail(), log.durable()), (4, 4));
    log.close().expect("it closes");
    assert_eq!(
        Look::sound(&bench.directory).payloads(),
        ["a", "", "ccc", "d"]
    );
}

#[test]
fn it_goes_on_after_every_reopen() {
    let bench = Bench::new();
    for round in 0_u64..12 {
        let log = bench.open(small());
        assert_eq!(log.recovered().reports, [], "round {round}");
        assert_eq!(append(&log, &["one", "another one"]), round * 2);
        log.close().expect("it closes");
    }
    let look = Look::sound(&bench.directory);
    assert_eq!(look.records.len(), 24);
    assert!(look.segments.len() > 3, "{:?}", look.segments);
}

#[test]
fn a_batch_is_never_split_and_an_exact_fit_stays() {
    let bench = Bench::new();
    let log = bench.open(small());
    // 32 + 3 * 56 = 200.
    let payload = "x".repeat(28);
    append(&log, &[&payload, &payload, &payload]);
    assert_eq!(log.metrics().segments, 1);
    append(&log, &["", ""]);
    assert_eq!(log.metrics().segments, 2);
    let long = "y".repeat(1000);
    append(&log, &[&long, &long]);
    append(&log, &["z"]);
    log.close().expect("it closes");
    let look = Look::sound(&bench.directory);
    assert_eq!(look.segments, [(0, 3, 0), (1, 3, 3), (2, 3, 5), (3, 3, 7)]);
}

#[test]
fn refused_in_this_order() {
    let bench = Bench::new();
    let log = bench.open(small());
    let unsupported = |result: Result<_, StorageError>| match result {
        Err(StorageError::Unsupported { what }) => what,
        other => panic!("{other:?}"),
    };
    assert!(matches!(log.append(&[]), Err(StorageError::InvalidRange)));
    let long = vec![0; (64 << 20) + 1];
    assert_eq!(
        unsupported(log.append(&[Entry::new(&long)])),
        "a payload longer than 64 MiB"
    );
    let start = unsupported(log.append_generation_start(3));
    assert_eq!(start, "a generation start before its feature is finalized");
    let tag = ProducerTag {
        producer_id: 1,
        sequence: 0,
        len: 0,
    };
    let none = Entry::new(b"").marked(Mark::Opens(tag));
    assert_eq!(
        unsupported(log.append(&[none])),
        "a producer batch of no records"
    );
    let most = vec![0; 64 << 20];
    let two = [Entry::new(&most), Entry::new(&most)];
    assert_eq!(
        unsupported(log.append(&two)),
        "a batch longer than max_batch_bytes"
    );
    assert_eq!(log.tail(), 0);
    let elsewhere = log.append_at(5, &[Entry::new(b"x")]);
    assert!(matches!(elsewhere, Ok(Appended::TailIs(0))));
    let here = log.append_at(0, &[Entry::new(b"x")]);
    assert!(matches!(here, Ok(Appended::Written(_))));
    log.close().expect("it closes");
    let closed = log.append(&[]);
    assert!(matches!(closed, Err(StorageError::Closed { .. })));
}

#[test]
fn a_mark_rolls_a_segment_of_version_2_and_a_generation_start_one_of_3() {
    let bench = Bench::new();
    let old = ondisk::felix::SegmentHeader {
        base_offset: 40,
        created_at_micros: 1,
    };
    let mut bytes = Vec::new();
    let version = ondisk::WriteVersion::at(2, &ondisk::FeatureLevels::NONE).expect("version 2");
    old.encode(version, &mut bytes).expect("it encodes");
    let file = bench
        .directory
        .create("00000000000000000000.log")
        .expect("it is free");
    ondisk_engine::disk::write_all_at(&*file, &bytes, 0).expect("memory");
    let config = Config {
        segment_size_bytes: 1 << 20,
        ..small()
    }
    .with_feature(feature::GENERATION_START.name, 1);
    let log = bench.open(config.clone());
    append(&log, &["unmarked"]);
    let tag = ProducerTag {
        producer_id: 1,
        sequence: 0,
        len: 1,
    };
    log.append(&[Entry::new(b"marked").marked(Mark::Opens(tag))])
        .expect("it appends");
    log.append_generation_start(9).expect("it appends");
    append(&log, &["after it"]);
    log.close().expect("it closes");
    let look = Look::sound(&bench.directory);
    assert_eq!(look.segments, [(0, 2, 40), (1, 3, 41), (2, 4, 42)]);
    // Taken back, the level refuses the next generation start and nothing else.
    let log = bench.open(Config {
        features: Default::default(),
        segment_size_bytes: 60,
        ..config
    });
    assert_eq!(log.recovered().feature_behind, ["generation_start"]);
    assert!(log.append_generation_start(10).is_err());
    append(&log, &["rolls, and stays at version 4"]);
    log.close().expect("it closes");
    assert_eq!(
        Look::sound(&bench.directory).segments.last(),
        Some(&(3, 4, 44))
    );
}

#[test]
fn a_second_writer_is_refused() {
    let bench = Bench::new();
    let log = bench.open(small());
    let second = bench.try_open(small()).expect_err("it is locked");
    let text = second.to_string();
    assert!(text.contains("locked by this process"), "{text}");
    drop(log);
    bench.open(small());
}

#[test]
fn dropping_a_log_flushes() {
    let bench = Bench::new();
    let config = Config {
        fsync: FsyncMode::None,
        ..small()
    };
    let log = bench.open(config);
    let commit = log.append(&[Entry::new(b"x")]).expect("it appends");
    assert_eq!(log.durable(), 0);
    drop(log);
    assert!(commit.is_acknowledged());
    assert_eq!(Look::sound(&bench.directory).payloads(), ["x"]);
}

#[test]
fn the_longest_payload() {
    let bench = Bench::new();
    let log = bench.open(small());
    let most = vec![7; 64 << 20];
    log.append(&[Entry::new(&most)]).expect("it appends");
    append(&log, &["after"]);
    let read = log.read_range(0, 1).expect("it reads");
    assert!(read.len() == 1 && read[0].payload() == most);
    log.close().expect("it closes");
    let log = bench.open(small());
    assert_eq!((log.tail(), log.recovered().reports.len()), (2, 0));
}

/// Without a clock that moves on.
#[test]
fn the_mark_is_synced_once_64_mib_were_flushed() {
    let bench = Bench::new();
    let log = bench.open(Config {
        segment_size_bytes: 1 << 30,
        ..small()
    });
    let payload = vec![0; 32 << 20];
    let flush = || {
        let commit = log.append(&[Entry::new(&payload)]).expect("it appends");
        commit.wait().expect("it is durable");
        bench.environment.background.run_ready();
        log.metrics().mark_lag_bytes
    };
    assert!(flush() > 32 << 20);
    assert_eq!(flush(), 0);
}
