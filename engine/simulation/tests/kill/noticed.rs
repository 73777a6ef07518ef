//! The tests of the tests: a directory is changed behind a kill, and the campaign says so.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use ondisk_simulation::kill::{Campaign, Tally};

use crate::program;

/// A campaign in which this is done after each kill. Returns what it says in the end.
fn spoiled(store: bool, spoil: fn(&Path)) -> String {
    // In memory where there is such a place, since the file system is not what is tested.
    let memory = Path::new("/dev/shm");
    let below = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    let below = below.expect("a directory");
    let campaign = Campaign {
        program: program(),
        ground: below.path().to_owned(),
        seed: 3,
        store,
        spoil: Some(spoil),
        keep: None,
    };
    let ran = campaign.run(60, &mut Tally::default(), &mut |_| {});
    ran.expect_err("it was not noticed")
}

/// The files in a directory whose names end so, in order, with their lengths.
fn files(directory: &Path, end: &str) -> Vec<(PathBuf, u64)> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(end))
        .map(|entry| (entry.path(), entry.metadata().expect("its length").len()))
        .collect();
    files.sort();
    files
}

fn cut(path: &Path, bytes: u64) {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.set_len(bytes)).expect("a cut");
}

/// Whether it is said that acknowledged records are gone, or flushed bytes of them.
fn is_lost(said: &str) -> bool {
    said.contains("are lost") || said.contains("no such crash leaves this")
}

#[test]
fn the_last_record_is_gone() {
    let said = spoiled(false, |directory| {
        // Where the newest holds no record, nothing is to be had.
        if let Some((newest, bytes @ 100..)) = files(directory, ".log").pop() {
            cut(&newest, bytes - 1);
        }
    });
    assert!(is_lost(&said), "{said}");
}

#[test]
fn the_newest_segment_is_gone() {
    let said = spoiled(false, |directory| {
        if let [_, .., (newest, 100..)] = &files(directory, ".log")[..] {
            fs::remove_file(newest).expect("a removal");
        }
    });
    assert!(is_lost(&said), "{said}");
}

#[test]
fn the_oldest_segment_is_gone() {
    let said = spoiled(false, |directory| {
        if let [(oldest, 100..), _, ..] = &files(directory, ".log")[..] {
            fs::remove_file(oldest).expect("a removal");
        }
    });
    assert!(said.contains("are gone"), "{said}");
}

#[test]
fn a_byte_of_a_payload_is_another() {
    let said = spoiled(false, |directory| {
        if let Some((oldest, 100..)) = files(directory, ".log").first() {
            let mut bytes = fs::read(oldest).expect("a segment");
            bytes[99] ^= 1;
            fs::write(oldest, bytes).expect("a segment");
        }
    });
    assert!(said.contains("it does not open"), "{said}");
}

#[test]
fn history_is_gone() {
    let said = spoiled(false, |directory| {
        let _there = fs::remove_file(directory.join("epochs"));
    });
    assert!(said.contains("epochs []"), "{said}");
}

#[test]
fn a_vote_is_gone() {
    let said = spoiled(false, |directory| {
        let _there = fs::remove_file(directory.join("ballot"));
    });
    assert!(said.contains("leader"), "{said}");
}

#[test]
fn a_shard_is_gone() {
    let said = spoiled(true, |root| {
        let holds = |path: &Path| files(path, ".log").iter().any(|&(_, bytes)| bytes > 100);
        let shards = files(root, "").into_iter().map(|(path, _)| path);
        if let Some(shard) = shards.filter(|path| path.is_dir()).find(|path| holds(path)) {
            fs::remove_dir_all(shard).expect("a removal");
        }
    });
    assert!(said.contains("the directory is gone"), "{said}");
}

#[test]
fn a_registration_is_gone() {
    let said = spoiled(true, |root| {
        let _there = fs::remove_file(root.join("registration"));
    });
    assert!(said.contains("registered as 0"), "{said}");
}

#[test]
fn a_marker_is_gone() {
    let said = spoiled(true, |root| {
        if let Some((marker, _)) = files(&root.join(".streams"), "").first() {
            fs::remove_file(marker).expect("a removal");
        }
    });
    assert!(said.contains("its marker: None"), "{said}");
}
