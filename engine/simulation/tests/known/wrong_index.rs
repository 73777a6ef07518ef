//! Brokers whose sanity check of an index fails a start, and logs that believe an index over their records: a last entry
//! past the end of the segment, the index of another one, a file with a length and a single entry.
//! Here an entry is only where a validating scan starts; a wrong one costs a longer scan, and the index is made again from
//! the records (Felix 5, 7.7).

use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::felix::log::{Bound, Log};

use crate::bench::{Right, as_written, bytes, config, open, opens, records, reports};
use crate::build::{HEADER, RECORD, Segment, Shard, index, index_name, length, put};

/// Eight records in two segments, with this index of the one with this id.
fn shard(id: u64, index: &[u8]) -> Shard {
    let shard = Shard::new()
        .segment(0, &Segment::of(0..4))
        .segment(1, &Segment::of(4..8))
        .mark(1, length(4));
    shard.file(&index_name(id), index)
}

/// What may be found under the name of an index of a segment that begins at `base`, and whether a sealed segment is
/// reported for it.
fn indexes(base: u64) -> Vec<(&'static str, Vec<u8>, bool)> {
    let position = |record: u64| HEADER + record * RECORD;
    let entry = |record: u64, position: u64| (base + record, position);
    let whole = index(base, &[entry(0, 32), entry(2, position(2))]);
    vec![
        ("it is right", whole.clone(), false),
        ("a single entry", index(base, &[entry(0, 32)]), false),
        ("no entry", index(base, &[]), true),
        ("empty", Vec::new(), true),
        ("a part of its header", whole[..23].to_vec(), true),
        (
            "a torn last entry",
            whole[..whole.len() - 1].to_vec(),
            false,
        ),
        ("zeros", vec![0; 4096], true),
        ("zeros behind it", [&whole[..], &[0; 400]].concat(), false),
        ("of another base", index(base + 4, &[entry(4, 32)]), true),
        (
            "past the end of the segment",
            index(base, &[entry(0, 32), entry(3, 1 << 40)]),
            true,
        ),
        (
            "at the end of the segment",
            index(base, &[entry(0, 32), entry(4, length(4))]),
            true,
        ),
        (
            "inside a record",
            index(base, &[entry(0, 32), entry(2, position(2) + 1)]),
            true,
        ),
        (
            "of another record",
            index(base, &[entry(0, 32), entry(3, position(2))]),
            true,
        ),
        (
            "entries in no order",
            index(base, &[entry(2, position(2)), entry(0, 32)]),
            false,
        ),
    ]
}

#[test]
fn a_sealed_segment_reads_right_whatever_its_index_says() {
    for (what, index, is_reported) in indexes(0) {
        let shard = shard(0, &index);
        let reported: &[&str] = if is_reported { &["index_rebuilt"] } else { &[] };
        let right = Right {
            reports: reported,
            offsets: 0..8,
            saved: &[],
        };
        opens(what, &shard.0, &config(), &right);
        let there = bytes(&*shard.0, &index_name(0)).expect("an index");
        if is_reported {
            let rebuilt = crate::build::index(0, &[(0, 32), (2, 160)]);
            assert_eq!(there, rebuilt, "{what}");
        } else {
            assert_eq!(there, index, "{what}: it is left as it is");
        }
    }
}

#[test]
fn the_newest_segment_has_its_index_made_again_at_every_open() {
    for (what, index, _) in indexes(4) {
        let shard = shard(1, &index);
        let log = open(&shard.0, &config()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(reports(&log), [""; 0], "{what}");
        let there = bytes(&*shard.0, &index_name(1));
        let rebuilt = crate::build::index(4, &[(4, 32), (6, 160)]);
        assert_eq!(there, Some(rebuilt), "{what}");
        drop(log);
        let right = Right {
            reports: &[],
            offsets: 0..8,
            saved: &[],
        };
        opens(what, &shard.0, &config(), &right);
    }
}

/// Reads from each offset on.
fn reads_from_everywhere(what: &str, log: &Log) {
    for from in 0..8 {
        let mut read = log.read(from, Bound::Tail).expect("it is there");
        let first = read
            .next()
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(first.expect("a record").offset(), from, "{what}");
    }
    assert_eq!(records(log), as_written(0..8), "{what}");
}

#[test]
fn an_index_that_goes_wrong_under_an_open_log_only_lengthens_the_way() {
    for (what, index, _) in indexes(0) {
        let shard = shard(0, &crate::build::index(0, &[(0, 32)]));
        let log = open(&shard.0, &config()).expect("it opens");
        put(&*shard.0, &index_name(0), &index);
        reads_from_everywhere(what, &log);
        log.truncate(3)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(records(&log), as_written(0..3), "{what}");
        crate::bench::goes_on(what, &shard.0, &config(), log);
    }
}

#[test]
fn indexes_that_changed_places_lose_no_record() {
    let directory: Arc<dyn Directory> = {
        let first = index(0, &[(0, 32), (2, 160)]);
        let second = index(4, &[(4, 32), (6, 160)]);
        shard(0, &second).file(&index_name(1), &first).0
    };
    let right = Right {
        reports: &["index_rebuilt"],
        offsets: 0..8,
        saved: &[],
    };
    opens("swapped", &directory, &config(), &right);
}
