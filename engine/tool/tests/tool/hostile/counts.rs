//! Counts and lengths at their limits, with checksums that vouch for them.

use std::fs;
use std::path::Path;

use ondisk::describe::Role;
use ondisk::felix::{KINDS, SegmentHeader};
use ondisk::repair::repair;
use ondisk::walk::{Field, Visitor, walk};

use super::{look, look_at_file, segment_header};
use crate::directories::{copy, fixture};

/// Where the counts and lengths of an instance stand.
#[derive(Default)]
struct Amounts(Vec<std::ops::Range<usize>>);

impl<'a> Visitor<'a> for Amounts {
    fn field(&mut self, field: &Field<'a>) {
        if matches!(field.row.role, Role::Len(_) | Role::Count(_)) && field.row.bits.is_none() {
            self.0.push(field.range.clone());
        }
    }
}

/// Every count and length in every sidecar, at its greatest: once as it is, once with checksums that are right again.
#[test]
fn every_count_at_its_greatest() {
    for (name, file) in [
        ("clean/sidecars", "epochs"),
        ("clean/sidecars", "ballot"),
        ("clean/sidecars", "producers"),
        ("clean/sidecars", "offload.manifest"),
        ("clean/producers", "producers"),
        ("clean/cache-keys", "keys.idx"),
    ] {
        let entry = KINDS
            .iter()
            .find(|entry| entry.kind.file == Some(file))
            .expect("a kind of that file");
        let bytes = fs::read(fixture(name).join(file)).expect("a file of the fixture");
        let mut amounts = Amounts::default();
        walk(entry.kind, &bytes, 0, &mut amounts).expect("the file is sound");
        assert!(!amounts.0.is_empty(), "{file} has a count");
        let copy = copy(&fixture(name));
        for place in amounts.0 {
            let mut bytes = bytes.clone();
            bytes[place].fill(0xff);
            check(copy.path(), file, &bytes);
            repair(entry.kind, &mut bytes, 0);
            check(copy.path(), file, &bytes);
        }
    }
}

fn check(directory: &Path, file: &str, bytes: &[u8]) {
    let path = directory.join(file);
    fs::write(&path, bytes).expect("the file can be written");
    look(directory);
    look_at_file(&path, &[1]);
}

/// A segment that begins as high as one may, and one that begins too high.
#[test]
fn the_highest_offsets() {
    for base in [u64::MAX - 1, u64::MAX] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut bytes = segment_header(base.min(u64::MAX - 1));
        if base == u64::MAX {
            bytes[8..16].fill(0xff);
            repair(SegmentHeader::KIND, &mut bytes, 0);
        }
        fs::write(folder.path().join("18446744073709551615.log"), bytes).expect("a segment");
        let said = look(folder.path());
        assert_eq!(said.exit, i32::from(base == u64::MAX), "{}", said.text());
    }
}
