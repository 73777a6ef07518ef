//! Files that are far longer than any disk.

use std::fs::{self, File};
use std::io::Write as _;

use ondisk::felix::{Epochs, MAX_PAYLOAD_BYTES};

use super::{
    folder, index_header, look, look_at_file, names_in_a_root, names_in_a_shard, record,
    segment_header, stretch,
};
use crate::run::ondisk;

#[test]
fn every_name_in_a_shard_alone() {
    for name in names_in_a_shard() {
        let folder = folder();
        stretch(&File::create(folder.path().join(&name)).expect("a file"));
        look(folder.path());
        // What a repair cut out is nobody's damage; what is too long to read is not looked at.
        look_at_file(&folder.path().join(&name), &[0, 1, 3]);
    }
}

#[test]
fn every_name_in_a_shard_together() {
    let folder = folder();
    for name in names_in_a_shard() {
        stretch(&File::create(folder.path().join(name)).expect("a file"));
    }
    assert_eq!(look(folder.path()).exit, 1);
}

#[test]
fn every_name_in_a_root() {
    let folder = folder();
    for name in names_in_a_root() {
        stretch(&File::create(folder.path().join(&name)).expect("a file"));
        look_at_file(&folder.path().join(&name), &[0, 1]);
    }
    fs::create_dir(folder.path().join(".streams")).expect("a folder");
    let marker = folder
        .path()
        .join(".streams/acme_default_orders-fcb9248e5af0da18");
    stretch(&File::create(&marker).expect("a file"));
    look_at_file(&marker, &[0]);
    assert_eq!(
        look(folder.path()).exit,
        1,
        "run-state is the seed's own, so another length is damage"
    );
}

/// Behind a header that verifies there is a hole: no record, and no end of it.
#[test]
fn a_segment_with_a_header() {
    for records in [0, 3] {
        let folder = folder();
        let path = folder.path().join("00000000000000000000.log");
        let mut file = File::create(&path).expect("a file");
        file.write_all(&segment_header(0)).expect("a header");
        for offset in 0..records {
            file.write_all(&record(offset, b"payload"))
                .expect("a record");
        }
        stretch(&file);
        let said = look(folder.path());
        assert_eq!(said.exit, 1);
        assert!(
            said.text().contains("RecordHeaderChecksum"),
            "{}",
            said.text()
        );
        look_at_file(&path, &[1]);
    }
}

/// A record of the greatest length, most of which is a hole.
#[test]
fn a_record_of_zeros() {
    let folder = folder();
    let path = folder.path().join("00000000000000000000.log");
    let payload = vec![0; usize::try_from(MAX_PAYLOAD_BYTES).expect("fits")];
    let head = record(0, &payload);
    let mut file = File::create(&path).expect("a file");
    file.write_all(&segment_header(0)).expect("a header");
    file.write_all(&head[..64]).expect("the front of a record");
    file.set_len(32 + head.len() as u64).expect("a length");
    for way in [&["verify"][..], &["inspect", "--hex"]] {
        let said = ondisk(way.iter().copied())
            .on(folder.path())
            .in_little_memory()
            .run();
        assert_eq!(said.exit, 0, "{}\n{}", said.text(), said.err);
    }
}

/// An index whose entries are a hole.
#[test]
fn an_index_with_a_header() {
    let folder = folder();
    let log = [segment_header(0), record(0, b"one"), record(1, b"two")].concat();
    fs::write(folder.path().join("00000000000000000000.log"), log).expect("a segment");
    let path = folder.path().join("00000000000000000000.index");
    let mut file = File::create(&path).expect("a file");
    file.write_all(&index_header(0)).expect("a header");
    stretch(&file);
    look(folder.path());
    look_at_file(&path, &[0, 1]);
}

/// Bytes behind the last entry are ignored, however many there are.
#[test]
fn epochs_with_a_header() {
    let folder = folder();
    fs::write(
        folder.path().join("00000000000000000000.log"),
        segment_header(0),
    )
    .expect("a segment");
    let path = folder.path().join("epochs");
    let mut file = File::create(&path).expect("a file");
    let mut bytes = Vec::new();
    let epochs = Epochs {
        entries: Vec::new(),
    };
    epochs
        .encode(
            Epochs::write_version(&ondisk::FeatureLevels::NONE),
            &mut bytes,
        )
        .expect("epochs");
    file.write_all(&bytes).expect("a header");
    stretch(&file);
    assert_eq!(look(folder.path()).exit, 0);
    look_at_file(&path, &[0]);
}
