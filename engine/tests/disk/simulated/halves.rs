//! Moves between directories of which one was synced.

use ondisk_engine::disk::Replace;

use super::{disk, seen, synced, tree, trees};

#[test]
fn a_rename_between_directories_is_one_until_one_of_them_is_synced() {
    let run = |sync_source: bool, sync_target: bool| {
        let (disk, root) = disk();
        let source = root.create_directory("s").expect("free");
        let target = root.create_directory("t").expect("free");
        root.sync().expect("a sync");
        let _file = synced(&*source, "f", b"");
        source
            .rename("f", &*target, "g", Replace::No)
            .expect("free");
        if sync_source {
            source.sync().expect("a sync");
        }
        if sync_target {
            target.sync().expect("a sync");
        }
        seen(&disk, tree)
    };
    let (old, new) = (["s/", "s/f=", "t/"], ["s/", "t/", "t/g="]);
    assert_eq!(run(false, false), trees([&old, &new]));
    assert_eq!(run(true, false), trees([&["s/", "t/"], &new]));
    let both = ["s/", "s/f=", "t/", "t/g="];
    assert_eq!(run(false, true), trees([&both, &new]));
    assert_eq!(run(true, true), trees([&new]));
}

#[test]
fn a_file_that_is_moved_twice_while_the_directory_between_is_synced_may_be_anywhere() {
    let (disk, root) = disk();
    let [a, b] = ["a", "b"].map(|name| root.create_directory(name).expect("free"));
    let _file = synced(&*root, "f", b"");
    root.rename("f", &*a, "f", Replace::No).expect("free");
    a.rename("f", &*b, "f", Replace::No).expect("free");
    a.sync().expect("a sync");
    let expected = trees([
        &["a/", "b/", "f="],
        &["a/", "b/"],
        &["a/", "b/", "b/f=", "f="],
        &["a/", "b/", "b/f="],
    ]);
    assert_eq!(seen(&disk, tree), expected);
    // Also when there is more to be looked at.
    root.create_directory("new").expect("free");
    let found = seen(&disk, |root| {
        let mut tree = tree(root);
        tree.retain(|it| it != "new/");
        tree
    });
    assert_eq!(found, expected);
}

#[test]
fn what_was_moved_into_a_directory_ahead_of_its_own_move_comes_along() {
    let (disk, root) = disk();
    let [p, q] = ["p", "q"].map(|name| root.create_directory(name).expect("free"));
    let inner = p.create_directory("d").expect("free");
    p.sync().expect("a sync");
    let _file = synced(&*root, "f", b"");
    root.rename("f", &*inner, "f", Replace::No).expect("free");
    p.rename("d", &*q, "d", Replace::No).expect("free");
    p.sync().expect("a sync");
    let expected = trees([
        &["f=", "p/", "q/"],
        &["f=", "p/", "q/", "q/d/"],
        &["p/", "q/", "q/d/", "q/d/f="],
    ]);
    assert_eq!(seen(&disk, tree), expected);
}
