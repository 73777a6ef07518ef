//! Copies of shards and data directories: logs of their own, of one moment, that hide no damage.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ondisk::felix::name::ShardKey;
use ondisk::felix::{EpochEntry, feature};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_engine::felix::copy::{
    CopyError, CopySettings, Extent, copy_root_to, copy_shard, copy_to,
};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{
    Bound, Config, Entry, Environment, FsyncMode, Log, ReadOnlyLog, Retention,
};
use ondisk_engine::felix::store::{Store, StoreConfig};
use tempfile::TempDir;

fn config() -> Config {
    Config {
        fsync: FsyncMode::None,
        segment_size_bytes: 1024,
        preallocate: false,
        ..Config::default()
    }
}

fn append(log: &Log, from: u64, count: u64) {
    for number in from..from + count {
        log.append(&[Entry::new(format!("record {number}").as_bytes()).at(number)])
            .unwrap();
    }
}

fn payloads(path: &Path) -> Vec<String> {
    let log = ReadOnlyLog::open(path, &config()).unwrap();
    let mut records = log.read(log.base(), Bound::Tail).unwrap();
    let mut found = Vec::new();
    while let Some(record) = records.next().unwrap() {
        found.push(String::from_utf8(record.payload().to_vec()).unwrap());
    }
    found
}

fn numbered(count: u64) -> Vec<String> {
    (0..count)
        .map(|number| format!("record {number}"))
        .collect()
}

fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

fn sound(path: &Path) {
    let log = Log::open(path, config()).unwrap();
    assert!(log.recovered().reports.is_empty(), "{:?}", log.recovered());
    log.close().unwrap();
}

fn folder() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("source"), folder.path().join("target"));
    (folder, source, target)
}

fn settings(extent: Extent) -> CopySettings<'static> {
    CopySettings {
        extent,
        ..CopySettings::default()
    }
}

#[test]
fn a_closed_log() {
    let (_folder, source, target) = folder();
    let log = Log::open(&source, config()).unwrap();
    append(&log, 0, 100);
    log.record_epoch(3, 50).unwrap();
    log.accept(4, Some("broker-1")).unwrap();
    log.advance_commit(60).unwrap();
    let (epochs, accepted) = (log.epochs(), log.accepted());
    log.close().unwrap();
    let before = contents(&source);

    let copied = copy_to(&source, &target, &CopySettings::default()).unwrap();
    assert_eq!((copied.base, copied.tail, copied.left), (0, 100, 0));
    assert!(copied.segments > 3);
    assert_eq!(contents(&source), before, "the original is only read");
    assert_eq!(payloads(&target), numbered(100));
    let log = Log::open(&target, config()).unwrap();
    assert!(log.recovered().reports.is_empty());
    assert_eq!((log.epochs(), log.accepted()), (epochs, accepted));
    append(&log, 100, 50);
    log.truncate(70).unwrap();
    log.close().unwrap();
    assert_eq!(
        contents(&source),
        before,
        "they share nothing that is written"
    );
    sound(&source);
}

/// The mark says how far an open log is flushed.
#[test]
fn an_open_log_up_to_what_is_flushed() {
    let (folder, source, target) = folder();
    let log = Log::open(&source, config()).unwrap();
    append(&log, 0, 40);
    log.sync().unwrap();
    append(&log, 40, 3);
    let copied = copy_to(&source, &target, &CopySettings::default()).unwrap();
    assert_eq!((copied.tail, copied.left), (40, 3));
    assert_eq!(payloads(&target), numbered(40));
    sound(&target);
    let whole = folder.path().join("whole");
    let copied = copy_to(&source, &whole, &settings(Extent::Tail)).unwrap();
    assert_eq!((copied.tail, copied.left), (43, 0));
    assert_eq!(payloads(&whole), numbered(43));
    append(&log, 43, 1);
    log.close().unwrap();
    sound(&source);
}

/// What a crash left at the end is not in the copy, and stays in the original.
#[test]
fn a_torn_end() {
    let (_folder, source, target) = folder();
    let log = Log::open(&source, config()).unwrap();
    append(&log, 0, 5);
    log.close().unwrap();
    let segment = source.join("00000000000000000000.log");
    let mut bytes = fs::read(&segment).unwrap();
    bytes.extend([1; 10]);
    fs::write(&segment, &bytes).unwrap();
    copy_to(&source, &target, &settings(Extent::Tail)).unwrap();
    assert_eq!(payloads(&target), numbered(5));
    sound(&target);
    assert_eq!(fs::read(&segment).unwrap(), bytes);
}

