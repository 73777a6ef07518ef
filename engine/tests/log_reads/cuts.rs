//! Cuts under readers: who is told what, and what they hold stays as it was.

use std::os::unix::fs::MetadataExt;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, KeptRecord, Log, Retention};

use crate::bench::{Place, fill, offsets, payload, rest, small};

/// Records with a length of 128 bytes on disk, ten a segment.
fn filled(place: &Place, records: usize) -> Log {
    let log = place.open(tens());
    fill(&log, vec![100; records]);
    log
}

fn tens() -> Config {
    Config {
        segment_size_bytes: 32 + 10 * 128,
        index_spacing_bytes: 300,
        retention: Retention {
            bytes: Some(1),
            ..Retention::default()
        },
        ..small()
    }
}

fn inode(place: &Place, id: u64) -> u64 {
    let path = place.path.as_ref().expect("on the real disk").path();
    let name = format!("{id:020}.log");
    std::fs::metadata(path.join(name))
        .expect("it is there")
        .ino()
}

fn is_as_written(kept: &KeptRecord) -> bool {
    kept.payload() == payload(kept.offset(), 100)
}

#[derive(Debug, PartialEq)]
enum Told {
    GoesOn,
    Ends,
    Rewound(u64),
    Trimmed { requested: u64, oldest: u64 },
}

/// What an iterator is told that has read up to `position` when `cut` happens.
fn told(place: &Place, position: u64, cut: impl Fn(&Log)) -> Told {
    let log = filled(place, 35);
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    for _ in 0..position {
        records.next().expect("it reads").expect("one more");
    }
    cut(&log);
    let mut once = || match records.next() {
        Ok(Some(record)) => {
            assert_eq!(record.offset(), position);
            Told::GoesOn
        }
        Ok(None) => Told::Ends,
        Err(StorageError::Rewound { to }) => Told::Rewound(to),
        Err(StorageError::Trimmed { requested, oldest }) => Told::Trimmed { requested, oldest },
        Err(other) => panic!("{other}"),
    };
    let first = once();
    if !matches!(first, Told::GoesOn) {
        assert_eq!(once(), first, "it stays that way");
    }
    first
}

#[test]
fn rewound_or_trimmed() {
    type Cut = &'static dyn Fn(&Log);
    let truncate: Cut = &|log| log.truncate(15).expect("it cuts");
    let and_on: Cut = &|log| {
        log.truncate(15).expect("it cuts");
        fill(log, [100; 30]);
    };
    let twice: Cut = &|log| {
        log.truncate(15).expect("it cuts");
        fill(log, [100; 30]);
        log.truncate(20).expect("it cuts");
    };
    let trim: Cut = &|log| {
        assert_eq!(log.retain().expect("it trims"), 3);
    };
    let both: Cut = &|log| {
        log.truncate(25).expect("it cuts");
        log.retain().expect("it trims");
    };
    let reset_up: Cut = &|log| log.reset_to(100).expect("it begins anew");
    let reset_down: Cut = &|log| {
        log.reset_to(12).expect("it begins anew");
        fill(log, [100; 3]);
    };
    let trimmed = |requested, oldest| Told::Trimmed { requested, oldest };
    for (name, position, cut, expected) in [
        ("below a cut", 14, truncate, Told::GoesOn),
        ("at it", 15, truncate, Told::Ends),
        ("above it", 16, truncate, Told::Rewound(15)),
        ("in a segment that went", 30, truncate, Told::Rewound(15)),
        ("at the tail", 35, truncate, Told::Rewound(15)),
        ("below, and on", 14, and_on, Told::GoesOn),
        ("at it, and on", 15, and_on, Told::GoesOn),
        ("above, and on", 16, and_on, Told::Rewound(15)),
        ("between two", 17, twice, Told::Rewound(15)),
        ("below two", 12, twice, Told::GoesOn),
        ("below the base", 29, trim, trimmed(29, 30)),
        ("at the base", 30, trim, Told::GoesOn),
        ("above the base", 33, trim, Told::GoesOn),
        ("cut and trimmed, above", 26, both, Told::Rewound(25)),
        ("cut and trimmed, below", 19, both, trimmed(19, 20)),
        ("cut and trimmed, between", 22, both, Told::GoesOn),
        ("all below a reset", 35, reset_up, trimmed(35, 100)),
        ("above a reset", 14, reset_down, Told::Rewound(12)),
        ("at a reset", 12, reset_down, Told::GoesOn),
        ("below a reset", 3, reset_down, trimmed(3, 12)),
    ] {
        for place in Place::all() {
            let told = told(&place, position, cut);
            // What is at hand of a file that was unlinked may still be handed out.
            if name == "below the base" && told == Told::GoesOn {
                continue;
            }
            assert_eq!(told, expected, "{name}, {}", place.name);
        }
    }
}

