//! Nothing that is looked at is changed: nothing created, nothing written, nothing needed but reading.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use crate::directories::{copy, fixture};
use crate::run::ondisk;

const COMMANDS: [&[&str]; 6] = [
    &["verify"],
    &["verify", "--json"],
    &["verify", "--as-open"],
    &["inspect"],
    &["inspect", "--json"],
    &["inspect", "--hex"],
];

/// Everything below a directory, with what a change would change.
pub(crate) fn listing(directory: &Path) -> BTreeMap<PathBuf, (u64, u64, i64, i64, u32)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        let metadata = fs::symlink_metadata(&folder).expect("a folder");
        found.insert(
            folder.clone(),
            (
                metadata.ino(),
                metadata.len(),
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.mode(),
            ),
        );
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("an entry").path();
            let metadata = fs::symlink_metadata(&path).expect("an entry");
            if metadata.is_dir() {
                folders.push(path);
            } else {
                found.insert(
                    path,
                    (
                        metadata.ino(),
                        metadata.len(),
                        metadata.mtime(),
                        metadata.mtime_nsec(),
                        metadata.mode(),
                    ),
                );
            }
        }
    }
    found
}

#[test]
fn nothing_is_created_or_changed() {
    for name in [
        "damaged/unfinished-roll",
        "damaged/abandoned-headless-long",
        "clean/sidecars",
        "clean/cache-keys",
        "clean/data-root",
    ] {
        let copy = copy(&fixture(name));
        let before = listing(copy.path());
        for command in COMMANDS {
            if command == ["inspect", "--hex"] && name == "clean/data-root" {
                continue;
            }
            ondisk(command.iter().copied()).on(copy.path()).run();
            assert_eq!(listing(copy.path()), before, "{command:?} on {name}");
        }
    }
}

/// For a user who may only read; the tests may run as one who may do anything, so the answers are compared.
#[test]
fn reading_is_all_that_is_needed() {
    let writable = copy(&fixture("damaged/unfinished-roll"));
    let readable = copy(&fixture("damaged/unfinished-roll"));
    let set = |mode: u32, file_mode: u32| {
        for entry in fs::read_dir(readable.path()).expect("the copy can be listed") {
            fs::set_permissions(
                entry.expect("an entry").path(),
                fs::Permissions::from_mode(file_mode),
            )
            .expect("a mode");
        }
        fs::set_permissions(readable.path(), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    set(0o555, 0o444);
    for command in COMMANDS {
        let (one, other) = (
            ondisk(command.iter().copied()).on(writable.path()).run(),
            ondisk(command.iter().copied()).on(readable.path()).run(),
        );
        assert_eq!(one.exit, other.exit, "{command:?}: {}", other.err);
        assert_eq!(one.out.len(), other.out.len(), "{command:?}");
    }
    set(0o755, 0o644);
}

/// A user that owns nothing here and may read nothing that is not open to all.
const NOBODY: u32 = 65534;

/// What may not be read is not known, which is something else than sound or damaged.
#[test]
fn what_may_not_be_read_is_not_known() {
    let probe = std::process::Command::new(env!("CARGO_BIN_EXE_ondisk"))
        .arg("--version")
        .uid(NOBODY)
        .output();
    if !probe.is_ok_and(|output| output.status.success()) {
        return;
    }
    for (name, file) in [
        ("clean/sidecars", "00000000000000000000.log"),
        ("clean/sidecars", "replica"),
        ("clean/sidecars", "epochs"),
        ("clean/sidecars", "durable.mark"),
        ("clean/data-root", "storage-id"),
        ("clean/data-root", "acme_default_orders_0-0d3aed4b998d2798"),
        ("clean/data-root", "."),
    ] {
        let copy = copy(&fixture(name));
        fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
        let closed = copy.path().join(file);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("a mode");
        for command in [
            &["verify"][..],
            &["verify", "--json"],
            &["inspect"],
            &["inspect", "--json"],
        ] {
            let said = ondisk(command.iter().copied())
                .on(copy.path())
                .by_user(NOBODY)
                .run();
            assert_eq!(
                said.exit,
                3,
                "{command:?}, {file}: {}{}",
                said.text(),
                said.err
            );
            let told = said.err + &String::from_utf8_lossy(&said.out);
            assert!(
                told.contains("ermission denied"),
                "{command:?}, {file}: {told}"
            );
        }
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
}
