//! Sidecars that are stored: read back, whole at any failure, and never through what was planted.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::Arc;

use ondisk::felix::name::Sidecar;
use ondisk::felix::{Ballot, EpochEntry, ManifestEntry, Producer, Producers, Replica};
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, EntryKind, read_exact_at};
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::mark::MarkFile;
use ondisk_engine::felix::sidecar::store::{Durability, replace};
use ondisk_engine::felix::sidecar::{Loaded, ballot, epochs, manifest, mark, producers, replica};

use crate::faulty::Faulty;

fn read(directory: &dyn Directory, name: &str) -> Option<Vec<u8>> {
    let file = directory.file(name).ok()?;
    let mut bytes = vec![0; usize::try_from(file.stat().ok()?.len).ok()?];
    read_exact_at(&*file, &mut bytes, 0).ok()?;
    Some(bytes)
}

fn look(directory: &Arc<dyn Directory>) -> Shard {
    Shard::look(Arc::clone(directory), None).expect("it lists")
}

#[test]
fn a_failure_leaves_the_old_or_the_new() {
    for durability in [Durability::Synced, Durability::Unsynced] {
        for old in [None, Some(&b"old, and longer"[..])] {
            let mut failures = 0;
            for operations in 0.. {
                let memory = MemoryDirectory::new("shard");
                memory.put("file.tmp", MemoryFile::of(b"left over, and longest of all"));
                if let Some(old) = old {
                    memory.put("file", MemoryFile::of(old));
                }
                let inner: Arc<dyn Directory> = Arc::new(memory);
                let faulty = Faulty::after(operations, Arc::clone(&inner));
                let done = replace(&*faulty.directory, "file", "file.tmp", b"new", durability);
                let found = read(&*inner, "file");
                if done.is_ok() {
                    assert_eq!(found.as_deref(), Some(&b"new"[..]));
                    assert!(read(&*inner, "file.tmp").is_none());
                    break;
                }
                failures += 1;
                let whole = found.as_deref() == old || found.as_deref() == Some(b"new");
                assert!(whole, "{operations}: {found:?}");
                // The next attempt finds nothing in its way.
                replace(&*inner, "file", "file.tmp", b"next", durability).expect("no failure now");
                assert_eq!(read(&*inner, "file").as_deref(), Some(&b"next"[..]));
            }
            // Unlink, create, write, rename; and two syncs.
            let wanted = if durability == Durability::Synced {
                6
            } else {
                4
            };
            assert_eq!(failures, wanted, "{durability:?}");
        }
    }
}

#[test]
fn nothing_planted_is_written_through() {
    let place = tempfile::tempdir().expect("a directory");
    let at = |name: &str| place.path().join(name);
    fs::write(at("victim"), b"victim").expect("a file");
    symlink("victim", at("file.tmp")).expect("a link");
    symlink("victim", at("file")).expect("a link");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    replace(&*directory, "file", "file.tmp", b"new", Durability::Synced).expect("stored");
    assert_eq!(fs::read(at("victim")).expect("untouched"), b"victim");
    assert!(fs::symlink_metadata(at("file")).expect("there").is_file());
    assert_eq!(fs::read(at("file")).expect("stored"), b"new");
    assert!(fs::symlink_metadata(at("file.tmp")).is_err());
}

#[test]
fn a_directory_in_the_way_is_an_error() {
    let memory = MemoryDirectory::new("shard");
    memory.put_directory("file");
    let done = replace(&memory, "file", "file.tmp", b"new", Durability::Synced);
    assert!(done.is_err());
    assert!(
        memory.file("file.tmp").is_err(),
        "the temporary does not stay"
    );
    let place = tempfile::tempdir().expect("a directory");
    fs::create_dir(place.path().join("file")).expect("a directory");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    assert!(replace(&*directory, "file", "file.tmp", b"new", Durability::Synced).is_err());
    assert!(!place.path().join("file.tmp").exists());
}

#[test]
fn the_mode_of_what_is_replaced_stays() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("file");
    fs::write(&path, b"old").expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("ours");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    replace(
        &*directory,
        "file",
        "file.tmp",
        b"new",
        Durability::Unsynced,
    )
    .expect("stored");
    assert_eq!(fs::metadata(&path).expect("there").mode() & 0o777, 0o600);
}

