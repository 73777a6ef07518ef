//! Which names a power cut may leave.

use std::collections::BTreeSet;

use ondisk_engine::disk::Replace;

use super::{disk, put, rename, seen, synced, tree, trees};
use crate::write;

#[test]
fn a_sync_of_a_file_is_none_of_its_name() {
    let (disk, root) = disk();
    let file = write(&*root, "new", b"bytes");
    file.sync_all().expect("a sync");
    assert_eq!(seen(&disk, tree), trees([&[], &["new=bytes"]]));
}

#[test]
fn a_sync_of_a_directory_is_none_of_its_files() {
    let (disk, root) = disk();
    let _file = write(&*root, "new", b"x");
    root.sync().expect("a sync");
    let expected = trees([&["new="], &["new=\0"], &["new=x"]]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn a_sync_of_a_directory_is_none_of_its_own_name() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    let _file = synced(&*inner, "file", b"x");
    let expected = trees([&[], &["inner/", "inner/file=x"]]);
    assert_eq!(seen(&disk, tree), expected);
    root.sync().expect("a sync");
    assert_eq!(seen(&disk, tree).len(), 1);
}

#[test]
fn each_create_and_unlink_is_kept_or_undone_on_its_own() {
    let (disk, root) = disk();
    for name in ["a", "b"] {
        let _file = synced(&*root, name, b"");
    }
    root.unlink("a").expect("a file");
    root.unlink("b").expect("a file");
    let _file = root.create("c").expect("free");
    let mut expected = BTreeSet::new();
    for a in [true, false] {
        for b in [true, false] {
            for c in [true, false] {
                let there = [(a, "a="), (b, "b="), (c, "c=")];
                let there = there.into_iter().filter(|it| it.0);
                expected.insert(there.map(|it| it.1.to_owned()).collect::<Vec<_>>());
            }
        }
    }
    assert_eq!(seen(&disk, tree), expected);
    root.sync().expect("a sync");
    assert_eq!(seen(&disk, tree), trees([&["c="]]));
}

#[test]
fn a_rename_is_done_whole_or_not_at_all() {
    let (disk, root) = disk();
    let _file = synced(&*root, "old", b"x");
    rename(&*root, "old", "new");
    assert_eq!(seen(&disk, tree), trees([&["old=x"], &["new=x"]]));
    rename(&*root, "new", "newest");
    let expected = trees([&["old=x"], &["new=x"], &["newest=x"]]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn a_file_that_is_replaced_is_there_until_the_rename_is_synced() {
    let (disk, root) = disk();
    let _file = synced(&*root, "file", b"old");
    let new = write(&*root, "tmp", b"new");
    new.sync_data().expect("a sync");
    rename(&*root, "tmp", "file");
    let expected = trees([&["file=old"], &["file=old", "tmp=new"], &["file=new"]]);
    assert_eq!(seen(&disk, tree), expected);
    root.sync().expect("a sync");
    assert_eq!(seen(&disk, tree), trees([&["file=new"]]));
}

#[test]
fn without_a_sync_of_the_file_a_rename_may_put_an_empty_one_in_place() {
    let (disk, root) = disk();
    let _file = synced(&*root, "file", b"old");
    let _new = write(&*root, "tmp", b"new");
    rename(&*root, "tmp", "file");
    root.sync().expect("a sync");
    let expected = trees([&["file="], &["file=\0\0\0"], &["file=new"]]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn a_name_that_is_used_again_is_of_one_file() {
    let (disk, root) = disk();
    let _file = synced(&*root, "file", b"old");
    root.unlink("file").expect("a file");
    let new = write(&*root, "file", b"new");
    new.sync_data().expect("a sync");
    let expected = trees([&["file=old"], &[], &["file=new"]]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn no_file_is_lost_to_a_name_that_it_had() {
    let (disk, root) = disk();
    let _a = synced(&*root, "a", b"1");
    let _b = synced(&*root, "b", b"2");
    for (from, to) in [("a", "tmp"), ("b", "a"), ("tmp", "b")] {
        rename(&*root, from, to);
    }
    let expected = trees([
        &["a=1", "b=2"],
        &["b=2", "tmp=1"],
        &["a=2", "tmp=1"],
        &["a=2", "b=1"],
    ]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn nothing_is_lost_in_a_directory_that_is_not_there() {
    let (disk, root) = disk();
    let _file = synced(&*root, "file", b"x");
    let inner = root.create_directory("inner").expect("free");
    root.rename("file", &*inner, "moved", Replace::No)
        .expect("free");
    let expected = trees([
        &["file=x"],
        &["file=x", "inner/"],
        &["inner/", "inner/moved=x"],
    ]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn nothing_is_lost_with_a_directory_that_it_was_moved_out_of() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    let _file = synced(&*inner, "file", b"x");
    root.sync().expect("a sync");
    inner
        .rename("file", &*root, "moved", Replace::No)
        .expect("free");
    root.remove_directory("inner").expect("empty");
    let expected = trees([
        &["inner/", "inner/file=x"],
        &["inner/", "moved=x"],
        &["moved=x"],
    ]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn nothing_is_lost_in_directories_that_are_moved_into_each_other() {
    let (disk, root) = disk();
    let [a, b] = ["a", "b"].map(|name| root.create_directory(name).expect("free"));
    root.sync().expect("a sync");
    root.rename("a", &*b, "a", Replace::No).expect("free");
    b.rename("a", &*root, "a", Replace::No).expect("free");
    root.rename("b", &*a, "b", Replace::No).expect("free");
    let expected = trees([&["a/", "b/"], &["b/", "b/a/"], &["a/", "a/b/"]]);
    assert_eq!(seen(&disk, tree), expected);
}

#[test]
fn a_name_that_came_and_went_may_be_found() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    root.sync().expect("a sync");
    drop(write(&*inner, "file", b"x"));
    inner.unlink("file").expect("a file");
    root.sync().expect("a sync");
    let found = seen(&disk, tree);
    let whole = ["inner/".to_owned(), "inner/file=x".to_owned()];
    assert!(found.contains(&whole[..]) && found.contains(&whole[..1]));
}

#[test]
fn a_directory_is_moved_with_what_is_in_it() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    let bin = root.create_directory("bin").expect("free");
    let _file = synced(&*inner, "file", b"x");
    root.sync().expect("a sync");
    root.rename("inner", &*bin, "gone", Replace::No)
        .expect("free");
    let expected = trees([
        &["bin/", "inner/", "inner/file=x"],
        &["bin/", "bin/gone/", "bin/gone/file=x"],
    ]);
    assert_eq!(seen(&disk, tree), expected);
    // The handle is of the directory, whatever it is called.
    let file = inner.edit("file").expect("it is there");
    put(&*file, b"y", 0);
    assert_eq!(tree(&*root), ["bin/", "bin/gone/", "bin/gone/file=y"]);
}

#[test]
fn a_directory_that_is_removed_may_come_back_empty_or_not() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    root.sync().expect("a sync");
    let _file = synced(&*inner, "file", b"");
    inner.unlink("file").expect("a file");
    root.remove_directory("inner").expect("empty");
    let expected = trees([&["inner/", "inner/file="], &["inner/"], &[]]);
    assert_eq!(seen(&disk, tree), expected);
    assert!(inner.create("late").is_err(), "it takes no name any more");
    root.sync().expect("a sync");
    assert_eq!(seen(&disk, tree), trees([&[]]));
    assert!(inner.sync().is_ok(), "as long as it is open");
}

#[test]
fn nobody_finds_what_was_done_in_a_directory_that_is_gone() {
    let (disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    drop(write(&*inner, "file", b"x"));
    inner.unlink("file").expect("a file");
    drop(inner);
    root.remove_directory("inner").expect("empty");
    assert!(disk.is_dirty());
    root.sync().expect("a sync");
    assert!(!disk.is_dirty());
}

#[test]
fn a_directory_is_not_moved_below_itself() {
    let (_disk, root) = disk();
    let inner = root.create_directory("inner").expect("free");
    let deep = inner.create_directory("deep").expect("free");
    for into in [&inner, &deep] {
        assert!(root.rename("inner", &**into, "x", Replace::Yes).is_err());
    }
    assert_eq!(tree(&*root), ["inner/", "inner/deep/"]);
}
