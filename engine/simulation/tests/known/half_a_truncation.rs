//! Replicated logs that truncate over several segments and die between two of them: the rest comes back, or a hole is left,
//! or an empty log begins at 0 and gives out offsets a second time.
//! Here segments go from the newest on, each durably, and the one that follows them is whole before the first goes, so that
//! any crash leaves a log that the same call brings to its end (Felix 7.6, 14.1, 14.2).

use std::collections::BTreeSet;
use std::ops::Range;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Log;

use crate::bench::{append, append_next, as_written, config, goes_on, open, records, reports};
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

/// Cuts a log of these offsets, with power going anywhere, and brings the cut to its end. Returns what opens reported.
fn cut(log: Range<u64>, cut: Cut) -> BTreeSet<&'static str> {
    let mut met = BTreeSet::new();
    cut_everywhere(
        |directory| {
            let log_of = open(directory, &config()).expect("it opens");
            if log.start > 0 {
                log_of.reset_to(log.start).expect("it begins there");
            }
            append_next(&log_of, log.end - log.start).expect("it appends");
            log_of.close().expect("it closes");
        },
        |directory, _: &mut ()| cut.apply(&open(directory, &config())?),
        |found| met.extend(converges(found, &log, cut)),
    );
    met
}

fn converges(found: &Found<'_, ()>, whole: &Range<u64>, cut: Cut) -> Vec<&'static str> {
    let (place, directory) = (&found.place, found.directory());
    let log = open(&directory, &config()).unwrap_or_else(|error| panic!("{place}: {error}"));
    let reports = reports(&log);
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
    for offset in [2, 6, 8, 17] {
        let mut met = cut(0..18, Cut::Truncate(offset));
        // What was cut off in place may be found as zeros: past the mark, which went back first.
        met.remove("past_durable_mark");
        assert_eq!(met, BTreeSet::new(), "{offset}");
    }
}

#[test]
fn a_truncation_below_the_base_leaves_the_log_or_an_empty_one_at_the_cut() {
    for offset in [0, 40, 100] {
        let met = cut(100..118, Cut::Truncate(offset));
        assert_eq!(met, BTreeSet::from(["interrupted_reset"]), "{offset}");
    }
}

#[test]
fn a_reset_leaves_the_log_or_an_empty_one_at_its_base() {
    for base in [3, 100, 110, 118, 200] {
        let met = cut(100..118, Cut::Reset(base));
        assert_eq!(met, BTreeSet::from(["interrupted_reset"]), "{base}");
    }
}
