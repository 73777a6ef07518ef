//! Files that can be mapped.
#![cfg(target_os = "linux")]

use std::sync::Arc;

use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::felix::log::{Bound, Config, Entry, Environment, Log};
use ondisk_engine::map::Map;

use super::{put, synced};
use crate::read;

#[test]
fn a_mapping_shows_what_is_written_later() {
    let disk = SimulatedDisk::new().with_mappings();
    let root = disk.root();
    let file = synced(&*root, "file", &[b'a'; 5000]);
    let reader = root.file("file").expect("there");
    assert!(reader.descriptor().is_some());
    let map = Map::of(&*reader, 5000).expect("it maps");
    assert_eq!(*map, [b'a'; 5000]);
    put(&*file, b"b", 4999);
    put(&*file, b"more", 5000);
    assert_eq!(map[4998..], *b"ab");
    let longer = Map::of(&*reader, 5004).expect("it maps");
    assert_eq!(longer[4998..], *b"abmore");
    file.set_len(5000).expect("a cut");
    file.set_len(6000).expect("a hole");
    put(&*file, b"end", 5997);
    let whole = Map::of(&*reader, 6000).expect("it maps");
    assert_eq!(*whole, *read(&*root, "file"));
    root.unlink("file").expect("a file");
    root.sync().expect("a sync");
    assert_eq!(whole[5997..], *b"end", "what is mapped lives on");
}

#[test]
fn shared_blocks_are_shown() {
    let disk = SimulatedDisk::new().with_mappings();
    let root = disk.root();
    let source = synced(&*root, "source", &[b'a'; 600]);
    source.set_len(2000).expect("a hole");
    let target = synced(&*root, "target", &[b'b'; 6000]);
    let _shown = target.descriptor().expect("mapped");
    assert!(target.clone_of(&*source).expect("one disk"));
    let map = Map::of(&*target, 2000).expect("it maps");
    assert_eq!(*map, *read(&*root, "source"));
    assert_eq!(map[600..], [0; 1400], "a hole");
    assert!(Map::of(&*target, 2001).is_err());
}

#[test]
fn disks_made_of_it_have_mappings_of_their_own() {
    let disk = SimulatedDisk::new().with_mappings();
    let root = disk.root();
    let file = synced(&*root, "file", b"old");
    let map = Map::of(&*file, 3).expect("it maps");
    for other in [disk.copy(), disk.after(Model::PowerCut, 1)] {
        let file = other.root().edit("file").expect("there");
        let theirs = Map::of(&*file, 3).expect("it maps");
        assert!(file.descriptor().is_some());
        put(&*file, b"new", 0);
        assert_eq!((&*map, &*theirs), (&b"old"[..], &b"new"[..]));
    }
}

#[test]
fn without_asking_there_is_nothing_to_map() {
    let disk = SimulatedDisk::new();
    let file = synced(&*disk.root(), "file", b"bytes");
    assert!(file.descriptor().is_none());
}

#[test]
fn no_two_disks_have_a_file_of_one_inode() {
    let inode = |disk: &SimulatedDisk| {
        let root = disk.root();
        let found = root.stat("file").expect("there").1.inode;
        let open = root
            .file("file")
            .expect("there")
            .stat()
            .expect("open")
            .inode;
        assert_eq!(found, open);
        found
    };
    let disk = SimulatedDisk::new();
    let _file = synced(&*disk.root(), "file", b"");
    let other = SimulatedDisk::new();
    let _file = synced(&*other.root(), "file", b"");
    let inodes = [inode(&disk), inode(&other), inode(&disk.copy())];
    assert_eq!(std::collections::BTreeSet::from(inodes).len(), 3);
    assert_eq!(inode(&disk), inodes[0]);
}

#[test]
fn a_log_reads_the_same_with_and_without() {
    let plain = SimulatedDisk::new();
    let mapped = SimulatedDisk::new().with_mappings();
    let [one, other] = [plain, mapped].map(|disk| {
        let log = Log::open_in(disk.root(), Config::default(), &environment()).expect("it opens");
        for payload in [&b"one"[..], b"two", b"three"] {
            log.append(&[Entry::new(payload).at(1)]).expect("appended");
            log.roll().expect("a new segment");
        }
        let kept = payloads(&log);
        log.truncate(1).expect("a cut");
        log.append(&[Entry::new(b"four").at(1)]).expect("appended");
        (kept, payloads(&log))
    });
    assert_eq!(one, other);
    assert_eq!(one.1, [&b"one"[..], b"four"]);
}

fn payloads(log: &Log) -> Vec<Vec<u8>> {
    let mut records = log.read(0, Bound::Tail).expect("in bounds");
    let mut payloads = Vec::new();
    while let Some(record) = records.next().expect("sound") {
        payloads.push(record.payload().to_vec());
    }
    payloads
}

/// A clock that stands still, and no thread.
fn environment() -> Environment {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(1_000_000));
    Environment {
        background: Background::manual(Arc::clone(&clock)),
        clock,
        ..Environment::default()
    }
}
