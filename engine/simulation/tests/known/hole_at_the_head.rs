//! Logs that unlink several old segments and sync the directory once: power loss keeps any of the names, so that the oldest
//! segment is there and its successor is not, and the log can never be joined again.
//! Here a segment goes durably before the next is touched, so what is left always joins, and a hole that somebody else
//! left is named and never opened around (Felix 7.7, 10).

use ondisk_engine::felix::error::CorruptionKind;
use ondisk_engine::felix::log::{Config, Retention};

use crate::bench::{append_next, as_written, config, goes_on, open, records, refuses, reports};
use crate::build::{Segment, Shard, index_name, length};
use crate::power::cut_everywhere;

fn two_segments_kept() -> Config {
    Config {
        retention: Retention {
            bytes: Some(2 * length(4)),
            ..Retention::default()
        },
        ..config()
    }
}

#[test]
fn retention_that_loses_power_anywhere_leaves_no_hole() {
    let mut bases = std::collections::BTreeSet::new();
    cut_everywhere(
        |directory| {
            let log = open(directory, &config()).expect("it opens");
            append_next(&log, 30).expect("it appends");
            log.close().expect("it closes");
        },
        |directory, removed: &mut u64| {
            let log = open(directory, &two_segments_kept())?;
            *removed = log.retain()?;
            Ok(())
        },
        |found| {
            let directory = found.directory();
            let log = open(&directory, &config()).expect(&found.place);
            // The index of a segment may have gone without it.
            let is_derived = |report: &&str| *report == "index_rebuilt";
            assert!(reports(&log).iter().all(is_derived), "{}", found.place);
            let base = log.base();
            assert!(base.is_multiple_of(4) && base <= 24, "{}", found.place);
            assert_eq!(records(&log), as_written(base..30), "{}", found.place);
            if *found.told > 0 {
                assert_eq!((*found.told, base), (6, 24), "{}", found.place);
            }
            bases.insert(base);
            goes_on(&found.place, &directory, &config(), log);
        },
    );
    assert_eq!(bases.len(), 7, "power goes between any two");
}

#[test]
fn a_hole_that_somebody_else_left_is_refused_by_name() {
    let segment = |id: u64| Segment::of(id * 4..id * 4 + 4);
    for (what, ids, expected, found) in [
        ("behind the oldest", vec![0, 3, 4], 4, 12),
        ("in the middle", vec![0, 1, 2, 4, 5], 12, 16),
        ("ahead of the newest", vec![0, 1, 4], 8, 16),
    ] {
        let mut shard = Shard::new().mark(5, 32);
        for &id in &ids {
            shard = shard.segment(id, &segment(id));
        }
        let kind = CorruptionKind::OffsetOutOfOrder { expected, found };
        refuses(what, &shard.0, &config(), (kind, found / 4, 0));
    }
}

/// No hole: what is missing in front was removed, an index without its segment is nothing.
#[test]
fn what_is_missing_in_front_of_the_oldest_is_no_hole() {
    let mut shard = Shard::new().mark(9, length(4));
    for id in 7..10 {
        shard = shard.segment(id, &Segment::of(id * 4..id * 4 + 4));
    }
    let stale = crate::build::index(8, &[(8, 32)]);
    let shard = shard.file(&index_name(2), &stale);
    let right = crate::bench::Right {
        reports: &[],
        offsets: 28..40,
        saved: &[],
    };
    crate::bench::opens("in front", &shard.0, &config(), &right);
}
