//! What a hand must not write, unless it insists.

use std::fs::{self, File};

use rustix::fs::{FlockOperation, flock};

use crate::directories::{copy, fixture, fixtures};
use crate::run::ondisk;
use crate::untouched::listing;

#[test]
fn what_a_broker_writes() {
    for (name, dir, forced) in [
        ("clean/sidecars", None, Some(0)),
        ("clean/ballot-given-up", None, Some(0)),
        ("clean/cache-keys", None, Some(0)),
        (
            "clean/data-root",
            Some("caches/acme_default_flags_3-80b1f81ec6d777a6-0006411a0cd00b11"),
            None,
        ),
        (
            "clean/data-root",
            Some("counters/acme_default_profiles_0-4427995b777ddf41"),
            None,
        ),
    ] {
        let copy = copy(&fixture(name));
        let before = listing(copy.path());
        let flags: Vec<&str> = dir
            .map(|dir| ["--dir", dir])
            .into_iter()
            .flatten()
            .collect();
        let said = ondisk(["append"])
            .with(flags.iter().copied())
            .on(copy.path())
            .fed("x\n")
            .run();
        assert_eq!(said.exit, 2, "{name}, {dir:?}: {}", said.err);
        assert!(said.err.contains("--force"), "{}", said.err);
        assert_eq!(listing(copy.path()), before, "{name}, {dir:?}");
        if let Some(exit) = forced {
            let said = ondisk(["append", "--force"])
                .on(copy.path())
                .fed("x\n")
                .run();
            assert_eq!(said.exit, exit, "{name}: {}", said.err);
        }
    }
}

#[test]
fn a_registered_data_directory() {
    let root = copy(&fixture("clean/data-root"));
    let before = listing(root.path());
    let registered = root.path().join("registration").exists();
    assert!(registered, "the fixture is of a cluster");
    let said = ondisk(["append", "--shard", "acme/default/new/0"])
        .on(root.path())
        .fed("x\n")
        .run();
    assert!(
        said.exit == 2 && said.err.contains("registered"),
        "{}",
        said.err
    );
    assert_eq!(listing(root.path()), before);
    let said = ondisk(["append", "--force", "--shard", "acme/default/new/0"])
        .on(root.path())
        .fed("x\n")
        .run();
    assert_eq!(said.exit, 0, "{}", said.err);
    fs::remove_file(root.path().join("registration")).expect("a file");
    let said = ondisk(["append", "--shard", "acme/default/new/0"])
        .on(root.path())
        .fed("x\n")
        .run();
    assert_eq!(said.exit, 0, "{}", said.err);
}

/// An open repairs what it may; by hand that is for `repair` to ask.
#[test]
fn what_is_damaged() {
    for name in [
        "unfinished-roll",
        "torn-payload",
        "payload-bit-tail",
        "replica-bad-crc",
        "short-of-mark",
    ] {
        let copy = copy(&fixture(&format!("damaged/{name}")));
        let before = listing(copy.path());
        let said = ondisk(["append", "--force"])
            .on(copy.path())
            .fed("x\n")
            .run();
        assert_eq!(said.exit, 1, "{name}: {}", said.err);
        assert!(said.err.contains("next: "), "{}", said.err);
        assert_eq!(listing(copy.path()), before, "{name}");
    }
}

#[test]
fn what_is_locked() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["append", "--shard", "acme/default/orders/0"];
    assert_eq!(ondisk(flags).on(folder.path()).fed("x\n").run().exit, 0);
    let shard = fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.is_dir())
        .expect("a shard");
    for locked in [folder.path(), &shard] {
        let held = File::open(locked).expect("a directory");
        flock(&held, FlockOperation::LockExclusive).expect("the lock");
        let before = listing(folder.path());
        let said = ondisk(flags).on(folder.path()).fed("y\n").run();
        assert!(
            said.exit == 3 && said.err.contains("locked by"),
            "{}",
            said.err
        );
        assert_eq!(listing(folder.path()), before);
        let said = ondisk(["read"]).on(&shard).run();
        assert_eq!(
            (said.exit, said.text().as_str()),
            (0, "x\n"),
            "{}",
            said.err
        );
    }
}

#[test]
fn what_cannot_be_read() {
    for (name, exit) in [
        ("damaged/payload-bit-middle", 1),
        ("damaged/replica-bad-crc", 1),
        ("damaged/missing-middle", 1),
        ("clean/empty", 0),
    ] {
        let copy = copy(&fixture(name));
        let before = listing(copy.path());
        let said = ondisk(["read"]).on(copy.path()).run();
        assert_eq!(said.exit, exit, "{name}: {}", said.err);
        assert_eq!(exit == 0, said.err.is_empty(), "{name}: {}", said.err);
        assert_eq!(listing(copy.path()), before, "{name}");
    }
    let said = ondisk(["read", "--from", "0"])
        .on(fixture("clean/placed-base"))
        .run();
    assert!(
        said.exit == 3 && said.err.contains("oldest"),
        "{}",
        said.err
    );
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(
        ondisk(["read"]).on(folder.path()).run().exit,
        3,
        "there is no log"
    );
}

/// What an open would cut off or take away is not read, nor waited for, and is no reason to look at it again and again.
#[test]
fn what_an_open_would_repair() {
    for fixture in fixtures() {
        if fixture.expected["kind"] == "root" {
            continue;
        }
        let expected = &fixture.expected["open"];
        let said = ondisk(["read", "--format", "base64"])
            .on(&fixture.directory)
            .run();
        let fresh = expected["fresh"] == true;
        let opens = expected["error"].is_null() && !fresh;
        let exits: &[i32] = match (opens, fresh) {
            // Of damage in the middle of a sealed segment an open knows nothing.
            (true, _) if !expected["read_error"].is_null() => &[1],
            (true, _) => &[0],
            (false, true) => &[3],
            // A segment that is no file is an error of the system.
            (false, false) => &[1, 3],
        };
        assert!(exits.contains(&said.exit), "{}: {}", fixture.name, said.err);
        if opens && expected["read_error"].is_null() {
            let records = said.text().lines().count();
            assert_eq!(expected["records"], records, "{}", fixture.name);
        }
    }
}
