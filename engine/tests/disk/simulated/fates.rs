//! How likely the disks are that a crash may leave.

use std::collections::BTreeSet;
use std::sync::Arc;

use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::disk::{Directory, File};

use super::{SEEDS, disk, put, synced, tree};
use crate::read;

const SECTORS: usize = 40;

/// Two files of many sectors, all of them written again, and a new name.
fn dirty() -> (SimulatedDisk, Vec<Arc<dyn File>>) {
    let (disk, root) = disk();
    let files = ["a", "b"].map(|name| synced(&*root, name, &[b'o'; SECTORS * 512]));
    for file in &files {
        put(&**file, &[b'n'; SECTORS * 512], 0);
    }
    let _file = root.create("name").expect("free");
    (disk, files.into())
}

/// How many sectors of a file are new.
fn new(root: &dyn Directory, name: &str) -> usize {
    let bytes = read(root, name);
    bytes.chunks(512).filter(|sector| sector[0] == b'n').count()
}

#[test]
fn extremes_are_as_likely_as_mixtures() {
    let (disk, _files) = dirty();
    let (mut old, mut all, mut crossed, mut mixed) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let root = disk.after(Model::PowerCut, seed).root();
        let is_named = root.stat("name").is_ok();
        match (new(&*root, "a"), new(&*root, "b")) {
            (0, 0) if !is_named => old += 1,
            (SECTORS, SECTORS) if is_named => all += 1,
            (0, SECTORS) | (SECTORS, 0) => crossed += 1,
            (1..SECTORS, 1..SECTORS) => mixed += 1,
            _ => {}
        }
    }
    let tenth = SEEDS / 10;
    assert!(old > tenth && all > tenth, "{old} old, {all} new");
    assert!(mixed > tenth, "{mixed} mixed");
    assert!(crossed > SEEDS / 50, "{crossed} one old and one new");
}

#[test]
fn the_same_seed_gives_the_same_disk_and_others_give_many() {
    let (disk, _files) = dirty();
    let mut found = BTreeSet::new();
    for seed in 0..200 {
        let one = disk.after(Model::PowerCut, seed).fingerprint();
        assert_eq!(one, disk.after(Model::PowerCut, seed).fingerprint());
        assert_eq!(one, dirty().0.after(Model::PowerCut, seed).fingerprint());
        found.insert(one);
    }
    assert!(found.len() > 50, "{} disks", found.len());
}

#[test]
fn every_moment_that_went_by_may_be_found() {
    let (disk, root) = disk();
    let files = ["a", "b"].map(|name| synced(&*root, name, b"----"));
    let mut went_by = BTreeSet::from([disk.fingerprint()]);
    for step in 0..4_u8 {
        for file in &files {
            put(&**file, &[b'0' + step], step.into());
            went_by.insert(disk.fingerprint());
        }
        let _file = root.create(&format!("name{step}")).expect("free");
        went_by.insert(disk.fingerprint());
        root.rename(
            &format!("name{step}"),
            &*root,
            "name",
            ondisk_engine::disk::Replace::Yes,
        )
        .expect("a rename");
        went_by.insert(disk.fingerprint());
    }
    let found: BTreeSet<u64> = (0..SEEDS)
        .map(|seed| disk.after(Model::PowerCut, seed).fingerprint())
        .collect();
    assert!(went_by.is_subset(&found));
}

#[test]
fn a_fingerprint_tells_names_bytes_and_lengths_apart() {
    let of = |build: &dyn Fn(&dyn Directory)| {
        let disk = SimulatedDisk::new();
        build(&*disk.root());
        disk.fingerprint()
    };
    let file = |root: &dyn Directory, name: &str, bytes: &[u8]| {
        put(&*root.create(name).expect("free"), bytes, 0);
    };
    let different = [
        of(&|_| {}),
        of(&|root| file(root, "a", b"")),
        of(&|root| file(root, "b", b"")),
        of(&|root| file(root, "a", b"\0")),
        of(&|root| file(root, "a", b"\0\0")),
        of(&|root| file(root, "a", &[0; 512])),
        of(&|root| file(root, "a", b"b")),
        of(&|root| file(root, "ab", b"")),
        of(&|root| drop(root.create_directory("a"))),
        of(&|root| file(&*root.create_directory("a").expect("free"), "a", b"")),
        of(&|root| ["a", "b"].iter().for_each(|name| file(root, name, b""))),
    ];
    assert_eq!(
        different.iter().collect::<BTreeSet<_>>().len(),
        different.len()
    );
    // However they came there.
    let written = of(&|root| {
        file(root, "x", &[0; 1000]);
        let file = root.edit("x").expect("there");
        put(&*file, b"end", 1021);
        root.rename("x", root, "a", ondisk_engine::disk::Replace::No)
            .expect("free");
    });
    let at_once = of(&|root| file(root, "a", &[&[0; 1021][..], b"end"].concat()));
    assert_eq!(written, at_once);
    assert_eq!(at_once, 4_609_548_148_858_824_493, "the same in every run");
}

#[test]
fn a_disk_without_anything_unsynced_is_left_as_it_is() {
    let (disk, files) = dirty();
    for file in files {
        file.sync_all().expect("a sync");
    }
    assert!(disk.is_dirty(), "the name is not synced");
    disk.root().sync().expect("a sync");
    assert!(!disk.is_dirty());
    let there = tree(&*disk.root());
    assert_eq!(super::seen(&disk, tree), [there].into());
}
