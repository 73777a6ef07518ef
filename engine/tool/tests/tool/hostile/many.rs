//! More names than anybody would give.

use std::fs;
use std::path::Path;

use super::segment_header;
use crate::run::{Said, ondisk};

const MANY: u64 = 100_000;

/// Ways to look that differ in what they go through.
const WAYS: [&[&str]; 3] = [
    &["verify"],
    &["verify", "--as-open", "--json"],
    &["inspect"],
];

fn look(directory: &Path, way: &[&str]) -> Said {
    ondisk(way.iter().copied())
        .on(directory)
        .in_little_memory()
        .run()
}

#[test]
fn segments_without_a_byte() {
    let folder = super::folder();
    for id in 0..MANY {
        fs::File::create(folder.path().join(format!("{id:020}.log"))).expect("a file");
    }
    for way in WAYS {
        assert_eq!(look(folder.path(), way).exit, 1, "{way:?}");
    }
}

#[test]
fn empty_segments_that_join() {
    let folder = super::folder();
    let header = segment_header(7);
    for id in 0..MANY {
        fs::write(folder.path().join(format!("{id:020}.log")), &header).expect("a file");
    }
    for way in WAYS {
        // No index leads anywhere, and that is reported of each.
        assert_eq!(look(folder.path(), way).exit, 1, "{way:?}");
    }
}

#[test]
fn names_that_mean_nothing() {
    let folder = super::folder();
    fs::write(
        folder.path().join("00000000000000000000.log"),
        segment_header(0),
    )
    .expect("a segment");
    for number in 0..MANY {
        let ending = if number % 2 == 0 {
            "log"
        } else {
            "\u{202e}\u{1b}[2J"
        };
        fs::File::create(folder.path().join(format!("{number}.{ending}"))).expect("a file");
    }
    for way in WAYS {
        let said = look(folder.path(), way);
        assert_eq!(said.exit, 0, "{way:?}: {}", said.err);
        assert!(!said.text().contains('\u{1b}'));
    }
}

#[test]
fn shards() {
    let folder = super::folder();
    for number in 0..2_000 {
        let shard = folder.path().join(format!("a_{number}-{number:016x}"));
        fs::create_dir(&shard).expect("a folder");
        fs::write(shard.join("00000000000000000000.log"), segment_header(0)).expect("a segment");
    }
    let said = ondisk(["verify"])
        .on(folder.path())
        .in_little_memory()
        .run();
    assert_eq!(said.exit, 0, "{}", said.err);
    assert!(
        said.text().contains("2000 of 2000 shards sound"),
        "{}",
        said.text()
    );
    let jobs = ondisk(["verify", "--jobs", "64"]).on(folder.path()).run();
    assert_eq!(jobs.text(), said.text(), "whatever the number of threads");
}