#[test]
fn every_sidecar_is_read_back() {
    let directory: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("shard"));
    let stored = Replica {
        reserved: 1,
        generation: 3,
        commit: 42,
    };
    replica::store(&*directory, &stored).expect("stored");
    assert_eq!(
        replica::load(&look(&directory)).expect("read"),
        Loaded::Sound(stored)
    );
    let stored = Ballot {
        generation: 3,
        leader: "node-a".to_owned(),
    };
    ballot::store(&*directory, &stored).expect("stored");
    assert_eq!(
        ballot::load(&look(&directory)).expect("read"),
        Loaded::Sound(stored)
    );
    let stored = Producers {
        as_of: 9,
        open: None,
        producers: vec![Producer {
            id: 7,
            last_sequence: 2,
            batches: Vec::new(),
        }],
    };
    producers::store(&*directory, &stored).expect("stored");
    let found = producers::load(&look(&directory));
    assert_eq!(
        found.sound().map(|found| (found.version, &found.producers)),
        Some((1, &stored))
    );
    let entries: Vec<EpochEntry> = (1..=600)
        .map(|generation| EpochEntry {
            generation,
            start_offset: generation * 2,
        })
        .collect();
    epochs::store(&*directory, &entries).expect("stored");
    let found = epochs::load(&look(&directory));
    assert_eq!(
        found.sound().map(Vec::as_slice),
        Some(&entries[600 - 512..]),
        "the newest"
    );
    epochs::store(&*directory, &[]).expect("stored");
    assert_eq!(epochs::load(&look(&directory)), Loaded::Sound(Vec::new()));
    for entry in directory.entries().expect("it lists") {
        assert!(!entry.name.to_string_lossy().ends_with(".tmp"), "{entry:?}");
    }
}

#[test]
fn a_manifest_is_stored_by_base_or_not_at_all() {
    let directory: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("shard"));
    let entry = |segment: u64, base_offset: u64, last_offset: u64| ManifestEntry {
        segment,
        base_offset,
        last_offset,
        size: 100,
        oldest_micros: 1,
        newest_micros: 2,
        checksum: 3,
        key: format!("node/shard/{base_offset}"),
    };
    let (first, second) = (entry(0, 0, 4), entry(1, 5, 9));
    manifest::store(&*directory, &[second.clone(), first.clone()]).expect("stored");
    let loaded = || manifest::load(&look(&directory)).expect("read");
    let sorted = Loaded::Sound(vec![first.clone(), second.clone()]);
    assert_eq!(loaded(), sorted);
    assert!(
        manifest::store(&*directory, &[first.clone(), entry(1, 4, 9)]).is_err(),
        "they overlap"
    );
    let too_long = Ballot {
        generation: 1,
        leader: "x".repeat(1025),
    };
    assert!(ballot::store(&*directory, &too_long).is_err());
    assert_eq!(loaded(), sorted, "what was there stays");
    assert_eq!(
        ballot::load(&look(&directory)).expect("read"),
        Loaded::Absent
    );
}

#[test]
fn the_mark_is_written_in_place() {
    let directory: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("shard"));
    let file = MarkFile::open(&*directory);
    assert!(file.is_there());
    let inode = |it: &Arc<dyn Directory>| it.stat("durable.mark").expect("created").1.inode;
    let first = inode(&directory);
    for (segment, bytes) in [(0, 32), (3, 4096), (2, 40)] {
        file.write(segment, bytes).expect("written");
        file.sync().expect("synced");
        let found = mark::load(&look(&directory));
        let found = found.sound().map(|mark| (mark.segment, mark.synced_bytes));
        assert_eq!(found, Some((segment, bytes)));
    }
    assert_eq!(inode(&directory), first);
    let again = MarkFile::open(&*directory);
    again.write(9, 99).expect("written");
    assert_eq!(inode(&directory), first);
    assert_eq!(
        read(&*directory, Sidecar::DurableMark.file_name()).map(|bytes| bytes.len()),
        Some(32)
    );
}

#[test]
fn a_mark_that_is_no_file_is_left_alone() {
    let memory = MemoryDirectory::new("shard");
    memory.put_irregular("durable.mark", EntryKind::Other);
    let file = MarkFile::open(&memory);
    assert!(!file.is_there());
    file.write(1, 100).expect("nothing is written");
    file.sync().expect("nothing is synced");
    assert_eq!(
        memory.stat("durable.mark").expect("left").0,
        EntryKind::Other
    );

    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("victim"), b"victim").expect("a file");
    symlink("victim", place.path().join("durable.mark")).expect("a link");
    let directory = RealDirectory::open(place.path()).expect("it opens");
    MarkFile::open(&*directory)
        .write(1, 100)
        .expect("nothing is written");
    assert_eq!(
        fs::read(place.path().join("victim")).expect("untouched"),
        b"victim"
    );
}

#[test]
fn a_mark_that_cannot_be_had_is_an_error() {
    let faulty = Faulty::after(0, Arc::new(MemoryDirectory::new("shard")));
    let file = MarkFile::open(&*faulty.directory);
    assert!(!file.is_there());
    assert!(file.write(0, 32).is_err() && file.sync().is_err());
}
