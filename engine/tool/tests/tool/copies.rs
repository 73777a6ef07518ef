//! Copies: what is sound arrives whole, what is damaged does not, and the original is only read.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::directories::{copy, fixture, fixtures};
use crate::run::{Said, ondisk};
use crate::untouched::listing;

fn copied(flags: &[&str], source: &Path, target: &Path) -> Said {
    ondisk(["copy"])
        .with(flags.iter().copied())
        .on(source)
        .on(target)
        .run()
}

fn records(shard: &Path) -> Vec<String> {
    let said = ondisk(["read", "--format", "json"]).on(shard).run();
    assert_eq!(said.exit, 0, "{}", said.err);
    said.text().lines().map(str::to_owned).collect()
}

#[test]
fn every_fixture() {
    let (mut whole, mut refused) = (0, 0);
    for fixture in fixtures() {
        let (name, is_root) = (&fixture.name, fixture.expected["kind"] == "root");
        let original = copy(&fixture.directory);
        let before = listing(original.path());
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("copy");
        let flags = [
            "--unflushed",
            "--as",
            if is_root { "root" } else { "shard" },
        ];
        let said = copied(&flags, original.path(), &target);
        assert_eq!(listing(original.path()), before, "{name}");
        let verified = ondisk(["verify", flags[1], flags[2]])
            .on(original.path())
            .run();
        match said.exit {
            0 => {
                whole += 1;
                assert!(said.text().contains("SOUND"), "{name}: {}", said.text());
                let fresh = fs::read_dir(&target).expect("the copy").count() == 0;
                if !is_root && !fresh {
                    assert_eq!(records(&target), records(original.path()), "{name}");
                }
            }
            1 => {
                refused += 1;
                assert_eq!(verified.exit, 1, "{name}: only what is damaged is refused");
                assert_eq!(
                    fs::read_dir(&target).expect("the target").count(),
                    0,
                    "{name}"
                );
                assert!(said.err.contains("next: "), "{}", said.err);
            }
            exit => panic!("{name}: {exit}: {}", said.err),
        }
    }
    assert!(whole > 50 && refused > 20, "{whole}, {refused}");
}

/// Sidecars too, and nothing is shared that is written.
#[test]
fn a_copy_is_a_log_of_its_own() {
    for name in [
        "clean/sidecars",
        "clean/producers",
        "clean/epochs-513",
        "clean/ballot-given-up",
    ] {
        let original = copy(&fixture(name));
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("copy");
        assert_eq!(
            copied(&["--unflushed"], original.path(), &target).exit,
            0,
            "{name}"
        );
        let state = |path: &Path| {
            let inspected = ondisk(["inspect", "--json"]).on(path).run();
            inspected.json()["state"].clone()
        };
        let (mut there, mut here) = (state(original.path()), state(&target));
        for state in [&mut there, &mut here] {
            // A history that is longer than what is written is cut when it is.
            if let Some(epochs) = state["epochs"].as_array_mut() {
                let surplus = epochs.len().saturating_sub(512);
                epochs.drain(..surplus);
            }
        }
        assert_eq!(there, here, "{name}");
        let before = listing(original.path());
        let said = ondisk(["append", "--force"])
            .on(&target)
            .fed("more\n")
            .run();
        assert_eq!(said.exit, 0, "{name}: {}", said.err);
        assert_eq!(listing(original.path()), before, "{name}");
    }
}

#[test]
fn a_data_directory_becomes_another_one() {
    let original = copy(&fixture("clean/data-root"));
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("copy");
    let said = copied(&[], original.path(), &target);
    assert_eq!(said.exit, 0, "{}{}", said.text(), said.err);
    let id = |root: &Path| fs::read(root.join("storage-id")).expect("an id");
    assert_ne!(id(original.path()), id(&target));
    for absent in ["run-state", "registration", "node-id"] {
        assert!(!target.join(absent).exists(), "{absent}");
    }
    let shards = |root: &Path| {
        let found = ondisk(["verify", "--json"]).on(root).run().json();
        let shards = found["shards"].as_object().expect("shards").clone();
        shards
            .into_iter()
            .map(|(path, shard)| (path, shard["tail"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(shards(original.path()), shards(&target));
}

#[test]
fn where_no_copy_goes() {
    let original = copy(&fixture("clean/sidecars"));
    let before = listing(original.path());
    let folder = tempfile::tempdir().expect("a folder");
    let full = folder.path().join("full");
    fs::create_dir(&full).expect("a folder");
    fs::write(full.join("notes.txt"), "mine").expect("a file");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(original.path(), &link).expect("a link");
    for target in [
        full.clone(),
        full.join("notes.txt"),
        original.path().to_owned(),
        original.path().join("inside"),
        link.join("inside"),
    ] {
        let said = copied(&[], original.path(), &target);
        assert_eq!(said.exit, 2, "{}: {}", target.display(), said.err);
    }
    assert_eq!(fs::read(full.join("notes.txt")).expect("a file"), b"mine");
    assert_eq!(listing(original.path()), before);
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    assert_eq!(copied(&[], original.path(), &empty).exit, 0);
}

/// Another process writes there: what it has flushed is copied, its lock is no matter.
#[test]
fn a_log_at_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let (shard, target) = (folder.path().join("shard"), folder.path().join("copy"));
    let mut writer = Command::new(env!("CARGO_BIN_EXE_ondisk"))
        .args(["append", "--fsync", "on-commit"])
        .arg(&shard)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tool starts");
    let mut input = writer.stdin.take().expect("its input");
    writeln!(input, "one")
        .and_then(|()| input.flush())
        .expect("a line");
    let follow = || {
        let mut reader = Command::new(env!("CARGO_BIN_EXE_ondisk"))
            .args(["read", "--follow", "--count", "2"])
            .arg(&shard)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the tool starts");
        let mut lines = BufReader::new(reader.stdout.take().expect("its output")).lines();
        (lines.next().is_some(), reader, lines)
    };
    // The shard may not be there yet.
    let (mut reader, mut lines) = loop {
        let (is_there, reader, lines) = follow();
        if is_there {
            break (reader, lines);
        }
    };
    // The first is flushed before the second is read.
    writeln!(input, "two")
        .and_then(|()| input.flush())
        .expect("a line");
    assert_eq!(lines.next().expect("a line").expect("text"), "two");
    reader.wait().expect("it ends");
    let said = copied(&[], &shard, &target);
    assert_eq!(said.exit, 0, "{}{}", said.text(), said.err);
    let read = ondisk(["read"]).on(&target).run().text();
    assert!(read.starts_with("one\n"), "{read}");
    drop(input);
    assert!(writer.wait().expect("it ends").success());
}