/// A copy ends with a whole record, wherever the mark points.
#[test]
fn a_mark_in_the_middle_of_a_record() {
    let (_folder, source, target) = folder();
    let log = Log::open(&source, config()).unwrap();
    append(&log, 0, 5);
    log.close().unwrap();
    let mark = source.join("durable.mark");
    let length = fs::metadata(source.join("00000000000000000000.log"))
        .unwrap()
        .len();
    for (cut, tail) in [
        (0, 5),
        (1, 4),
        (length - 33, 0),
        (length - 32, 0),
        (length, 0),
    ] {
        let name = format!("{cut}");
        let directory = ondisk_engine::disk::real::RealDirectory::open(&source).unwrap();
        let file = ondisk_engine::felix::sidecar::mark::MarkFile::open(&*directory);
        file.write(0, length - cut).unwrap();
        assert!(mark.exists());
        let target = target.join(name);
        let copied = copy_to(&source, &target, &CopySettings::default()).unwrap();
        assert_eq!((copied.tail, copied.left), (tail, 5 - tail), "{cut}");
        sound(&target);
    }
}

#[test]
fn damage_is_not_copied() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/fixtures/felix/damaged");
    for name in [
        "payload-bit-middle",
        "payload-bit-tail",
        "sealed-bit-early",
        "replica-bad-crc",
        "short-of-mark",
        "torn-below-mark",
        "missing-middle",
    ] {
        let (_folder, _, target) = folder();
        let source = fixtures.join(name).join("shard");
        let copied = copy_to(&source, &target, &CopySettings::default());
        let Err(CopyError::Damaged { path, what }) = copied else {
            panic!("{name}: {copied:?}");
        };
        assert!(path.starts_with(&source) && !what.is_empty(), "{name}");
        assert_eq!(fs::read_dir(&target).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn a_target_that_is_not_empty() {
    let (_folder, source, target) = folder();
    let log = Log::open(&source, config()).unwrap();
    append(&log, 0, 5);
    log.close().unwrap();
    fs::create_dir(&target).unwrap();
    fs::write(target.join("notes.txt"), "mine").unwrap();
    let copied = copy_to(&source, &target, &CopySettings::default());
    assert!(
        matches!(&copied, Err(CopyError::Storage(StorageError::Io { source, .. }))
            if source.kind() == std::io::ErrorKind::AlreadyExists),
        "{copied:?}"
    );
    assert_eq!(fs::read(target.join("notes.txt")).unwrap(), b"mine");
}

/// In memory, where nothing shares blocks.
#[test]
fn any_disk() {
    let source: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("/source"));
    let target: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("/target"));
    let log = Log::open_in(Arc::clone(&source), config(), &Environment::default()).unwrap();
    append(&log, 0, 100);
    log.close().unwrap();
    let copied = copy_shard(&source, &target, &CopySettings::default()).unwrap();
    assert_eq!((copied.tail, copied.shared), (100, 0));
    let log = Log::open_in(target, config(), &Environment::default()).unwrap();
    assert_eq!((log.base(), log.tail()), (0, 100));
    assert!(log.recovered().reports.is_empty());
}

/// A fresh log, an empty one, one that begins elsewhere.
#[test]
fn logs_without_records() {
    for open_at in [0, 77] {
        let (folder, source, target) = folder();
        let config = Config {
            open_at,
            ..config()
        };
        Log::open(&source, config.clone()).unwrap().close().unwrap();
        let copied = copy_to(&source, &target, &CopySettings::default()).unwrap();
        assert_eq!((copied.base, copied.tail), (open_at, open_at));
        let log = Log::open(&target, self::config()).unwrap();
        assert_eq!((log.base(), log.tail()), (open_at, open_at));
        let (nothing, fresh) = (folder.path().join("nothing"), folder.path().join("fresh"));
        fs::create_dir(&nothing).unwrap();
        copy_to(&nothing, &fresh, &CopySettings::default()).unwrap();
        assert_eq!(fs::read_dir(&fresh).unwrap().count(), 0);
    }
}

/// Copies of a log that rolls, trims and is cut all the while: each is of one moment.
#[test]
fn a_log_at_work() {
    let (folder, source, _) = folder();
    let config = Config {
        fsync: FsyncMode::Periodic {
            interval: Duration::from_millis(1),
        },
        retention: Retention {
            bytes: Some(8 << 10),
            age: None,
            interval: Duration::from_millis(1),
        },
        rollover_threshold_percent: 50,
        ..config()
    };
    let log = Log::open(&source, config).unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let writer = {
        let (log, done) = (log.clone(), Arc::clone(&done));
        thread::spawn(move || {
            let mut round = 0_u64;
            while !done.load(Ordering::Relaxed) {
                let tail = log.tail();
                append(&log, tail, 20);
                round += 1;
                if round.is_multiple_of(7) {
                    let (base, tail) = (log.base(), log.tail());
                    log.truncate(tail.saturating_sub(15).max(base)).unwrap();
                }
                thread::yield_now();
            }
        })
    };
    for number in 0..40 {
        let target = folder.path().join(format!("copy-{number}"));
        match copy_to(&source, &target, &CopySettings::default()) {
            Ok(copied) => {
                let found = payloads(&target);
                let expected: Vec<String> = (copied.base..copied.tail)
                    .map(|number| format!("record {number}"))
                    .collect();
                assert_eq!(found, expected, "{copied:?}");
                sound(&target);
            }
            // A log that is cut all the time may leave no moment for a copy, and none is made then.
            Err(CopyError::Storage(StorageError::Io { .. })) => {
                assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
            }
            Err(error) => panic!("{error}"),
        }
    }
    done.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    // One more, of a log that stands still.
    log.sync().unwrap();
    let target = folder.path().join("last");
    let copied = copy_to(&source, &target, &CopySettings::default()).unwrap();
    assert_eq!((copied.base, copied.tail), (log.base(), log.tail()));
    log.close().unwrap();
}