#[test]
fn a_new_reader_after_a_cut() {
    for place in Place::all() {
        let log = filled(&place, 35);
        log.truncate(15).expect("it cuts");
        assert_eq!(offsets(&log, 10), [10, 11, 12, 13, 14]);
        assert!(offsets(&log, 15).is_empty());
        assert!(offsets(&log, 30).is_empty());
        fill(&log, [100; 10]);
        assert_eq!(offsets(&log, 0).len(), 25);
    }
}

#[test]
fn views_keep_the_file_that_a_cut_replaces() {
    let place = Place::mapped();
    let log = filled(&place, 35);
    let before = inode(&place, 1);
    let kept: Vec<_> = log.read_range(0, u64::MAX).expect("it reads");
    let mut records = log.read(16, Bound::Tail).expect("it is there");
    let lent = records.next().expect("it reads").expect("one more");
    assert_eq!(log.metrics().pinned_bytes, 0);
    log.truncate(15).expect("it cuts");
    assert_ne!(inode(&place, 1), before, "another file in its place");
    assert!(log.metrics().pinned_bytes > 0, "readers keep the old one");
    // Other records where the old ones were, as long as they.
    for _ in 0..30 {
        log.append(&[Entry::new(&[0xee; 100])]).expect("it appends");
    }
    assert_eq!(lent.payload(), payload(16, 100));
    assert_eq!(kept.len(), 35);
    assert!(kept.iter().all(is_as_written));
    drop(kept);
    assert!(matches!(
        records.next(),
        Err(StorageError::Rewound { to: 15 })
    ));
    drop(records);
    assert_eq!(log.metrics().pinned_bytes, 0, "nobody does any more");
}

#[test]
fn without_views_the_file_is_cut_in_place() {
    let place = Place::mapped();
    let log = filled(&place, 35);
    // Somebody looked, and is gone.
    assert_eq!(offsets(&log, 0).len(), 35);
    let before = inode(&place, 1);
    log.truncate(15).expect("it cuts");
    assert_eq!(inode(&place, 1), before);
    assert_eq!(offsets(&log, 0).len(), 15);
}

#[test]
fn what_is_kept_survives_everything() {
    for place in Place::all() {
        let log = filled(&place, 35);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        let mut kept = Vec::new();
        while let Some(record) = records.next().expect("it reads") {
            kept.push(record.keep());
        }
        log.truncate(25).expect("it cuts");
        fill(&log, [100; 30]);
        log.retain().expect("it trims");
        log.reset_to(3).expect("it begins anew");
        for _ in 0..30 {
            log.append(&[Entry::new(&[0xee; 100])]).expect("it appends");
        }
        log.close().expect("it closes");
        drop((records, log));
        let Place {
            directory, path, ..
        } = place;
        drop((directory, path));
        assert_eq!(kept.len(), 35);
        let sent = std::thread::spawn(move || kept.iter().all(is_as_written));
        assert!(sent.join().expect("it ends"));
    }
}

#[test]
fn retention_does_not_touch_what_somebody_reads() {
    let place = Place::mapped();
    let log = filled(&place, 35);
    let mut records = log.read(2, Bound::Tail).expect("it is there");
    let lent = records.next().expect("it reads").expect("one more");
    log.retain().expect("it trims");
    assert_eq!(lent.payload(), payload(2, 100));
    assert!(matches!(
        log.read(2, Bound::Tail),
        Err(StorageError::Trimmed {
            requested: 2,
            oldest: 30
        })
    ));
    assert!(log.metrics().pinned_bytes > 0);
    drop(records);
    assert_eq!(log.metrics().pinned_bytes, 0);
    assert_eq!(
        rest(&mut log.read(30, Bound::Tail).expect("it is there")).len(),
        5
    );
}

#[test]
fn many_cuts() {
    for place in Place::all() {
        let log = filled(&place, 35);
        let mut below = log.read(0, Bound::Tail).expect("it is there");
        let mut above = log.read(7, Bound::Tail).expect("it is there");
        // More of them in memory than are remembered one by one.
        let rounds = if place.name == "memory" { 300 } else { 30 };
        for round in 0..rounds {
            log.truncate(6 + round % 20).expect("it cuts");
            fill(&log, [100; 25]);
        }
        assert_eq!(rest(&mut below).first(), Some(&0));
        assert!(matches!(above.next(), Err(StorageError::Rewound { to: 6 })));
    }
}
