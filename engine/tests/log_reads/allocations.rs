//! Nothing is allocated for a record.

use std::hint::black_box;

use ondisk_engine::felix::log::{Bound, Config};

use crate::bench::{Place, fill, small};
use crate::counting::allocations;

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(black_box(Box::new(7)))), 1);
}

#[test]
fn iterating_and_keeping() {
    const RECORDS: usize = 2000;
    for place in Place::all() {
        // One segment: opening the next one may allocate.
        let log = place.open(Config {
            segment_size_bytes: 64 << 20,
            ..small()
        });
        fill(&log, [100; RECORDS]);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        records.next().expect("it reads").expect("one more");
        let mut met = 1;
        let count = allocations(|| {
            while let Some(record) = records.next().expect("it reads") {
                black_box((
                    record.offset(),
                    record.payload(),
                    record.mark(),
                    record.checksum(),
                ));
                met += 1;
            }
        });
        assert_eq!(met, RECORDS);
        assert_eq!(count, 0, "{}", place.name);

        // The same again, keeping one record at a time.
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        records.next().expect("it reads").expect("one more");
        let count = allocations(|| {
            while let Some(record) = records.next().expect("it reads") {
                black_box(record.keep());
            }
        });
        assert_eq!(count, 0, "{}, kept for a moment", place.name);

        // Keeping all of them: one more buffer for every window, and none where pages are mapped.
        let mut kept = Vec::with_capacity(RECORDS);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        records.next().expect("it reads").expect("one more");
        let count = allocations(|| {
            while let Some(record) = records.next().expect("it reads") {
                kept.push(record.keep());
            }
        });
        let windows = RECORDS * 128 / (64 * 1024) + 1;
        let most = if place.name == "mapped" {
            0
        } else {
            2 * windows
        };
        assert!(count <= most, "{count} allocations, {}", place.name);
    }
}

#[test]
fn point_reads() {
    let place = Place::mapped();
    let log = place.open(Config {
        segment_size_bytes: 100_000,
        ..small()
    });
    fill(&log, [100; 5000]);
    let read = |offset| {
        let mut records = log.read(offset, Bound::Tail).expect("it is there");
        let record = records.next().expect("it reads").expect("one more");
        assert_eq!(record.offset(), offset);
    };
    for offset in (0..5000).step_by(97) {
        read(offset);
    }
    let count = allocations(|| {
        for offset in (0..5000).step_by(89) {
            read(offset);
        }
    });
    assert_eq!(count, 0, "with every segment open");
}