/// A data directory at work is copied shard by shard, and becomes another one.
#[test]
fn a_data_directory() {
    let (_folder, source, target) = folder();
    let features = Config::default().with_feature(feature::STREAM_INCARNATIONS.name, 1);
    let config = StoreConfig {
        log: features,
        ..StoreConfig::default()
    };
    let store = Store::open(&source, config.clone()).unwrap();
    let keys = [0, 1, 2].map(|shard| ShardKey::new("acme", "default", "orders", shard));
    for key in &keys {
        let log = store.shard(key).unwrap();
        append(&log, 0, 10);
        log.record_epoch(2, 5).unwrap();
        log.sync().unwrap();
    }
    let later = ShardKey::new("acme", "default", "later", 0);
    let log = store
        .open_incarnation(ondisk::felix::name::Store::Streams, &later, 3)
        .unwrap();
    append(&log, 0, 4);
    log.sync().unwrap();
    store.register(9).unwrap();
    let id = store.storage_id();

    let copied = copy_root_to(&source, &target, &CopySettings::default()).unwrap();
    assert_eq!((copied.shards.len(), copied.markers), (4, 1));
    assert_ne!(Some(copied.storage_id), id);
    for absent in ["run-state", "registration", "node-id"] {
        assert!(!target.join(absent).exists(), "{absent}");
    }
    let copy = Store::open(&target, config).unwrap();
    assert_eq!(copy.storage_id(), Some(copied.storage_id), "it is kept");
    for key in &keys {
        let log = copy.shard(key).unwrap();
        assert_eq!(log.tail(), 10);
        let epoch = EpochEntry {
            generation: 2,
            start_offset: 5,
        };
        assert_eq!(log.epochs(), [epoch]);
    }
    assert_eq!(
        copy.open_incarnation(ondisk::felix::name::Store::Streams, &later, 3)
            .unwrap()
            .tail(),
        4
    );
    copy.shutdown().unwrap();
    store.shutdown().unwrap();
}

#[test]
fn a_data_directory_that_is_damaged() {
    for (name, bytes) in [
        ("storage-id", &b"FLID"[..]),
        (
            "run-state",
            b"FLRN\0\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        ),
    ] {
        let (_folder, source, target) = folder();
        let store = Store::open(&source, StoreConfig::default()).unwrap();
        store.shard(&ShardKey::new("a", "b", "c", 0)).unwrap();
        store.shutdown().unwrap();
        fs::write(source.join(name), bytes).unwrap();
        let copied = copy_root_to(&source, &target, &CopySettings::default());
        assert!(
            matches!(copied, Err(CopyError::Damaged { .. })),
            "{name}: {copied:?}"
        );
        assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
    }
}

/// A disk that does not read a file now may read it the next time: what the file says is neither left out nor guessed.
#[test]
fn a_file_that_is_not_read_makes_no_other_copy() {
    let disk = SimulatedDisk::new();
    let source = disk.root().create_directory("source").unwrap();
    let log = Log::open_in(Arc::clone(&source), config(), &Environment::default()).unwrap();
    append(&log, 0, 5);
    log.record_epoch(3, 2).unwrap();
    log.sync().unwrap();
    append(&log, 5, 3);
    let copied = |name: &str, fails: Option<u64>| {
        let target = disk.root().create_directory(name).unwrap();
        let first = disk.calls();
        disk.arm(fails.map(|at| Fault::Fails {
            at: first + at,
            errno: 5,
            for_good: false,
        }));
        let copied = copy_shard(&source, &target, &CopySettings::default());
        let calls = disk.calls() - first;
        disk.arm(None);
        if copied.is_ok() {
            let copy = Log::open_in(target, config(), &Environment::default()).unwrap();
            assert_eq!((copy.tail(), copy.epochs()), (5, log.epochs()), "{name}");
        }
        calls
    };
    for at in 0..copied("whole", None) {
        copied(&format!("call {at} fails"), Some(at));
    }
}
