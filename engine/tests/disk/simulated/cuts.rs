//! What a power cut may leave of a file that was cut.

use std::collections::BTreeSet;

use ondisk_engine::disk::Directory;

use super::{disk, put, runs, seen, synced};
use crate::read;

#[test]
fn the_rest_of_a_page_may_be_zero_at_the_old_length() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &[b'o'; 3 * 4096]);
    file.set_len(4096 + 512 + 100).expect("a cut");
    let found = seen(&disk, |root| read(root, "file"));
    let (cut, whole): (Vec<_>, Vec<_>) = found.iter().partition(|it| it.len() == 4708);
    assert_eq!(
        cut,
        [&vec![b'o'; 4708]],
        "below the new end nothing changes"
    );
    for file in &whole {
        assert_eq!(file.len(), 3 * 4096);
        let zero = |at: usize| match at {
            4708..5120 => file[4708] == 0,
            5120..8192 => file[at / 512 * 512] == 0,
            _ => false,
        };
        let is_right = |at: usize| file[at] == if zero(at) { 0 } else { b'o' };
        assert!((0..file.len()).all(is_right), "{:?}", runs(file));
    }
    let is_seen = |zeros: std::ops::Range<usize>| {
        let mut file = vec![b'o'; 3 * 4096];
        file[zeros].fill(0);
        whole.contains(&&file)
    };
    for zeros in [0..0, 4708..5120, 4708..8192] {
        assert!(is_seen(zeros.clone()), "{zeros:?}");
    }
    let seventh = |it: &&&Vec<u8>| it[7 * 512] == 0 && it[14 * 512] == b'o';
    assert!(
        whole
            .iter()
            .any(|it| it[14 * 512] == 0 && it[13 * 512] != 0)
    );
    assert_eq!(
        whole.iter().filter(seventh).count(),
        0,
        "a page ahead of the end"
    );
}

#[test]
fn a_file_that_grows_again_has_zeros_or_what_it_had() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &[b'o'; 1024]);
    file.set_len(512).expect("a cut");
    file.set_len(1024).expect("a hole");
    let found = seen(&disk, |root| runs(&read(root, "file")));
    let expected = [
        vec![(b'o', 512)],
        vec![(b'o', 1024)],
        vec![(b'o', 512), (0, 512)],
    ];
    assert_eq!(found, expected.into());
}

#[test]
fn so_it_is_in_the_pages_behind_the_cut_whatever_is_found_elsewhere() {
    for is_written in [false, true] {
        let (disk, root) = disk();
        let file = synced(&*root, "file", &[b'o'; 8192]);
        file.set_len(4096).expect("a cut");
        if is_written {
            put(&*file, b"n", 8191);
        } else {
            file.set_len(8192).expect("a hole");
        }
        put(&*file, b"n", 0);
        let look = |root: &dyn Directory| {
            let bytes = read(root, "file");
            (bytes[0], bytes.get(4096).copied())
        };
        let mut expected = BTreeSet::new();
        for first in *b"on" {
            expected.extend([None, Some(0), Some(b'o')].map(|behind| (first, behind)));
        }
        assert_eq!(seen(&disk, look), expected);
        file.sync_data().expect("a sync");
        assert_eq!(seen(&disk, look), [(b'n', Some(0))].into());
    }
}

#[test]
fn what_lay_behind_the_page_is_no_more_when_the_file_grows_far() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", &[b'o'; 8192]);
    file.set_len(0).expect("a cut");
    put(&*file, b"n", 8191);
    file.sync_data().expect("a sync");
    let expected = vec![(0, 8191), (b'n', 1)];
    assert_eq!(
        seen(&disk, |root| runs(&read(root, "file"))),
        [expected].into()
    );
}

#[test]
fn a_cut_and_an_append_are_not_one() {
    let (disk, root) = disk();
    let file = synced(&*root, "file", b"abcdef");
    file.set_len(3).expect("a cut");
    put(&*file, b"XY", 3);
    let found = seen(&disk, |root| {
        String::from_utf8(read(root, "file")).expect("UTF-8")
    });
    // Three lengths, of a sector that was three things.
    let expected = [
        "abc",
        "abcde",
        "abcdef",
        "abc\0\0",
        "abc\0\0\0",
        "abcXY",
        "abcXY\0",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}
