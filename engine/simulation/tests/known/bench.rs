//! Opening logs, and what must be true of one that opened.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::{self, Directory, EntryKind};
use ondisk_engine::felix::error::{Corruption, CorruptionKind, StorageError};
use ondisk_engine::felix::log::{Bound, Config, Entry, Environment, FsyncMode, Log};

use crate::build::{length, payload};

/// Four records a segment, each flushed before it is acknowledged.
pub fn config() -> Config {
    Config {
        fsync: FsyncMode::OnCommit,
        segment_size_bytes: length(4),
        index_spacing_bytes: 100,
        ..Config::default()
    }
}

/// A clock that stands still, and no thread.
pub fn environment() -> Environment {
    environment_at(&Arc::new(ManualClock::at(1_000_000)))
}

/// The same by this clock.
pub fn environment_at(clock: &Arc<ManualClock>) -> Environment {
    let clock = Arc::clone(clock) as Arc<dyn Clock>;
    Environment {
        background: Background::manual(Arc::clone(&clock)),
        clock,
        ..Environment::default()
    }
}

pub fn open(directory: &Arc<dyn Directory>, config: &Config) -> Result<Log, StorageError> {
    Log::open_in(Arc::clone(directory), config.clone(), &environment())
}

/// Appends a record and waits until it is acknowledged. Its offset.
pub fn append(log: &Log, payload: &[u8]) -> Result<u64, StorageError> {
    let commit = log.append(&[Entry::new(payload).at(1)])?;
    commit.wait().map_err(|_| StorageError::SyncFailed)?;
    Ok(commit.first())
}

/// Appends what [`payload`] has for the next offsets, one by one.
pub fn append_next(log: &Log, records: u64) -> Result<(), StorageError> {
    for _ in 0..records {
        append(log, &payload(log.tail()))?;
    }
    Ok(())
}

/// All records by offset.
pub fn records(log: &Log) -> BTreeMap<u64, Vec<u8>> {
    let mut read = log.read(log.base(), Bound::Tail).expect("from the base on");
    let mut records = BTreeMap::new();
    while let Some(record) = read.next().expect("every record is sound") {
        records.insert(record.offset(), record.payload().to_vec());
    }
    let dense: Vec<u64> = (log.base()..log.tail()).collect();
    assert_eq!(records.keys().copied().collect::<Vec<_>>(), dense);
    records
}

/// The records at these offsets, each as [`payload`] has it.
pub fn as_written(offsets: Range<u64>) -> BTreeMap<u64, Vec<u8>> {
    offsets.map(|offset| (offset, payload(offset))).collect()
}

/// The names of the reports of an open, in order.
pub fn reports(log: &Log) -> Vec<&'static str> {
    let reports = &log.recovered().reports;
    reports.iter().map(|report| report.name()).collect()
}

/// The names of the files that an open set aside.
pub fn saved(log: &Log) -> Vec<String> {
    let saved = &log.recovered().saved;
    saved.iter().map(ToString::to_string).collect()
}

pub fn bytes(directory: &dyn Directory, name: &str) -> Option<Vec<u8>> {
    let file = directory.file(name).ok()?;
    let length = file.stat().expect("its length").len;
    let mut bytes = vec![0; usize::try_from(length).expect("a small file")];
    disk::read_exact_at(&*file, &mut bytes, 0).expect("its bytes");
    Some(bytes)
}

/// All files of a directory.
pub fn files(directory: &dyn Directory) -> BTreeMap<String, Vec<u8>> {
    let entries = directory.entries().expect("a list").into_iter();
    entries
        .filter(|entry| entry.kind == EntryKind::File)
        .map(|entry| entry.name.into_string().expect("UTF-8"))
        .map(|name| (name.clone(), bytes(directory, &name).expect("a file")))
        .collect()
}

/// What an open must come to.
pub struct Right<'a> {
    /// Its reports by name, in order.
    pub reports: &'a [&'a str],
    /// The offsets that remain.
    pub offsets: Range<u64>,
    /// What is set aside, by name.
    pub saved: &'a [(String, Vec<u8>)],
}

/// Opens the log, which must come to what is right, and go on from there.
pub fn opens(what: &str, directory: &Arc<dyn Directory>, config: &Config, right: &Right<'_>) {
    let log = open(directory, config).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(reports(&log), right.reports, "{what}");
    assert_eq!(log.base()..log.tail(), right.offsets, "{what}");
    assert_eq!(records(&log), as_written(right.offsets.clone()), "{what}");
    let names: Vec<_> = right.saved.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(saved(&log), names, "{what}");
    for (name, saved) in right.saved {
        assert_eq!(bytes(&**directory, name).as_ref(), Some(saved), "{what}");
    }
    goes_on(what, directory, config, log);
}

/// The next append takes the offset at which the log ends, and after a close the next open finds nothing wrong.
pub fn goes_on(what: &str, directory: &Arc<dyn Directory>, config: &Config, log: Log) {
    let mut expected = records(&log);
    let (base, tail) = (log.base(), log.tail());
    let appended = append(&log, b"it goes on").unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(appended, tail, "{what}");
    expected.insert(tail, b"it goes on".to_vec());
    log.close()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    drop(log);
    let again = open(directory, config).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(again.recovered().reports, [], "{what}: opened again");
    assert_eq!(again.base()..again.tail(), base..tail + 1, "{what}");
    assert_eq!(records(&again), expected, "{what}: opened again");
}

/// The log does not open, says where and why, and changes nothing.
pub fn refuses(
    what: &str,
    directory: &Arc<dyn Directory>,
    config: &Config,
    (kind, segment, position): (CorruptionKind, u64, u64),
) {
    let before = files(&**directory);
    for _ in 0..2 {
        let Err(StorageError::Corruption(Corruption { kind: found, site })) =
            open(directory, config)
        else {
            panic!("{what}: refused as damaged");
        };
        let place = (site.segment, site.position);
        assert_eq!(
            (found, place),
            (kind, (Some(segment), Some(position))),
            "{what}"
        );
    }
    assert_eq!(files(&**directory), before, "{what}: nothing is changed");
}
