//! What is not done, and leaves all as it was.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::{Command, Stdio};

use rustix::fs::{FlockOperation, flock};

use crate::directories::{copy, fixture};
use crate::run::ondisk;
use crate::untouched::listing;

#[test]
fn without_a_terminal_nothing_is_done() {
    let copy = copy(&fixture("damaged/unfinished-roll"));
    let before = listing(copy.path());
    for args in [&["repair"][..], &["repair", "--json"]] {
        let said = ondisk(args.iter().copied()).on(copy.path()).run();
        assert_eq!(said.exit, 1, "{}", said.err);
        assert!(
            said.text().contains("no terminal to ask on; --yes does it"),
            "{}",
            said.text()
        );
        assert_eq!(listing(copy.path()), before);
    }
}

#[test]
fn another_plan_is_not_done() {
    let copy = copy(&fixture("damaged/unfinished-roll"));
    let before = listing(copy.path());
    let id = ondisk(["verify", "--json"]).on(copy.path()).run().json()["plan"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for (flags, why) in [
        (["--plan", "0123456789abcdef"], "and not 0123456789abcdef"),
        (
            ["--only", "torn_tail,index_rebuilt"],
            "more than was asked for: unfinished_roll",
        ),
    ] {
        let said = ondisk(["repair", "--yes"])
            .with(flags)
            .on(copy.path())
            .run();
        assert_eq!(said.exit, 1);
        assert!(said.text().contains(why), "{}", said.text());
        assert_eq!(listing(copy.path()), before, "{flags:?}");
    }
    let said = ondisk([
        "repair",
        "--yes",
        "--only",
        "unfinished_roll",
        "--plan",
        &id,
    ])
    .on(copy.path())
    .run();
    assert_eq!(said.exit, 0, "{}", said.text());
}

/// Settings are part of a plan: with others it is another one.
#[test]
fn the_plan_of_other_settings_is_another() {
    let copy = copy(&fixture("damaged/payload-bit-tail"));
    let said = ondisk(["repair", "--yes"]).on(copy.path()).run();
    assert!(
        said.exit == 1 && said.text().contains("REFUSED"),
        "{}",
        said.text()
    );
    let id = ondisk(["verify", "--json", "--repair-checksum-tail"])
        .on(copy.path())
        .run()
        .json()["plan"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let said = ondisk(["repair", "--yes", "--repair-checksum-tail", "--plan", &id])
        .on(copy.path())
        .run();
    assert_eq!(said.exit, 0, "{}", said.text());
    assert!(
        said.text().contains("may_have_lost_acknowledged"),
        "{}",
        said.text()
    );
}

#[test]
fn command_lines() {
    let shard = fixture("damaged/unfinished-roll");
    for flags in [
        &["--only", "everything"][..],
        &["--plan", "latest"],
        &["--plan", ""],
        &["--strict", "--zero-tail-without-mark"],
    ] {
        let said = ondisk(["repair", "--yes"])
            .with(flags.iter().copied())
            .on(&shard)
            .run();
        assert_eq!(said.exit, 2, "{flags:?}: {}", said.err);
    }
    let said = ondisk(["repair", "--yes"])
        .on(shard.join("durable.mark"))
        .run();
    assert_eq!(said.exit, 2, "{}", said.err);
}

/// Somebody else has the lock.
#[test]
fn a_locked_directory_is_left_alone() {
    let copy = copy(&fixture("damaged/unfinished-roll"));
    let before = listing(copy.path());
    let held = File::open(copy.path()).expect("the directory");
    flock(&held, FlockOperation::LockExclusive).expect("the lock");
    let said = ondisk(["repair", "--yes"]).on(copy.path()).run();
    assert_eq!(said.exit, 3, "{}", said.text());
    assert!(said.err.contains("locked by"), "{}", said.err);
    assert_eq!(listing(copy.path()), before);
    drop(held);
    assert_eq!(ondisk(["repair", "--yes"]).on(copy.path()).run().exit, 0);
}

/// A user that owns nothing here.
const NOBODY: u32 = 65534;

#[test]
fn a_directory_that_may_not_be_written() {
    let copy = copy(&fixture("damaged/unfinished-roll"));
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o555)).expect("a mode");
    let before = listing(copy.path());
    if fs::metadata(copy.path()).expect("the copy").uid() == 0 {
        if !ondisk(["--version"]).by_user(NOBODY).starts() {
            return;
        }
        let said = ondisk(["repair", "--yes"])
            .on(copy.path())
            .by_user(NOBODY)
            .run();
        assert_eq!(said.exit, 3, "{}", said.text());
        assert!(said.err.contains("ermission denied"), "{}", said.err);
    } else {
        let said = ondisk(["repair", "--yes"]).on(copy.path()).run();
        assert_eq!(said.exit, 3, "{}", said.text());
    }
    assert_eq!(listing(copy.path()), before);
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// A terminal that answers: `script` has one, where it is installed.
#[test]
fn a_person_is_asked() {
    for (answer, exit) in [("n\n", 1), ("\n", 1), ("y\n", 0)] {
        let copy = copy(&fixture("damaged/unfinished-roll"));
        let before = listing(copy.path());
        let command = format!(
            "{} repair {}",
            env!("CARGO_BIN_EXE_ondisk"),
            copy.path().display()
        );
        let started = Command::new("script")
            .args(["-q", "-e", "-c", &command, "/dev/null"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = started else { return };
        let mut input = child.stdin.take().expect("a terminal");
        std::io::Write::write_all(&mut input, answer.as_bytes()).expect("an answer");
        let mut shown = String::new();
        child
            .stdout
            .take()
            .expect("a screen")
            .read_to_string(&mut shown)
            .expect("text");
        drop(input);
        let status = child.wait().expect("it ends");
        assert!(shown.contains("[y/N]"), "{shown}");
        assert_eq!(status.code(), Some(exit), "{shown}");
        assert_eq!(listing(copy.path()) == before, exit == 1, "{answer:?}");
    }
}

/// New files belong to whom the old ones did.
#[test]
fn side_files_have_the_mode_of_what_they_were_cut_from() {
    let copy = copy(&fixture("damaged/unfinished-roll"));
    for entry in fs::read_dir(copy.path()).expect("the copy") {
        let path = entry.expect("an entry").path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o640)).expect("a mode");
    }
    let said = ondisk(["repair", "--yes", "--json"])
        .on(copy.path())
        .run()
        .json();
    for name in said["repair"]["saved"].as_array().expect("names") {
        let path = copy.path().join(name.as_str().expect("a name"));
        let mode = fs::metadata(path).expect("a side file").mode();
        assert_eq!(mode & 0o777, 0o640, "{name}");
    }
}
