//! Calls that fail while the power is on.

use ondisk_engine::disk::Replace;
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};

use super::acts::{ACTS, prepared};
use super::{EACCES, EINTR, EIO, EMFILE, ENOSPC, EROFS, errno, put, tree};
use crate::read;

/// The acts that fail when their last call meets this error.
fn hit(number: i32) -> Vec<&'static str> {
    let mut hit = Vec::new();
    for (name, act) in ACTS {
        let disk = prepared();
        act(&*disk.copy().root()).expect("without a fault it is done");
        let calls = {
            let copy = disk.copy();
            act(&*copy.root()).expect("without a fault it is done");
            copy.calls()
        };
        disk.arm(Some(Fault::Fails {
            at: calls - 1,
            errno: number,
            for_good: false,
        }));
        let before = disk.fingerprint();
        let done = act(&*disk.root());
        assert_eq!(disk.struck(), u64::from(done.is_err()), "{name}");
        if let Err(error) = done {
            assert_eq!(error.raw_os_error(), Some(number), "{name}");
            let is_there = name == "create directory";
            assert_eq!(disk.fingerprint() == before, !is_there, "{name}");
            hit.push(name);
        }
        disk.arm(None);
        assert_eq!(disk.calls(), calls, "{name}: it is counted");
    }
    hit
}

#[test]
fn each_error_hits_what_it_can_hit() {
    let all: Vec<&str> = ACTS.iter().map(|act| act.0).collect();
    assert_eq!(hit(EIO), all);
    assert_eq!(hit(EACCES), all);
    let opens = [
        "open",
        "edit",
        "open directory",
        "create",
        "create directory",
        "list",
        "lock",
    ];
    assert_eq!(hit(EMFILE), opens);
    let interrupted = [
        "open",
        "edit",
        "open directory",
        "create",
        "create directory",
        "sync directory",
        "list",
        "lock",
        "read",
        "write",
        "sync",
    ];
    assert_eq!(hit(EINTR), interrupted);
    assert_eq!(
        hit(ENOSPC),
        ["create", "write", "lengthen", "allocate", "share"]
    );
    let changes = [
        "edit",
        "create",
        "rename",
        "unlink",
        "remove directory",
        "sync directory",
        "write",
        "lengthen",
        "cut",
        "sync",
        "allocate",
        "share",
        "owner",
    ];
    assert_eq!(hit(EROFS), changes);
}

fn for_good(disk: &SimulatedDisk, errno: i32) {
    disk.arm(Some(Fault::Fails {
        at: disk.calls(),
        errno,
        for_good: true,
    }));
}

#[test]
fn a_full_disk_takes_nothing_more_and_keeps_what_it_has() {
    let disk = prepared();
    let root = disk.root();
    let file = root.edit("file").expect("there");
    put(&*file, b"x", 0);
    for_good(&disk, ENOSPC);
    for _ in 0..2 {
        assert_eq!(errno(root.create("new")), Some(ENOSPC));
        assert_eq!(errno(root.create_directory("new")), Some(ENOSPC));
        assert_eq!(errno(file.write_at(b"y", 0)), Some(ENOSPC));
        assert_eq!(errno(file.allocate(100)), Some(ENOSPC));
        assert_eq!(errno(file.set_len(100)), Some(ENOSPC));
    }
    file.sync_data().expect("it has room");
    file.set_len(2).expect("that frees some");
    assert_eq!(read(&*root, "file"), b"x2");
    root.rename("file", &*root, "other", Replace::Yes)
        .expect("no room");
    root.unlink("other").expect("a file");
    root.sync().expect("a sync");
}

#[test]
fn a_disk_that_is_read_only_is_read() {
    let disk = prepared();
    let root = disk.root();
    let file = root.edit("file").expect("there");
    put(&*file, b"x", 0);
    for_good(&disk, EROFS);
    for _ in 0..2 {
        assert_eq!(errno(root.create("new")), Some(EROFS));
        assert_eq!(errno(root.unlink("file")), Some(EROFS));
        assert_eq!(errno(file.write_at(b"y", 0)), Some(EROFS));
        assert_eq!(errno(file.sync_data()), Some(EROFS));
        assert_eq!(errno(root.edit("file")), Some(EROFS));
    }
    assert_eq!(read(&*root, "file"), b"x234");
    assert_eq!(root.entries().expect("it lists").len(), 3);
}

