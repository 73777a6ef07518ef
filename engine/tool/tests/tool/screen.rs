//! What reaches a screen: no control of whoever named a file or wrote a payload, and colours only where they are wanted.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use ondisk::FeatureLevels;
use ondisk::felix::{Ballot, CacheOp, CacheRecord, Record, RecordKind, SegmentHeader};

use crate::directories::{copy, fixture};
use crate::run::ondisk;

/// Text with one of everything that a terminal obeys or a reader is fooled by.
const EVIL: &str = "a\u{1b}[2J\u{7}\u{9b}31m\u{7f}\u{202e}gol\u{2066}\r\n\u{feff}b";

/// Whether text drives nothing but lines.
fn is_harmless(text: &str) -> bool {
    text.chars()
        .all(|char| char == '\n' || ondisk::escape::is_harmless(char))
}

const WAYS: [&[&str]; 7] = [
    &["verify"],
    &["verify", "--json"],
    &["inspect"],
    &["inspect", "--json"],
    &["inspect", "--hex"],
    &["verify", "--as", "root"],
    &["inspect", "--as", "root"],
];

fn look_at(path: &Path) {
    for way in WAYS {
        let said = ondisk(way.iter().copied()).on(path).run();
        assert!(is_harmless(&said.text()), "{way:?}:\n{:?}", said.text());
        assert!(is_harmless(&said.err), "{way:?}:\n{:?}", said.err);
    }
}

#[test]
fn names() {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder
        .path()
        .join(format!("shard {}", EVIL.replace('\n', "")));
    fs::create_dir(&shard).expect("a folder");
    for entry in fs::read_dir(fixture("damaged/unfinished-roll")).expect("a fixture") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), shard.join(entry.file_name())).expect("a file");
    }
    fs::write(shard.join(format!("{EVIL}.log")), "").expect("a file");
    fs::write(shard.join(OsStr::from_bytes(b"\xff\xfe\x1b[1m.index")), "").expect("a file");
    fs::write(shard.join(OsStr::from_bytes(b"\xf0\x9f\x1b")), "").expect("a file");
    look_at(&shard);
    let found = ondisk(["verify", "--json"]).on(&shard).run().json();
    assert!(
        found["foreign"]
            .as_array()
            .expect("a list")
            .contains(&format!("{EVIL}.log").into()),
        "a parser reads the name back"
    );
}

#[test]
fn keys_values_leaders_and_payloads() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = FeatureLevels::NONE;
    let mut log = Vec::new();
    SegmentHeader {
        base_offset: 0,
        created_at_micros: 0,
    }
    .encode(SegmentHeader::write_version(&levels), &mut log)
    .expect("a header");
    let mut payload = Vec::new();
    let change = CacheRecord {
        op: CacheOp::Put,
        expires_at_millis: 0,
        entry_version: None,
        key: EVIL,
        value: EVIL.as_bytes(),
    };
    change
        .encode(CacheRecord::write_version(&levels), &mut payload)
        .expect("a change");
    for (offset, payload) in [&payload[..], EVIL.as_bytes(), b"\xff\xfe\x1b[1m"]
        .into_iter()
        .enumerate()
    {
        let record = Record {
            kind: RecordKind::Ordinary,
            offset: offset as u64,
            timestamp_micros: u64::MAX,
            tag: None,
            payload,
        };
        record
            .encode(SegmentHeader::write_version(&levels), &mut log)
            .expect("a record");
        if offset == 0 {
            // A cache has this one alone.
            fs::write(folder.path().join("cache"), &log).expect("a copy");
        }
    }
    let mut ballot = Vec::new();
    Ballot {
        generation: 3,
        leader: EVIL.to_owned(),
    }
    .encode(Ballot::write_version(&levels), &mut ballot)
    .expect("a ballot");
    let segment = folder.path().join("00000000000000000000.log");
    fs::write(&segment, &log).expect("a segment");
    fs::write(folder.path().join("ballot"), ballot).expect("a ballot");
    look_at(folder.path());
    look_at(&segment);
    look_at(&folder.path().join("ballot"));
    fs::rename(folder.path().join("cache"), &segment).expect("a segment");
    for way in WAYS {
        let said = ondisk(way.iter().copied())
            .with(["--kind", "cache"])
            .on(folder.path())
            .run();
        assert!(is_harmless(&said.text()), "{way:?}:\n{:?}", said.text());
        let said = ondisk(way.iter().copied())
            .with(["--kind", "cache"])
            .on(&segment)
            .run();
        assert!(is_harmless(&said.text()), "{way:?}:\n{:?}", said.text());
    }
    let found = ondisk(["inspect", "--json", "--kind", "cache"])
        .on(folder.path())
        .run()
        .json();
    assert_eq!(
        found["state"]["cache"]["entries"][EVIL]["bytes"],
        payload.len(),
        "a parser reads the key back"
    );
    assert_eq!(found["state"]["accepted"]["leader"], EVIL);
}

#[test]
fn text_kinds() {
    let root = copy(&fixture("clean/data-root"));
    for name in ["node-id", ".streams/acme_default_gone-096b07e39e4cf7d0"] {
        let path = root.path().join(name);
        fs::write(&path, EVIL).expect("a file");
        for way in [
            &["inspect"][..],
            &["inspect", "--json"],
            &["inspect", "--hex"],
        ] {
            let said = ondisk(way.iter().copied()).on(&path).run();
            assert!(is_harmless(&said.text()), "{way:?}:\n{:?}", said.text());
            assert!(matches!(said.exit, 0 | 1), "{}", said.err);
        }
    }
    look_at(root.path());
}

/// Errors name what they are about, which may be anything.
#[test]
fn complaints() {
    for args in [
        &["verify", EVIL][..],
        &["inspect", EVIL],
        &["spec", EVIL],
        &[EVIL],
        &["verify", ".", EVIL],
        &["verify", ".", "--kind", EVIL],
    ] {
        let said = ondisk(args.iter().copied()).run();
        assert!(is_harmless(&said.err), "{:?}", said.err);
        assert!(matches!(said.exit, 2 | 3));
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let shard = fixture("damaged/unfinished-roll");
    let plain = ondisk(["verify"]).on(&shard).run().text();
    assert!(!plain.contains('\u{1b}'), "this is no terminal");
    let coloured = ondisk(["verify", "--color", "always"])
        .on(&shard)
        .run()
        .text();
    assert!(coloured.contains("\u{1b}["), "asked for");
    let without: String = strip(&coloured);
    assert_eq!(without, plain, "colours are all that differs");
    let unwanted = ondisk(["verify"])
        .on(&shard)
        .variable("NO_COLOR", "1")
        .run()
        .text();
    assert_eq!(unwanted, plain);
}

fn strip(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or("", |(_, behind)| behind)
    })
}
