//! Replicated logs that truncate over several segments and die between two of them: the rest comes back, or a hole is left,
//! or an empty log begins at 0 and gives out offsets a second time.
//! Here segments go from the newest on, each durably, and the one that follows them is whole before the first goes, so that
//! any crash leaves a log that the same call brings to its end (Felix 7.6, 14.1, 14.2).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, FsyncMode, Log};

use crate::bench::{
    append, append_next, as_written, config, environment, goes_on, open, records, reports,
};
use crate::power::{Found, cut_everywhere};

#[derive(Clone, Copy)]
enum Cut {
    Truncate(u64),
    Reset(u64),
}

impl Cut {
    fn apply(self, log: &Log) -> Result<(), StorageError> {
        match self {
            Self::Truncate(offset) => log.truncate(offset),
            Self::Reset(base) => log.reset_to(base),
        }
    }

    fn offset(self) -> u64 {
        let (Self::Truncate(offset) | Self::Reset(offset)) = self;
        offset
    }
}

/// Records that are appended ahead of the cut: none, or some that are not flushed while a roll is under way.
const UNFLUSHED: [u64; 2] = [0, 3];

/// Cuts a log of these offsets, with power going anywhere, and brings the cut to its end. Returns what opens reported.
fn cut(flushed: Range<u64>, cut: Cut) -> BTreeSet<&'static str> {
    let mut met = BTreeSet::new();
    for unflushed in UNFLUSHED {
        let whole = flushed.start..flushed.end + unflushed;
        cut_everywhere(
            |directory| {
                let log = open(directory, &config()).expect("it opens");
                if flushed.start > 0 {
                    log.reset_to(flushed.start).expect("it begins there");
                }
                append_next(&log, flushed.end - flushed.start).expect("it appends");
                log.close().expect("it closes");
            },
            |directory, _: &mut ()| {
                let environment = environment();
                let log = Log::open_in(Arc::clone(directory), rolling(), &environment)?;
                for _ in 0..unflushed {
                    append_next(&log, 1)?;
                    environment.background.run_ready();
                }
                cut.apply(&log)
            },
            |found| met.extend(converges(found, &whole, cut)),
        );
    }
    met
}

/// Flushes at seals only, and prepares a segment as soon as the one before has a record.
fn rolling() -> Config {
    Config {
        fsync: FsyncMode::None,
        rollover_threshold_percent: 40,
        ..config()
    }
}

fn converges(found: &Found<'_, ()>, whole: &Range<u64>, cut: Cut) -> Vec<&'static str> {
    let (place, directory) = (&found.place, found.directory());
    let log = open(&directory, &config()).unwrap_or_else(|error| panic!("{place}: {error}"));
    let reports = reports(&log);
    // The mark went back first, so nothing that it vouches for is missed.
    assert!(!log.recovered().may_have_lost_acknowledged(), "{place}");
    let offsets = log.base()..log.tail();
    // Where a truncation stops in the log, what lies below stays; a truncation below it, and a reset, leave nothing.
    let kept = match cut {
        Cut::Truncate(offset) if offset > whole.start => whole.start..offset,
        _ => cut.offset()..cut.offset(),
    };
    let is_cut = offsets == kept;
    let lowest = if kept.is_empty() {
        whole.start
    } else {
        kept.end
    };
    let is_on_the_way = offsets.start == whole.start && (lowest..=whole.end).contains(&offsets.end);
    assert!(is_cut || is_on_the_way, "{place}: {offsets:?}");
    assert!(is_cut || !found.finished, "{place}: {offsets:?}");
    assert_eq!(records(&log), as_written(offsets), "{place}");
    cut.apply(&log)
        .unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(log.base()..log.tail(), kept, "{place}");
    assert_eq!(log.durable(), kept.end, "{place}");
    append(&log, b"anew").unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut expected = as_written(kept.clone());
    expected.insert(kept.end, b"anew".to_vec());
    assert_eq!(records(&log), expected, "{place}");
    goes_on(place, &directory, &config(), log);
    reports
}

#[test]
fn a_truncation_over_segments_loses_nothing_below_the_cut() {
    for offset in [2, 8, 17] {
        let met = cut(0..18, Cut::Truncate(offset));
        assert!(!met.contains("interrupted_reset"), "{offset}: {met:?}");
    }
}

#[test]
fn a_truncation_below_the_base_leaves_the_log_or_an_empty_one_at_the_cut() {
    for offset in [40, 100] {
        let met = cut(100..118, Cut::Truncate(offset));
        assert!(met.contains("interrupted_reset"), "{offset}: {met:?}");
    }
}

#[test]
fn a_reset_leaves_the_log_or_an_empty_one_at_its_base() {
    for base in [3, 110, 200] {
        let met = cut(100..118, Cut::Reset(base));
        assert!(met.contains("interrupted_reset"), "{base}: {met:?}");
    }
}
