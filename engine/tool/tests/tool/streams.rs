//! Output goes out as it is found, and nobody has to take all of it.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use ondisk::FeatureLevels;
use ondisk::felix::{Manifest, ManifestEntry, Record, RecordKind, SegmentHeader};

use crate::directories::fixture;
use crate::run::ondisk;

/// A reader that has seen enough ends the tool without a word.
#[test]
fn a_closed_pipe_is_no_error() {
    let medium = fixture("real/medium");
    for args in [
        &["inspect"][..],
        &["inspect", "--json"],
        &["inspect", "--hex"],
    ] {
        let path = medium.join("00000000000000000000.log");
        let mut child = Command::new(env!("CARGO_BIN_EXE_ondisk"))
            .args(args)
            .arg(&path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let mut first = [0; 16];
        let mut out = child.stdout.take().expect("its output");
        out.read_exact(&mut first).expect("it says something");
        drop(out);
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{args:?}");
        assert!(
            ended.status.code().is_some_and(|code| code <= 1),
            "{args:?}: {}",
            ended.status
        );
    }
}

/// What was found stands, though nobody reads it.
#[test]
fn damage_is_told_to_a_closed_pipe_too() {
    let shard = fixture("damaged/unfinished-roll");
    for args in [&["verify"][..], &["verify", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ondisk"));
        let mut child = child
            .args(args)
            .arg(&shard)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(
            (ended.status.code(), ended.stderr.len()),
            (Some(1), 0),
            "{args:?}"
        );
    }
}

/// Many times more records than memory.
#[test]
fn a_long_segment_in_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = FeatureLevels::NONE;
    let mut bytes = Vec::new();
    SegmentHeader {
        base_offset: 0,
        created_at_micros: 0,
    }
    .encode(SegmentHeader::write_version(&levels), &mut bytes)
    .expect("a header");
    let payload = [b'x'; 100];
    for offset in 0..200_000 {
        let record = Record {
            kind: RecordKind::Ordinary,
            offset,
            timestamp_micros: 0,
            tag: None,
            payload: &payload,
        };
        record
            .encode(SegmentHeader::write_version(&levels), &mut bytes)
            .expect("a record");
    }
    let path = folder.path().join("00000000000000000000.log");
    fs::File::create(&path)
        .and_then(|mut file| file.write_all(&bytes))
        .expect("a segment");
    let json = ondisk(["inspect", "--json"])
        .on(&path)
        .in_little_memory()
        .run();
    assert_eq!(json.exit, 0, "{}", json.err);
    assert_eq!(
        json.json()["records"].as_array().map(Vec::len),
        Some(200_000)
    );
    let few = ondisk(["inspect", "--limit", "2"])
        .on(&path)
        .in_little_memory()
        .run();
    assert!(
        few.text().contains("and 199998 more") && few.text().contains("200000 records"),
        "{}",
        few.text()
    );
}

/// As many entries as memory would not hold as a tree of values.
#[test]
fn a_long_manifest_in_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let entries = (0..100_000).map(|number| ManifestEntry {
        segment: number,
        base_offset: number * 10,
        last_offset: number * 10 + 9,
        size: 400,
        oldest_micros: 1,
        newest_micros: 2,
        checksum: 3,
        key: format!("node/shard/{number:020}.segment"),
    });
    let mut bytes = Vec::new();
    let manifest = Manifest {
        entries: entries.collect(),
    };
    manifest
        .encode(Manifest::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("a manifest");
    let path = folder.path().join("offload.manifest");
    fs::write(&path, bytes).expect("a manifest");
    let json = ondisk(["inspect", "--json"])
        .on(&path)
        .in_little_memory()
        .run();
    assert_eq!(
        json.json()["value"]["entries"].as_array().map(Vec::len),
        Some(100_000)
    );
    let text = ondisk(["inspect"])
        .on(&path)
        .in_little_memory()
        .run()
        .text();
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("entries["))
            .count(),
        100_000
    );
    let few = ondisk(["inspect", "--limit", "2"])
        .on(&path)
        .in_little_memory()
        .run()
        .text();
    assert_eq!(
        few.lines().filter(|line| line.contains("entries[")).count(),
        2
    );
    let hex = ondisk(["inspect", "--hex"])
        .on(&path)
        .in_little_memory()
        .run();
    assert_eq!(hex.exit, 0, "{}", hex.err);
}
