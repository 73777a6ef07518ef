//! Directories that were made to hurt: answered in bounded time, in 256 MiB of memory, without a panic.

mod counts;
mod many;
mod not_files;
mod sparse;

use std::fs::File;
use std::path::Path;

use ondisk::FeatureLevels;
use ondisk::felix::name::{IdentityFile, Sidecar};
use ondisk::felix::{Index, Record, RecordKind, SegmentHeader};
use tempfile::TempDir;

use crate::run::{Said, ondisk};

/// Every name that a shard directory gives a meaning to.
fn names_in_a_shard() -> Vec<String> {
    let mut names: Vec<String> = ["log", "index", "log.tmp", "cut-0", "cut-40"]
        .iter()
        .map(|ending| format!("00000000000000000000.{ending}"))
        .collect();
    names.push("00000000000000000001.log".to_owned());
    names.extend(
        Sidecar::ALL
            .iter()
            .map(|sidecar| sidecar.file_name().to_owned()),
    );
    names.extend(
        Sidecar::ALL
            .iter()
            .filter_map(|sidecar| sidecar.temporary_name())
            .map(str::to_owned),
    );
    names
}

/// Every name of a file that the top of a data directory gives a meaning to.
fn names_in_a_root() -> Vec<String> {
    IdentityFile::ALL
        .iter()
        .flat_map(|file| {
            [
                file.file_name().to_owned(),
                file.temporary_name().to_owned(),
            ]
        })
        .collect()
}

/// Every way to look at a directory.
const WAYS: [&[&str]; 5] = [
    &["verify"],
    &["verify", "--json"],
    &["verify", "--as-open"],
    &["inspect"],
    &["inspect", "--json"],
];

/// Looks at a directory in every way, in little memory; returns what the first said.
fn look(directory: &Path) -> Said {
    let mut said = WAYS.iter().map(|way| {
        let said = ondisk(way.iter().copied())
            .on(directory)
            .in_little_memory()
            .run();
        assert!(
            matches!(said.exit, 0 | 1 | 3),
            "{way:?} {}: exit code {}, {}",
            directory.display(),
            said.exit,
            said.err
        );
        said
    });
    let first = said.next().expect("there is a way");
    said.for_each(drop);
    first
}

/// Looks at one file in every way, in little memory.
fn look_at_file(path: &Path, exits: &[i32]) {
    for way in [
        &["inspect"][..],
        &["inspect", "--json"],
        &["inspect", "--hex"],
        &["inspect", "--limit", "3"],
    ] {
        let said = ondisk(way.iter().copied())
            .on(path)
            .in_little_memory()
            .run();
        assert!(
            exits.contains(&said.exit),
            "{way:?} {}: exit code {}, {}",
            path.display(),
            said.exit,
            said.err
        );
    }
}

/// A folder where files may be very long: in memory, if there is such a place.
fn folder() -> TempDir {
    let shared = Path::new("/dev/shm");
    tempfile::tempdir_in(shared)
        .or_else(|_| tempfile::tempdir())
        .expect("a folder")
}

/// Makes a file as long as the file system lets it be, 2^62 bytes at most, and returns how long that is.
fn stretch(file: &File) -> u64 {
    let mut len = 1 << 62;
    while file.set_len(len).is_err() {
        len >>= 1;
    }
    len
}

fn segment_header(base_offset: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let header = SegmentHeader {
        base_offset,
        created_at_micros: 0,
    };
    header
        .encode(
            SegmentHeader::write_version(&FeatureLevels::NONE),
            &mut bytes,
        )
        .expect("a header");
    bytes
}

fn record(offset: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let record = Record {
        kind: RecordKind::Ordinary,
        offset,
        timestamp_micros: 0,
        tag: None,
        payload,
    };
    record
        .encode(
            SegmentHeader::write_version(&FeatureLevels::NONE),
            &mut bytes,
        )
        .expect("a record");
    bytes
}

fn index_header(base_offset: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let index = Index {
        base_offset,
        entries: Vec::new(),
    };
    index
        .encode(Index::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("an index");
    bytes
}
