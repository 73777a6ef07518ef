//! A log that is only looked at, and what happens to it where the reader does not look.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ondisk_engine::disk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, Environment, ReadOnlyLog};

use crate::bench::{Place, fill, rest, small};
use crate::disk::{Call, told};

/// Between the reader's look and its read of the file, the log is cut below it and filled again.
#[test]
fn a_cut_just_ahead_of_a_read() {
    let place = Place::memory();
    let log = place.open(small());
    fill(&log, [20; 30]);
    let (directory, hooks) = told(Arc::clone(&place.directory));
    let environment = Environment::default();
    let only = ReadOnlyLog::open_in(directory, &small(), &environment).expect("it opens");
    let mut records = only.read(0, Bound::Tail).expect("it is there");
    for offset in 0..5 {
        let record = records.next().expect("it reads").expect("one more");
        assert_eq!(record.offset(), offset);
    }
    // One in a later segment, which it need not mind, after which it looks for its place anew.
    log.truncate(25).expect("it cuts");
    fill(&log, [20; 1]);
    only.refresh().expect("it can look");
    let is_cut = Arc::new(AtomicBool::new(false));
    let cuts = Arc::clone(&is_cut);
    hooks.set(move |call, name| {
        let reads = call == Call::Read && name == "00000000000000000000.log";
        if reads && !cuts.swap(true, Ordering::Relaxed) {
            log.truncate(3).expect("it cuts");
            for offset in 3..30 {
                // The segment gets another length, and not a shorter one.
                let bytes = [0xee; 24];
                let len = if offset == 10 { 24 } else { 20 };
                log.append(&[Entry::new(&bytes[..len])])
                    .expect("it appends");
            }
        }
        Ok(())
    });
    let found = records.next().map(|record| record.map(|it| it.offset()));
    assert!(is_cut.load(Ordering::Relaxed));
    assert!(
        matches!(found, Err(StorageError::Rewound { to }) if to <= 3),
        "{found:?}"
    );
}

/// Damage behind what was seen is told of by a look, and keeps nobody from what lies ahead of it.
#[test]
fn damage_behind_what_is_read() {
    let config = || Config {
        segment_size_bytes: 1 << 20,
        ..small()
    };
    let place = Place::memory();
    let log = place.open(config());
    // Several windows.
    fill(&log, [1000; 300]);
    let directory = Arc::clone(&place.directory);
    let environment = Environment::default();
    let only = ReadOnlyLog::open_in(directory, &config(), &environment).expect("it opens");
    fill(&log, [1000]);
    log.sync().expect("it flushes");
    let file = place.directory.edit("00000000000000000000.log");
    let file = file.expect("it is there");
    let end = file.stat().expect("memory").len;
    disk::write_all_at(&*file, &[0xff; 8], end - 8).expect("memory");
    only.refresh().expect("it may be on its way");
    let looked = only.refresh();
    assert!(
        matches!(looked, Err(StorageError::Corruption(_))),
        "{looked:?}"
    );
    let mut records = only.read(0, Bound::Tail).expect("it is there");
    assert_eq!(rest(&mut records), (0..300).collect::<Vec<_>>());
}
