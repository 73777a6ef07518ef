//! Every fixture directory opened as a log: those that open go on, close and verify; those that are refused stay as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ondisk::felix::ProducerTag;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, FsyncMode, Log, Mark};
use ondisk_engine::felix::opening::{self, LogKind, Sidecars};
use ondisk_engine::felix::recovery::{Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use serde_json::Value;

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/fixtures/felix");
    let mut found = Vec::new();
    for group in ["clean", "damaged", "real"] {
        for entry in fs::read_dir(root.join(group)).expect("fixtures") {
            found.push(entry.expect("an entry").path());
        }
    }
    found.sort();
    found
}

/// What is in a directory, files by name with their bytes.
fn content(path: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let entries = fs::read_dir(path).expect("a directory");
    let entry = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, fs::read(entry.path()).ok())
    };
    entries
        .map(|found| entry(found.expect("an entry")))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        let kind = entry.file_type().expect("a type");
        if kind.is_dir() {
            copy(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

fn verified(path: &Path) -> String {
    let directory = RealDirectory::open(path).expect("it opens");
    let shard = Shard::look(directory, None).expect("it lists");
    let sidecars = Sidecars::load(&shard).expect("they load");
    let scans = Scans::new(&shard, Access::default());
    let settings = Settings {
        verify_all_on_open: true,
        ..Settings::default()
    };
    let opening = opening::open(&scans, &sidecars, LogKind::Stream, &settings).expect("a plan");
    if opening.is_sound() {
        "sound".to_owned()
    } else {
        opening.category().to_string()
    }
}

#[test]
fn every_fixture() {
    let place = tempfile::tempdir().expect("a directory");
    let (mut opened, mut refused) = (0, 0);
    for fixture in fixtures() {
        let name = fixture
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(fixture.join("expected.json")).expect("what is right");
        let expected: Value = serde_json::from_str(&text).expect("JSON");
        if expected["directory"] != "shard" {
            continue;
        }
        let path = place.path().join(&name);
        let original = fixture.join("shard");
        if original.exists() {
            copy(&original, &path);
        }
        let settings = &expected["settings"];
        let config = Config {
            kind: match expected["kind"].as_str() {
                Some("cache") => LogKind::Cache,
                Some("counter" | "counters") => LogKind::Counter,
                _ => LogKind::Stream,
            },
            index_spacing_bytes: settings["index_spacing_bytes"].as_u64().unwrap_or(4096),
            open_at: settings["open_at"].as_u64().unwrap_or(0),
            fsync: FsyncMode::OnCommit,
            ..Config::default()
        };
        let want = &expected["open"];
        let before = path.exists().then(|| content(&path));
        let log = match Log::open(&path, config) {
            Ok(log) => log,
            Err(error) => {
                assert!(!want["error"].is_null(), "{name}: {error}");
                assert_eq!(before, Some(content(&path)), "{name}: refused, and changed");
                refused += 1;
                continue;
            }
        };
        opened += 1;
        assert!(want["error"].is_null(), "{name}: opened");
        assert_eq!(want["base"].as_u64(), Some(log.base()), "{name}");
        assert_eq!(want["tail"].as_u64(), Some(log.tail()), "{name}");
        // Damage that only a look at everything finds: the log opens, and whoever reads there is told.
        let hidden = !expected["variants"]["verify"]["error"].is_null();
        assert_eq!(read_all(&log).is_err(), hidden, "{name}");
        go_on(&name, &log);
        if !hidden {
            assert_eq!(verified(&path), "sound", "{name}");
        }
    }
    assert!(
        opened > 50 && refused > 20,
        "{opened} opened, {refused} refused"
    );
}

fn read_all(log: &Log) -> Result<(), StorageError> {
    let (base, tail) = (log.base(), log.tail());
    let mut records = log.read(base, Bound::Tail)?;
    for offset in base..tail {
        assert_eq!(records.next()?.map(|record| record.offset()), Some(offset));
    }
    Ok(())
}

/// Appends an ordinary and a marked record, which rolls a segment of version 2, and closes.
fn go_on(name: &str, log: &Log) {
    let tail = log.tail();
    let tag = ProducerTag {
        producer_id: 77,
        sequence: 0,
        len: 1,
    };
    // A put of the key `k`, so that a cache shard can be opened again; to a stream it is opaque.
    let put = b"\x01\x00\0\0\0\0\0\0\0\0\x01\0\0\0kv";
    for entry in [Entry::new(put), Entry::new(put).marked(Mark::Opens(tag))] {
        let commit = log
            .append(&[entry])
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        commit.wait().expect("durable");
    }
    assert_eq!(log.tail(), tail + 2, "{name}");
    log.close().expect("it closes");
}
