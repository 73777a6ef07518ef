//! Which shard is meant.

use std::fs;
use std::path::Path;

use ondisk::felix::name::ShardKey;

use crate::directories::{copy, fixture};
use crate::run::{Said, ondisk};
use crate::untouched::listing;

fn append(root: &Path, flags: &[&str], input: &str) -> Said {
    ondisk(["append"])
        .with(flags.iter().copied())
        .on(root)
        .fed(input)
        .run()
}

fn read(root: &Path, flags: &[&str]) -> Said {
    ondisk(["read"]).with(flags.iter().copied()).on(root).run()
}

#[test]
fn a_key_makes_the_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("not/there/yet");
    for (key, parts) in [
        ("acme/default/orders/0", ("acme", "default", "orders", 0)),
        ("a%2Fb/%25/gr%C3%B6%C3%9Fe/7", ("a/b", "%", "größe", 7)),
        ("//orders/1", ("", "", "orders", 1)),
    ] {
        let said = append(&root, &["--shard", key], "hello\n");
        assert_eq!(said.exit, 0, "{}", said.err);
        let name = ShardKey::new(parts.0, parts.1, parts.2, parts.3).directory_name(0);
        assert!(root.join(&name).is_dir(), "{name}");
        assert_eq!(read(&root, &["--shard", key]).text(), "hello\n");
        assert_eq!(read(&root, &["--dir", &name]).text(), "hello\n");
        assert_eq!(read(&root.join(&name), &[]).text(), "hello\n");
        let said = append(&root.join(&name), &[], "again\n");
        assert_eq!(said.exit, 0, "{}", said.err);
        assert_eq!(read(&root, &["--shard", key]).text(), "hello\nagain\n");
    }
    assert_eq!(ondisk(["verify"]).on(&root).run().exit, 0);
}

/// The directory of a later incarnation is the shard's; of two, one has to be named.
#[test]
fn incarnations() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = ShardKey::new("acme", "default", "orders", 0);
    let names = [3, 5].map(|incarnation| key.directory_name(incarnation));
    let first = append(folder.path(), &["--dir", &names[0]], "three\n");
    assert_eq!(first.exit, 0, "{}", first.err);
    let flags = ["--shard", "acme/default/orders/0"];
    assert_eq!(append(folder.path(), &flags, "more\n").exit, 0);
    assert_eq!(read(folder.path(), &flags).text(), "three\nmore\n");
    assert_eq!(
        append(folder.path(), &["--dir", &names[1]], "five\n").exit,
        0
    );
    for said in [
        read(folder.path(), &flags),
        append(folder.path(), &flags, "x\n"),
    ] {
        assert!(said.exit == 2 && said.err.contains("--dir"), "{}", said.err);
    }
}

#[test]
fn the_shards_of_a_data_directory_that_is_there() {
    let root = copy(&fixture("clean/data-root"));
    let before = listing(root.path());
    for (flags, exit) in [
        (
            &[
                "--dir",
                "counters/acme_default_profiles_0-4427995b777ddf41",
                "--format",
                "json",
            ][..],
            0,
        ),
        (
            &["--shard", "acme/default/orders/0", "--format", "base64"],
            0,
        ),
        (&["--shard", "acme/default/nothing/0"], 3),
        (&["--dir", "counters/nothing"], 3),
        (&["--dir", "../elsewhere"], 2),
        (&["--dir", "/etc"], 2),
        (&["--dir", "a/b/c"], 2),
        (&["--dir", "streams/x"], 2),
        (&["--shard", "acme/default/orders"], 2),
        (&["--shard", "acme/default/orders/0", "--dir", "x"], 2),
        (&[], 2),
    ] {
        let said = read(root.path(), flags);
        assert_eq!(said.exit, exit, "{flags:?}: {}", said.err);
    }
    assert_eq!(listing(root.path()), before, "reading changes nothing");
}

#[test]
fn what_is_none_of_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("notes.txt"), "").expect("a file");
    for flags in [
        &[][..],
        &["--shard", "a/b/c/0"],
        &["--dir", "a_b_c_0-0000000000000000"],
    ] {
        let said = append(folder.path(), flags, "x\n");
        assert!(
            said.exit == 2 && said.err.contains("--force"),
            "{}",
            said.err
        );
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    let said = append(folder.path(), &["--shard", "a/b/c/0", "--force"], "x\n");
    assert_eq!(said.exit, 0, "{}", said.err);
    let said = append(
        folder.path(),
        &["--dir", "no-name-of-a-shard", "--force"],
        "x\n",
    );
    assert_eq!(said.exit, 2, "{}", said.err);
}
