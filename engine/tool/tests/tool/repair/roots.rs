//! A whole data directory, and a shard in one.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ondisk::FeatureLevels;
use ondisk::felix::{RunPhase, RunState};
use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use crate::directories::{copy, copy_into, fixture};
use crate::run::ondisk;
use crate::untouched::listing;

/// A data directory with a damaged shard in it.
fn root(damage: &str) -> (TempDir, PathBuf) {
    let root = copy(&fixture("clean/data-root"));
    let shard = root.path().join("acme_default_torn_0-0000000000000000");
    fs::create_dir(&shard).expect("a shard");
    copy_into(&fixture(damage), &shard);
    run_state(root.path(), RunPhase::Stopped);
    (root, shard)
}

fn run_state(root: &Path, state: RunPhase) {
    let id = fs::read(root.join("storage-id")).expect("an id");
    let mut bytes = Vec::new();
    RunState {
        state,
        flags: 0,
        id: id[8..24].try_into().expect("16 bytes"),
    }
    .encode(RunState::write_version(&FeatureLevels::NONE), &mut bytes)
    .expect("a run state");
    fs::write(root.join("run-state"), bytes).expect("a file");
}

/// As if nobody had written there for an hour.
fn age(directory: &Path) {
    let then = SystemTime::now() - Duration::from_secs(3600);
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            age(&path);
        } else {
            let file = File::options().write(true).open(path).expect("a file");
            file.set_times(FileTimes::new().set_modified(then))
                .expect("a time");
        }
    }
}

#[test]
fn one_of_many_shards() {
    let (root, shard) = root("damaged/unfinished-roll");
    let name = shard.file_name().expect("a name").to_str().expect("text");
    let id = fs::read(root.path().join("storage-id")).expect("an id");
    let before = ondisk(["verify", "--json"]).on(root.path()).run();
    assert_eq!(before.exit, 1, "{}", before.text());
    let said = ondisk(["repair", "--json", "--yes"]).on(root.path()).run();
    let found = said.json();
    assert_eq!(said.exit, 0, "{}", said.text());
    for (path, shard) in found["shards"].as_object().expect("shards") {
        let became = if path == name {
            "done"
        } else {
            "nothing to do"
        };
        assert_eq!(shard["repair"]["became"], became, "{path}");
    }
    assert!(found["new_storage_id"].is_null());
    assert_eq!(fs::read(root.path().join("storage-id")).expect("an id"), id);
    assert_eq!(ondisk(["verify"]).on(root.path()).run().exit, 0);
    let words = ondisk(["repair", "--yes"]).on(root.path()).run();
    assert!(
        words.exit == 0 && words.text().contains("nothing to repair"),
        "{}",
        words.text()
    );
}

/// Whether the root is named or the shard in it.
#[test]
fn a_loss_gives_the_data_directory_a_new_storage_id() {
    for whole in [true, false] {
        let (root, shard) = root("damaged/short-of-mark");
        let before = fs::read(root.path().join("storage-id")).expect("an id");
        let on = if whole { root.path() } else { &shard };
        let said = ondisk(["repair", "--yes"]).on(on).run();
        assert_eq!(said.exit, 0, "{}{}", said.text(), said.err);
        assert!(
            said.text().contains("write a new storage-id"),
            "{}",
            said.text()
        );
        let after = fs::read(root.path().join("storage-id")).expect("an id");
        assert_ne!(before[8..24], after[8..24]);
        assert_eq!(ondisk(["verify"]).on(root.path()).run().exit, 0);
    }
}

/// A broker that knows no lock.
#[test]
fn a_running_broker_is_not_disturbed() {
    let (root, shard) = root("damaged/unfinished-roll");
    run_state(root.path(), RunPhase::Running);
    let before = listing(root.path());
    for on in [root.path(), &shard] {
        let said = ondisk(["repair", "--yes"]).on(on).run();
        assert_eq!(said.exit, 3, "{}", said.text());
        assert!(
            said.err.contains("run-state says that a broker runs"),
            "{}",
            said.err
        );
        assert_eq!(listing(root.path()), before);
    }
    age(root.path());
    assert_eq!(ondisk(["repair", "--yes"]).on(&shard).run().exit, 0);
    let (root, _) = self::root("damaged/unfinished-roll");
    run_state(root.path(), RunPhase::Running);
    let said = ondisk(["repair", "--yes", "--offline"])
        .on(root.path())
        .run();
    assert_eq!(said.exit, 0, "{}", said.err);
}

#[test]
fn the_lock_of_the_root_counts_for_its_shards() {
    let (root, shard) = root("damaged/unfinished-roll");
    let before = listing(root.path());
    let held = File::open(root.path()).expect("the root");
    flock(&held, FlockOperation::LockExclusive).expect("the lock");
    for on in [root.path(), &shard] {
        let said = ondisk(["repair", "--yes"]).on(on).run();
        assert!(
            said.exit == 3 && said.err.contains("locked by"),
            "{}",
            said.err
        );
    }
    assert_eq!(listing(root.path()), before);
}

/// One shard is open elsewhere: the others are repaired all the same.
#[test]
fn a_shard_that_is_open_elsewhere() {
    let (root, shard) = root("damaged/unfinished-roll");
    let name = shard.file_name().expect("a name").to_str().expect("text");
    let held = File::open(&shard).expect("the shard");
    flock(&held, FlockOperation::LockExclusive).expect("the lock");
    let said = ondisk(["repair", "--yes", "--json"]).on(root.path()).run();
    assert_eq!(said.exit, 3, "{}", said.text());
    let found = said.json();
    let why = found["shards"][name]["could_not"].as_str().expect("why");
    assert!(why.contains("locked by"), "{why}");
    let said = ondisk(["repair", "--yes"]).on(root.path()).run();
    assert!(said.text().contains("NOT DONE"), "{}", said.text());
}

/// A file of another build's layout: nothing here is ours to write.
#[test]
fn an_identity_of_another_build_is_left_alone() {
    for (name, exit) in [("storage-id", 1), ("registration", 1)] {
        let (root, shard) = root("damaged/short-of-mark");
        fs::write(root.path().join(name), "another layout").expect("a file");
        let before = listing(root.path());
        for on in [root.path(), &shard] {
            let said = ondisk(["repair", "--yes"]).on(on).run();
            assert_eq!(said.exit, exit, "{}", said.err);
            assert!(said.err.contains("next: "), "{}", said.err);
        }
        assert_eq!(listing(root.path()), before, "{name}");
    }
}