#[test]
fn without_descriptors_what_is_open_goes_on() {
    let disk = prepared();
    let root = disk.root();
    let file = root.edit("file").expect("there");
    for_good(&disk, EMFILE);
    for _ in 0..2 {
        assert_eq!(errno(root.file("file")), Some(EMFILE));
        assert_eq!(errno(root.create("new")), Some(EMFILE));
        assert_eq!(errno(root.directory("inner")), Some(EMFILE));
        assert_eq!(errno(root.lock()), Some(EMFILE));
    }
    put(&*file, b"x", 0);
    file.sync_data().expect("a sync");
    root.stat("file").expect("there");
    root.unlink("file").expect("a file");
    assert_eq!(errno(root.create_directory("new")), Some(EMFILE));
    root.stat("new").expect("created, and not opened");
}

#[test]
fn a_broken_file_fails_in_all_and_the_others_in_nothing() {
    let disk = prepared();
    let root = disk.root();
    let (file, other) = (
        root.edit("file").expect("there"),
        root.edit("other").expect("there"),
    );
    for_good(&disk, EIO);
    for _ in 0..2 {
        assert_eq!(errno(file.read_at(&mut [0], 0)), Some(EIO));
        assert_eq!(errno(file.write_at(b"x", 0)), Some(EIO));
        assert_eq!(errno(file.sync_data()), Some(EIO));
        assert_eq!(errno(file.stat()), Some(EIO));
        assert_eq!(errno(root.file("file")), Some(EIO));
    }
    put(&*other, b"x", 0);
    other.sync_data().expect("another file");
    let _file = root.create("new").expect("free");
    root.sync().expect("the directory is sound");
    disk.arm(None);
    file.sync_data().expect("it is well again");
    for_good(&disk, EIO);
    assert_eq!(errno(other.sync_data()), Some(EIO), "another one now");
    assert_eq!(errno(other.sync_data()), Some(EIO));
    file.sync_data().expect("it is well");
}

#[test]
fn a_broken_directory_fails_in_all_and_its_files_in_nothing() {
    let disk = prepared();
    let root = disk.root();
    let inner = root.directory("inner").expect("there");
    let file = root.edit("file").expect("there");
    for_good(&disk, EIO);
    for _ in 0..2 {
        assert_eq!(errno(root.sync()), Some(EIO));
        assert_eq!(errno(root.create("new")), Some(EIO));
        assert_eq!(errno(root.entries()), Some(EIO));
        assert_eq!(errno(root.unlink("file")), Some(EIO));
        let moved = inner.rename("x", &*root, "x", Replace::No);
        assert_eq!(errno(moved), Some(EIO));
    }
    put(&*file, b"x", 0);
    file.sync_data().expect("a file");
    let _file = inner.create("new").expect("another directory");
}

#[test]
fn any_other_error_stays_with_its_kind_of_call() {
    let disk = prepared();
    let root = disk.root();
    for_good(&disk, EACCES);
    assert_eq!(errno(root.unlink("file")), Some(EACCES));
    assert_eq!(errno(root.unlink("other")), Some(EACCES));
    let _file = root.create("new").expect("free");
    root.sync().expect("a sync");
}

#[test]
fn an_interruption_is_over_when_it_is_tried_again() {
    let disk = prepared();
    let file = disk.root().edit("file").expect("there");
    for_good(&disk, EINTR);
    assert_eq!(errno(file.write_at(b"x", 0)), Some(EINTR));
    // Which this does by itself.
    put(&*file, b"x", 0);
    file.sync_data().expect("a sync");
    assert_eq!(disk.struck(), 1);
}

#[test]
fn an_error_for_good_begins_where_it_can_hit() {
    let disk = prepared();
    let root = disk.root();
    for_good(&disk, ENOSPC);
    assert_eq!(tree(&*root).len(), 3);
    assert_eq!(disk.struck(), 0);
    assert_eq!(errno(root.create("new")), Some(ENOSPC));
}

#[test]
fn a_short_call_does_the_first_half() {
    let disk = prepared();
    let root = disk.root();
    let file = root.edit("file").expect("there");
    let next = |disk: &SimulatedDisk| disk.arm(Some(Fault::Short { at: disk.calls() }));
    next(&disk);
    assert_eq!(file.write_at(b"abcde", 1).expect("room"), 2);
    assert_eq!(read(&*root, "file"), b"1ab4");
    next(&disk);
    let mut buffer = [b'-'; 4];
    assert_eq!(file.read_at(&mut buffer, 0).expect("bytes"), 2);
    assert_eq!(&buffer, b"1a--");
    next(&disk);
    assert_eq!(
        file.write_at(b"z", 0).expect("room"),
        1,
        "not less than a byte"
    );
    next(&disk);
    put(&*file, b"rest", 0);
    assert_eq!(read(&*root, "file"), b"rest");
    next(&disk);
    file.sync_data().expect("there is no half of it");
    assert_eq!(disk.struck(), 3);
}
