//! Records of every size, against windows, segments and mappings of theirs.

use ondisk_engine::felix::log::{Bound, Config, Entry};

use crate::bench::{Place, fill, offsets, payload, rest, small};

const WINDOW: usize = 64 * 1024;

/// Lengths around every limit: nothing, a byte, a window with and without a header, more than one, more than a segment.
const LENGTHS: [usize; 13] = [
    0,
    1,
    100,
    WINDOW - 29,
    WINDOW - 28,
    0,
    WINDOW - 27,
    WINDOW,
    WINDOW + 1,
    200_000,
    0,
    1 << 20,
    5,
];

#[test]
fn from_every_offset() {
    for place in Place::all() {
        let log = place.open(Config {
            segment_size_bytes: 300_000,
            index_spacing_bytes: 50_000,
            ..small()
        });
        let lengths = LENGTHS.into_iter().cycle().take(28);
        fill(&log, lengths);
        for from in 0..=29 {
            let expected: Vec<u64> = (from..28).collect();
            assert_eq!(offsets(&log, from), expected, "{}", place.name);
        }
        assert!(offsets(&log, u64::MAX).is_empty());
    }
}

#[test]
fn empty_payloads_only() {
    for place in Place::all() {
        let log = place.open(small());
        fill(&log, [0; 500]);
        assert_eq!(offsets(&log, 0).len(), 500, "{}", place.name);
        assert_eq!(offsets(&log, 499), [499]);
        let range = log.read_range(0, 0).expect("it reads");
        assert_eq!(range.len(), 500, "they take nothing of the budget");
    }
}

#[test]
fn the_segment_outgrows_its_mapping_under_a_reader() {
    for place in Place::all() {
        let log = place.open(Config {
            segment_size_bytes: 1 << 20,
            ..small()
        });
        fill(&log, [10, 10]);
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        let mut kept = Vec::new();
        let mut expected = 0;
        let mut read_on = |expected: u64| {
            for _ in kept.len() as u64..expected {
                let record = records.next().expect("it reads").expect("one more");
                kept.push(record.keep());
            }
            assert!(records.next().expect("it reads").is_none());
        };
        expected += 2;
        read_on(expected);
        // Alone in its segment, and longer than what is mapped of one.
        for len in [4 << 20, 10, 8 << 20, 0] {
            fill(&log, [len]);
            expected += 1;
            read_on(expected);
        }
        // In one batch, which is not split.
        let long = payload(expected, 2 << 20);
        let long: Vec<_> = (0..3).map(|_| Entry::new(&long)).collect();
        log.append(&long).expect("it appends");
        read_on(expected + 3);
        for (offset, record) in (0..expected).zip(&kept) {
            assert_eq!(record.offset(), offset, "{}", place.name);
            assert_eq!(record.payload(), payload(offset, record.payload().len()));
        }
    }
}

#[test]
fn an_iterator_goes_on_when_the_log_grows() {
    for place in Place::all() {
        let log = place.open(small());
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        for round in 0..50 {
            assert!(rest(&mut records).is_empty());
            fill(&log, [20, 0, 300]);
            let from = round * 3;
            assert_eq!(
                rest(&mut records),
                [from, from + 1, from + 2],
                "{}",
                place.name
            );
        }
    }
}

#[test]
fn a_bound_stays_until_it_is_reached() {
    let place = Place::mapped();
    let log = place.open(small());
    fill(&log, [10; 5]);
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    fill(&log, [10; 5]);
    let mut met = 0;
    while records.next().expect("it reads").is_some() {
        met += 1;
        if met == 5 {
            assert_eq!(records.position(), 5);
        }
    }
    assert_eq!(met + rest(&mut records).len(), 10);
}
