//! Known names that are no files, and links that somebody planted: nothing is written through them (Felix 1.5).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ondisk::felix::ProducerTag;
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Entry, Log, Mark};

use crate::append::{append, small};
use crate::look::Look;

const OUTSIDE: &str = "not to be touched";

/// A shard directory, and a file beside it.
struct Place {
    _root: tempfile::TempDir,
    shard: PathBuf,
    outside: PathBuf,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        let (shard, outside) = (root.path().join("shard"), root.path().join("outside"));
        fs::create_dir(&shard).expect("it is new");
        fs::write(&outside, OUTSIDE).expect("it is new");
        Self {
            _root: root,
            shard,
            outside,
        }
    }

    fn plant_link(&self, name: &str) {
        symlink(&self.outside, self.shard.join(name)).expect("it is free");
    }

    fn plant_directory(&self, name: &str) {
        fs::create_dir(self.shard.join(name)).expect("it is free");
    }

    fn open(&self, config: Config) -> Log {
        Log::open(&self.shard, config).expect("it opens")
    }

    fn is_link(&self, name: &str) -> bool {
        let found = fs::symlink_metadata(self.shard.join(name));
        found.is_ok_and(|found| found.file_type().is_symlink())
    }

    fn untouched(&self) {
        let outside = fs::read_to_string(&self.outside).expect("it is there");
        assert_eq!(outside, OUTSIDE);
    }

    fn sound(&self) -> Look {
        self.untouched();
        let directory = RealDirectory::open(&self.shard).expect("it is there");
        Look::sound(&(directory as Arc<dyn Directory>))
    }
}

fn produce(log: &Log, sequence: u64) {
    let tag = ProducerTag {
        producer_id: 1,
        sequence,
        len: 1,
    };
    let entry = Entry::new(b"produced").marked(Mark::Opens(tag));
    let commit = log.append(&[entry]).expect("it appends");
    commit.wait().expect("it is durable");
}

/// All that writes a file.
fn use_all(log: &Log) {
    append(log, &["one", "two"]);
    produce(log, 0);
    log.roll().expect("it rolls");
    append(log, &["three"]);
    produce(log, 1);
    log.roll().expect("it rolls");
    append(log, &["four"]);
    log.record_epoch(1, 0).expect("it is stored");
    log.accept(1, Some("a")).expect("it is stored");
    log.advance_commit(1).expect("it is open");
    log.truncate(4).expect("it cuts");
    append(log, &["five"]);
    log.reset_to(9).expect("it begins anew");
    append(log, &["six"]);
    produce(log, 2);
    log.roll().expect("it rolls");
    append(log, &["seven"]);
}

#[test]
fn links_under_the_names_of_temporaries() {
    let place = Place::new();
    let temporaries = ["epochs.tmp", "replica.tmp", "ballot.tmp", "producers.tmp"];
    for name in temporaries {
        place.plant_link(name);
    }
    for id in 0..6 {
        place.plant_link(&format!("{id:020}.log.tmp"));
    }
    let log = place.open(small());
    use_all(&log);
    log.close().expect("it closes");
    assert!(!temporaries.iter().any(|name| place.is_link(name)));
    assert_eq!(place.sound().payloads(), ["six", "produced", "seven"]);
}

#[test]
fn links_under_the_names_of_derived_files() {
    let place = Place::new();
    for name in ["epochs", "producers", "keys.idx", "durable.mark"] {
        place.plant_link(name);
    }
    for id in 0..6 {
        place.plant_link(&format!("{id:020}.index"));
    }
    let log = place.open(small());
    use_all(&log);
    log.close().expect("it closes");
    assert_eq!(place.sound().payloads(), ["six", "produced", "seven"]);
    let log = place.open(small());
    assert_eq!((log.base(), log.tail()), (9, 12));
}

#[test]
fn directories_under_the_names_of_derived_files() {
    let place = Place::new();
    for name in ["producers", "keys.idx", "durable.mark"] {
        place.plant_directory(name);
    }
    for id in 0..6 {
        place.plant_directory(&format!("{id:020}.index"));
    }
    let log = place.open(small());
    use_all(&log);
    assert!(!log.metrics().poisoned);
    log.close().expect("it closes");
    let log = place.open(small());
    assert_eq!((log.base(), log.tail()), (9, 12));
    log.close().expect("it closes");
    place.untouched();
    assert!(place.shard.join("producers").is_dir());
}

#[test]
fn a_directory_in_the_place_of_epochs_is_an_error_and_no_more() {
    let place = Place::new();
    place.plant_directory("epochs");
    let log = place.open(small());
    append(&log, &["one"]);
    let refused = log.record_epoch(1, 0);
    assert!(
        matches!(refused, Err(StorageError::Io { .. })),
        "{refused:?}"
    );
    append(&log, &["two"]);
    log.close().expect("it closes");
}

#[test]
fn links_in_the_place_of_authoritative_files_end_the_open() {
    let names = [
        "replica",
        "ballot",
        "offload.manifest",
        "00000000000000000001.log",
    ];
    for name in names {
        let place = Place::new();
        let log = place.open(small());
        append(&log, &["one"]);
        log.close().expect("it closes");
        place.plant_link(name);
        let refused = Log::open(&place.shard, small()).expect_err("it is no file");
        assert!(
            matches!(refused, StorageError::Io { .. }),
            "{name}: {refused}"
        );
        place.untouched();
        fs::remove_file(place.shard.join(name)).expect("it is there");
        assert_eq!(place.sound().payloads(), ["one"]);
    }
}

#[test]
fn a_link_under_the_name_of_the_next_segment() {
    let place = Place::new();
    let log = place.open(small());
    append(&log, &["one"]);
    let next = "00000000000000000001.log";
    place.plant_link(next);
    let refused = log.roll();
    assert!(
        matches!(refused, Err(StorageError::Io { .. })),
        "{refused:?}"
    );
    append(&log, &["two"]);
    assert!(place.is_link(next), "it is not ours to remove");
    fs::remove_file(place.shard.join(next)).expect("it is there");
    log.roll().expect("the name is free");
    append(&log, &["three"]);
    log.close().expect("it closes");
    assert_eq!(place.sound().payloads(), ["one", "two", "three"]);
}

#[test]
fn a_shard_that_is_a_link_or_a_file() {
    let place = Place::new();
    let link = place.shard.with_file_name("link");
    symlink(&place.shard, &link).expect("it is free");
    let opened = |path: &Path| Log::open(path, small()).map(|log| log.base());
    assert!(opened(&place.outside).is_err());
    place.untouched();
    // The path may lead through links, whoever gives it knows where; below it none is followed.
    assert!(matches!(
        opened(&link),
        Ok(0) | Err(StorageError::Io { .. })
    ));
}
