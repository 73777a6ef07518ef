//! Indexes are not trusted: whatever lies in their place, the right records are read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ondisk::FeatureLevels;
use ondisk::felix::{Index, IndexEntry};
use ondisk_engine::disk::{self, Directory};
use ondisk_engine::felix::log::{Config, Log};

use crate::bench::{Place, fill, offsets, small};
use crate::disk::{Call, told};

fn bytes_of(base_offset: u64, entries: &[(u64, u64)]) -> Vec<u8> {
    let entries = entries
        .iter()
        .map(|&(offset, position)| IndexEntry { offset, position })
        .collect();
    let index = Index {
        base_offset,
        entries,
    };
    let mut bytes = Vec::new();
    index
        .encode(Index::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("an index");
    bytes
}

/// Puts other bytes in the place of an index; none takes it away.
fn replace(directory: &dyn Directory, bytes: Option<&[u8]>) {
    let name = "00000000000000000000.index";
    directory.unlink(name).expect("it is there");
    if let Some(bytes) = bytes {
        let file = directory.create(name).expect("it can be created");
        disk::write_all_at(&*file, bytes, 0).expect("it can be written");
    }
}

/// A log whose first segment, of records with a length of 128 bytes on disk, is sealed.
fn sealed(place: &Place) -> Log {
    let log = place.open(Config {
        segment_size_bytes: 32 + 40 * 128,
        index_spacing_bytes: 256,
        ..small()
    });
    fill(&log, [100; 50]);
    log
}

#[test]
fn whatever_lies_there() {
    let right: Vec<(u64, u64)> = (0..20).map(|at| (2 * at, 32 + 256 * at)).collect();
    let changed = |change: &dyn Fn((u64, u64)) -> (u64, u64)| {
        let entries: Vec<_> = right.iter().copied().map(change).collect();
        Some(bytes_of(0, &entries))
    };
    let mut flags = bytes_of(0, &right);
    flags[7] = 1;
    let mut torn = bytes_of(0, &right);
    torn.truncate(torn.len() - 7);
    let mut reversed = right.clone();
    reversed.reverse();
    let cases = [
        ("right", Some(bytes_of(0, &right))),
        ("gone", None),
        ("empty", Some(Vec::new())),
        ("a header alone", Some(bytes_of(0, &[]))),
        ("half a header", Some(bytes_of(0, &[])[..13].to_vec())),
        ("zeros", Some(vec![0; 400])),
        ("ones", Some(vec![0xff; 400])),
        ("of another segment", Some(bytes_of(7, &right))),
        ("unknown flags", Some(flags)),
        ("torn", Some(torn)),
        ("in reverse", Some(bytes_of(0, &reversed))),
        ("a byte off", changed(&|(offset, at)| (offset, at + 1))),
        ("a record late", changed(&|(offset, at)| (offset, at + 128))),
        ("a record early", changed(&|(offset, at)| (offset + 1, at))),
        ("in the header", changed(&|(offset, _)| (offset, 3))),
        (
            "at the end",
            changed(&|(offset, _)| (offset, 32 + 40 * 128)),
        ),
        (
            "behind it",
            changed(&|(offset, at)| (offset, at + (1 << 40))),
        ),
        ("nowhere", changed(&|(offset, _)| (offset, u64::MAX))),
        ("too high", changed(&|(_, at)| (u64::MAX, at))),
        ("all the same", changed(&|_| (0, 32))),
    ];
    for (name, bytes) in cases {
        for place in Place::all() {
            let log = sealed(&place);
            replace(&*place.directory, bytes.as_deref());
            for from in 0..50 {
                let expected: Vec<u64> = (from..50).collect();
                assert_eq!(offsets(&log, from), expected, "{name}, {}", place.name);
            }
        }
    }
}

#[test]
fn something_else_under_the_name() {
    for place in Place::all() {
        let log = sealed(&place);
        replace(&*place.directory, None);
        place
            .directory
            .create_directory("00000000000000000000.index")
            .expect("a directory in its place");
        for from in [0, 1, 38, 39, 40] {
            let expected: Vec<u64> = (from..50).collect();
            assert_eq!(offsets(&log, from), expected, "{}", place.name);
        }
    }
}

#[test]
fn a_wrong_index_is_found_out_once() {
    let wrong: Vec<(u64, u64)> = (0..20).map(|at| (2 * at, 33 + 256 * at)).collect();
    let right: Vec<(u64, u64)> = (0..20).map(|at| (2 * at, 32 + 256 * at)).collect();
    for (name, entries, asked_again) in [("wrong", wrong, false), ("right", right, true)] {
        for mut place in [Place::pread(), Place::memory()] {
            let (directory, hooks) = told(Arc::clone(&place.directory));
            place.directory = directory;
            let log = sealed(&place);
            replace(&*place.directory, Some(&bytes_of(0, &entries)));
            assert_eq!(offsets(&log, 30)[0], 30);
            let asked = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&asked);
            hooks.set(move |call, name| {
                let is_index = name == "00000000000000000000.index";
                if is_index && matches!(call, Call::Open | Call::Read) {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            });
            for from in 1..40 {
                let expected: Vec<u64> = (from..50).collect();
                assert_eq!(offsets(&log, from), expected, "{name}, {}", place.name);
            }
            let asked = asked.load(Ordering::Relaxed);
            assert_eq!(asked > 0, asked_again, "{name}, {}", place.name);
        }
    }
}
