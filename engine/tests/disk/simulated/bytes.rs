//! Which bytes and lengths a power cut may leave of one file.

use std::collections::BTreeSet;

use super::{disk, put, runs, seen, synced};
use crate::{read, write};

/// Sectors by the byte that they are full of.
fn of(sectors: &[u8]) -> Vec<u8> {
    sectors.iter().flat_map(|&byte| [byte; 512]).collect()
}

fn all<const N: usize>(files: [Vec<u8>; N]) -> BTreeSet<Vec<u8>> {
    files.into_iter().collect()
}

#[test]
fn what_was_synced_stays() {
    let (disk, root) = disk();
    let _file = synced(&*root, "file", &of(b"abc"));
    assert!(!disk.is_dirty());
    let before = disk.fingerprint();
    for seed in 0..100 {
        let after = disk.after(super::Model::PowerCut, seed);
        assert_eq!(after.fingerprint(), before);
        assert!(!after.is_dirty());
    }
}

#[test]
fn each_sector_is_old_or_new_on_its_own() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &of(b"ooo"));
    put(&*file, &of(b"nnn"), 0);
    assert!(disk.is_dirty());
    let mut expected = BTreeSet::new();
    for first in *b"on" {
        for second in *b"on" {
            for third in *b"on" {
                expected.insert(of(&[first, second, third]));
            }
        }
    }
    assert_eq!(seen(&disk, |root| read(root, "file")), expected);
}

#[test]
fn a_write_of_some_bytes_is_in_its_sectors_whole_or_not() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &of(b"oo"));
    put(&*file, b"nnnn", 510);
    let found = seen(&disk, |root| runs(&read(root, "file")));
    let expected = [
        vec![(b'o', 1024)],
        vec![(b'o', 510), (b'n', 2), (b'o', 512)],
        vec![(b'o', 512), (b'n', 2), (b'o', 510)],
        vec![(b'o', 510), (b'n', 4), (b'o', 510)],
    ];
    assert_eq!(found, expected.into());
}

#[test]
fn a_sector_may_be_what_it_was_after_any_of_the_last_eight_writes() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"synced");
    for digit in [b"one...", b"two...", b"three."] {
        put(&*file, digit, 0);
    }
    let expected = [b"synced", b"one...", b"two...", b"three."].map(|it| it.to_vec());
    assert_eq!(seen(&disk, |root| read(root, "file")), expected.into());

    for letter in b'a'..=b'k' {
        put(&*file, &[letter; 6], 0);
    }
    let last = (b'd'..=b'k').map(|letter| vec![letter; 6]);
    let expected = last.chain([b"synced".to_vec()]).collect();
    assert_eq!(seen(&disk, |root| read(root, "file")), expected);
}

#[test]
fn bytes_new_to_a_file_are_zero_or_written_and_the_length_is_ahead_or_behind() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"");
    put(&*file, &of(b"ab"), 0);
    let expected = all([of(b""), of(b"\0\0"), of(b"a\0"), of(b"\0b"), of(b"ab")]);
    assert_eq!(seen(&disk, |root| read(root, "file")), expected);
}

#[test]
fn an_append_leaves_what_was_synced_ahead_of_it() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"synced");
    put(&*file, b" and not", 6);
    let expected = all([
        b"synced".to_vec(),
        b"synced\0\0\0\0\0\0\0\0".to_vec(),
        b"synced and not".to_vec(),
    ]);
    assert_eq!(seen(&disk, |root| read(root, "file")), expected);
}

#[test]
fn a_file_has_any_length_that_it_had_since_its_sync() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"1234");
    put(&*file, b"56", 4);
    put(&*file, b"78", 6);
    file.set_len(2).expect("a cut");
    file.set_len(20).expect("a hole");
    let lengths = seen(&disk, |root| read(root, "file").len());
    assert_eq!(lengths, [2, 4, 6, 8, 20].into());
    file.sync_data().expect("a sync");
    assert_eq!(seen(&disk, |root| read(root, "file").len()), [20].into());
}

#[test]
fn one_long_write_makes_a_file_longer_page_by_page() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"12");
    put(&*file, &[b'x'; 10_000], 2);
    let lengths = seen(&disk, |root| read(root, "file").len());
    assert_eq!(lengths, [2, 4096, 8192, 10_002].into());
}

#[test]
fn a_gap_in_front_of_a_write_is_zeros() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"ab");
    put(&*file, b"z", 1024);
    let found = seen(&disk, |root| runs(&read(root, "file")));
    let ab = [(b'a', 1), (b'b', 1)];
    let behind = |more: &[(u8, usize)]| [&ab[..], more].concat();
    let expected = [
        behind(&[]),
        behind(&[(0, 1023)]),
        behind(&[(0, 1022), (b'z', 1)]),
    ];
    assert_eq!(found, expected.into());
}

#[test]
fn a_sync_of_one_file_leaves_the_others_unsynced() {
    let (disk, root) = disk();
    let one = synced(&*root, "one", b"old");
    let two = synced(&*root, "two", b"old");
    put(&*one, b"new", 0);
    put(&*two, b"new", 0);
    one.sync_all().expect("a sync");
    let found = seen(&disk, |root| (read(root, "one"), read(root, "two")));
    let expected = [&b"old"[..], b"new"].map(|two| (b"new".to_vec(), two.to_vec()));
    assert_eq!(found, expected.into());
}

#[test]
fn a_crash_leaves_all_synced_and_can_come_again() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"one");
    put(&*file, b"two", 0);
    for seed in 0..20 {
        let after = disk.after(super::Model::PowerCut, seed);
        assert!(!after.is_dirty());
        let there = read(&*after.root(), "file");
        let again = after.root().edit("file").expect("it is there");
        put(&*again, b"six", 0);
        let found = seen(&after, |root| read(root, "file"));
        assert_eq!(found, [there, b"six".to_vec()].into());
    }
}

#[test]
fn shared_blocks_are_bytes_like_any_others() {
    let (disk, root) = disk();
    let _source = synced(&*root, "source", &of(b"ab"));
    let target = synced(&*root, "target", b"");
    let source = root.file("source").expect("it is there");
    assert!(target.clone_of(&*source).expect("one disk"));
    assert_eq!(read(&*root, "target"), of(b"ab"));
    let expected = all([of(b""), of(b"\0\0"), of(b"a\0"), of(b"\0b"), of(b"ab")]);
    assert_eq!(seen(&disk, |root| read(root, "target")), expected);
    put(&*target, b"mine", 0);
    assert_eq!(read(&*root, "source"), of(b"ab"), "a copy");

    let elsewhere = super::SimulatedDisk::new().root();
    let other = write(&*elsewhere, "other", b"other");
    assert!(!target.clone_of(&*other).expect("another disk"));
}

#[test]
fn sectors_that_were_never_written_are_holes() {
    let (_disk, root) = disk();
    let file = synced(&*root, "file", b"front");
    put(&*file, b"far", 1 << 40);
    file.set_len(1 << 41).expect("a hole");
    let next = |from| file.next_data(from).expect("open");
    assert_eq!(next(0), Some(0));
    assert_eq!(next(500), Some(500));
    assert_eq!(next(512), Some(1 << 40));
    assert_eq!(next((1 << 40) + 512), None);
    assert_eq!(next(u64::MAX), None);
}
