//! Every fixture, repaired in a copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::directories::{Fixture, copy, fixtures};
use crate::run::{Said, ondisk};
use crate::untouched::listing;

/// What the tool cannot know of a fixture by itself.
fn said(fixture: &Fixture) -> Vec<String> {
    let settings = &fixture.expected["settings"];
    let number = |key: &str| settings[key].to_string();
    let kind = fixture.expected["kind"].as_str().expect("a kind");
    [
        ("--kind", kind.to_owned()),
        ("--open-at", number("open_at")),
        ("--index-spacing", number("index_spacing_bytes")),
    ]
    .into_iter()
    .flat_map(|(flag, value)| [flag.to_owned(), value])
    .collect()
}

fn run(command: &[&str], fixture: &Fixture, on: &Path) -> Said {
    let said = said(fixture);
    ondisk(command.iter().copied())
        .with(said.iter().map(String::as_str))
        .on(on)
        .run()
}

fn shards() -> impl Iterator<Item = Fixture> {
    fixtures()
        .into_iter()
        .filter(|fixture| fixture.expected["kind"] != "root")
}

/// All bytes of all regular files.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.file_type().expect("a type").is_file())
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

/// Bytes behind the headers: of segments, of whatever waits under a temporary name, of side files.
fn bytes_of_records(files: &BTreeMap<String, Vec<u8>>) -> u64 {
    const HEADER: u64 = 32;
    let of = |name: &str, bytes: u64| match name.split_once(".cut-") {
        // From the middle of a segment on, where there is no header.
        Some((_, number)) if number.parse().is_ok_and(|number: u64| number >= HEADER) => bytes,
        Some(_) => bytes.saturating_sub(HEADER),
        None if name.contains(".log") => bytes.saturating_sub(HEADER),
        None => 0,
    };
    files
        .iter()
        .map(|(name, bytes)| of(name, bytes.len() as u64))
        .sum()
}

#[test]
fn each_becomes_sound_or_stays_as_it_is() {
    let (mut repaired, mut refused, mut sound) = (0, 0, 0);
    for fixture in shards() {
        let name = &fixture.name;
        let copy = copy(&fixture.directory);
        let before = listing(copy.path());
        let held = contents(copy.path());
        let verified = run(&["verify", "--json"], &fixture, copy.path());
        let answer = run(&["repair", "--yes", "--json"], &fixture, copy.path());
        let found = answer.json();
        assert_eq!(
            found["repair"]["plan"].is_null(),
            found["repair"]["became"] != "done",
            "{name}"
        );
        match found["repair"]["became"].as_str() {
            Some("nothing to do") => {
                sound += 1;
                assert_eq!((verified.exit, answer.exit), (0, 0), "{name}");
                assert_eq!(listing(copy.path()), before, "{name}");
            }
            Some("refused") => {
                refused += 1;
                assert_eq!((verified.exit, answer.exit), (1, 1), "{name}");
                assert_eq!(listing(copy.path()), before, "{name}");
            }
            Some("done") => {
                repaired += 1;
                let planned = &verified.json()["plan"]["id"];
                assert_eq!(&found["repair"]["plan"], planned, "{name}");
                assert_eq!(answer.exit, 0, "{name}: {}", answer.text());
                assert_eq!(found["after"]["sound"], true, "{name}");
                let again = run(&["verify", "--json"], &fixture, copy.path());
                assert_eq!(again.exit, 0, "{name}: {}", again.text());
                same_log(name, &verified.json(), &again.json());
                nothing_is_lost(name, &held, &contents(copy.path()));
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(
        repaired > 30 && refused > 15 && sound > 30,
        "{repaired}, {refused}, {sound}"
    );
}

/// The log is the one that was planned.
fn same_log(name: &str, planned: &Value, now: &Value) {
    for key in ["base", "tail", "records"] {
        assert_eq!(planned[key], now[key], "{name}: {key}");
    }
    let hashes = |found: &Value| -> Vec<Value> {
        let segments = found["segments"].as_array().expect("segments");
        segments
            .iter()
            .map(|segment| segment["sha256"].clone())
            .collect()
    };
    if planned["fresh"] == true {
        // A log without a segment gets its first one.
        assert_eq!(hashes(now).len(), 1, "{name}");
    } else {
        assert_eq!(hashes(planned), hashes(now), "{name}");
    }
}

/// Every byte of a record is in a segment or beside one, but for those of which the manifest has a copy elsewhere.
fn nothing_is_lost(
    name: &str,
    before: &BTreeMap<String, Vec<u8>>,
    after: &BTreeMap<String, Vec<u8>>,
) {
    if name.ends_with("offloaded-gap") {
        return;
    }
    assert_eq!(
        bytes_of_records(before),
        bytes_of_records(after),
        "{name}: {:?} became {:?}",
        before.keys(),
        after.keys()
    );
}

/// A repair that is repeated finds nothing to do.
#[test]
fn twice_is_once() {
    for fixture in shards().filter(|fixture| fixture.name.starts_with("damaged/")) {
        let copy = copy(&fixture.directory);
        run(&["repair", "--yes"], &fixture, copy.path());
        let before = listing(copy.path());
        let again = run(&["repair", "--yes", "--json"], &fixture, copy.path());
        assert_ne!(again.json()["repair"]["became"], "done", "{}", fixture.name);
        assert_eq!(listing(copy.path()), before, "{}", fixture.name);
    }
}

/// What an open just drops a repair keeps.
#[test]
fn a_torn_tail_is_kept() {
    for name in ["torn-header", "torn-payload"] {
        let fixture = shards()
            .find(|fixture| fixture.name == format!("damaged/{name}"))
            .expect("the fixture");
        let copy = copy(&fixture.directory);
        let before = contents(copy.path());
        let answer = run(&["repair", "--yes", "--json"], &fixture, copy.path()).json();
        let after = contents(copy.path());
        let saved = answer["repair"]["saved"][0].as_str().expect("a side file");
        let (segment, position) = saved.split_once(".cut-").expect("a name of one");
        let position: usize = position.parse().expect("a number");
        let segment = format!("{segment}.log");
        assert_eq!(after[saved], before[&segment][position..], "{name}");
        assert_eq!(after[&segment], before[&segment][..position], "{name}");
    }
}
