//! What a failed sync leaves.

use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::simulated::SimulatedDisk;

use super::{EINTR, EIO, disk, errno, fail_next, put, rename, seen, synced, tree, trees};
use crate::{read, write};

#[test]
fn pages_are_dropped_and_the_next_sync_does_not_bring_them() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"old");
    put(&*file, b"new", 0);
    fail_next(&disk, EIO);
    assert_eq!(errno(file.sync_data()), Some(EIO));
    assert_eq!(read(&*root, "file"), b"new", "readers go on to see them");
    file.sync_data().expect("nothing is dirty");
    assert!(disk.is_dirty());
    let found = seen(&disk, |root| read(root, "file"));
    assert_eq!(found, [b"old".to_vec(), b"new".to_vec()].into());
}

#[test]
fn a_page_that_is_written_again_is_brought() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &[b'o'; 1024]);
    put(&*file, &[b'n'; 1024], 0);
    fail_next(&disk, EIO);
    assert!(file.sync_data().is_err());
    // The same bytes, but of the first sector only.
    put(&*file, &[b'n'; 512], 0);
    file.sync_data().expect("a sync");
    let found = seen(&disk, |root| read(root, "file"));
    let second = |byte| [vec![b'n'; 512], vec![byte; 512]].concat();
    assert_eq!(found, [second(b'o'), second(b'n')].into());
    put(&*file, b"x", 512);
    file.sync_data().expect("a sync");
    assert!(!disk.is_dirty());
}

#[test]
fn the_length_is_not_dropped() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"");
    put(&*file, b"new", 0);
    fail_next(&disk, EIO);
    assert!(file.sync_data().is_err());
    file.sync_data().expect("a sync");
    let found = seen(&disk, |root| read(root, "file"));
    assert_eq!(found, [b"\0\0\0".to_vec(), b"new".to_vec()].into());
}

#[test]
fn what_is_written_behind_a_dropped_page_is_brought_without_it() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"");
    put(&*file, &[b'a'; 512], 0);
    fail_next(&disk, EIO);
    assert!(file.sync_data().is_err());
    put(&*file, b"b", 512);
    file.sync_data().expect("a sync");
    let found = seen(&disk, |root| read(root, "file"));
    let with = |first| [vec![first; 512], vec![b'b']].concat();
    assert_eq!(found, [with(0), with(b'a')].into());
}

#[test]
fn a_cut_drops_what_was_dropped_behind_it() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"");
    put(&*file, &[b'a'; 1024], 0);
    fail_next(&disk, EIO);
    assert!(file.sync_data().is_err());
    file.set_len(0).expect("a cut");
    file.sync_data().expect("a sync");
    assert!(!disk.is_dirty());
    assert_eq!(seen(&disk, tree), trees([&["file="]]));
}

#[test]
fn an_interrupted_sync_drops_nothing() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"old");
    put(&*file, b"new", 0);
    let _name = root.create("name").expect("free");
    fail_next(&disk, EINTR);
    assert_eq!(errno(file.sync_data()), Some(EINTR));
    file.sync_data().expect("a sync");
    fail_next(&disk, EINTR);
    assert_eq!(errno(root.sync()), Some(EINTR));
    root.sync().expect("a sync");
    assert_eq!(seen(&disk, tree), trees([&["file=new", "name="]]));
}

#[test]
fn names_are_not_dropped() {
    let (disk, root) = disk();
    let _file = synced(&*root, "old", b"");
    let _file = root.create("created").expect("free");
    root.unlink("old").expect("a file");
    fail_next(&disk, EIO);
    assert_eq!(errno(root.sync()), Some(EIO));
    assert_eq!(tree(&*root), ["created="], "readers see them");
    let expected = trees([&["created="], &["created=", "old="], &[], &["old="]]);
    assert_eq!(seen(&disk, tree), expected);
    root.sync().expect("a sync");
    assert_eq!(seen(&disk, tree), trees([&["created="]]));
}

#[test]
fn without_a_journal_names_are_dropped_as_well() {
    let (disk, root) = forgetful();
    let _file = synced(&*root, "old", b"");
    let _file = root.create("created").expect("free");
    root.unlink("old").expect("a file");
    fail_next(&disk, EIO);
    assert_eq!(errno(root.sync()), Some(EIO));
    assert_eq!(tree(&*root), ["created="], "readers go on to see them");
    root.sync().expect("nothing is dirty");
    let _file = root.create("later").expect("free");
    root.sync().expect("a sync");
    assert!(disk.is_dirty());
    let expected = trees([
        &["created=", "later="],
        &["created=", "later=", "old="],
        &["later="],
        &["later=", "old="],
    ]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn names_that_are_changed_again_are_brought_with_all_that_they_rest_on() {
    let (disk, root) = forgetful();
    let _file = synced(&*root, "file", b"old");
    let new = write(&*root, "tmp", b"new");
    new.sync_data().expect("a sync");
    let _other = root.create("other").expect("free");
    fail_next(&disk, EIO);
    assert!(root.sync().is_err());
    // The file is another one, under a name that was dropped.
    rename(&*root, "tmp", "file");
    root.sync().expect("a sync");
    let expected = trees([&["file=new"], &["file=new", "other="]]);
    assert_eq!(seen(&disk, tree), expected);
    root.unlink("other").expect("a file");
    root.sync().expect("a sync");
    assert!(!disk.is_dirty());
    assert_eq!(seen(&disk, tree), trees([&["file=new"]]));
}

#[test]
fn a_half_of_a_move_is_dropped_for_itself() {
    let (disk, root) = forgetful();
    let source = root.create_directory("s").expect("free");
    let target = root.create_directory("t").expect("free");
    root.sync().expect("a sync");
    let _file = synced(&*source, "f", b"");
    let no = ondisk_engine::disk::Replace::No;
    source.rename("f", &*target, "g", no).expect("free");
    fail_next(&disk, EIO);
    assert!(target.sync().is_err());
    source.sync().expect("a sync");
    target.sync().expect("a sync");
    let expected = trees([&["s/", "t/"], &["s/", "t/", "t/g="]]);
    assert_eq!(seen(&disk, tree), expected);
}

/// A disk whose directories forget.
fn forgetful() -> (SimulatedDisk, Arc<dyn Directory>) {
    let disk = SimulatedDisk::new().with_forgetful_directories();
    let root = disk.root();
    (disk, root)
}
