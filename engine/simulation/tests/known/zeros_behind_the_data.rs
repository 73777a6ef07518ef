//! Logs on file systems that make the length of a file durable ahead of its data: after power loss the file ends in zeros,
//! and a log that takes them for damage stays closed, one that takes any zeros for padding drops flushed records.
//! Here the durable mark tells the two apart: zeros that it does not vouch for are cut and kept, zeros that it vouches for
//! are damage, and without a mark nothing is proved (Felix 7.3, rules 2 and 4).

use ondisk_engine::felix::error::CorruptionKind;
use ondisk_engine::felix::log::{Config, FsyncMode};
use ondisk_engine::felix::opening::{self, LogKind, Sidecars};
use ondisk_engine::felix::recovery::{OptIn, Provable, Refusal, Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard as Listed;

use crate::bench::{
    Right, append, as_written, config, goes_on, open, opens, records, refuses, reports,
};
use crate::build::{Segment, Shard, cut_name, length, mark};
use crate::power::cut_everywhere;

/// Four records, and zeros up to the end of a page.
fn zeros_behind_four() -> Segment {
    Segment::of(0..4).padded_to(4096)
}

const ZEROS: CorruptionKind = CorruptionKind::RecordHeaderChecksum {
    expected: 0,
    found: 0x0fd5_9b8d,
};

fn larger() -> Config {
    Config {
        segment_size_bytes: 1 << 16,
        ..config()
    }
}

/// Without rule 2, so that only the zeros themselves can prove anything.
fn by_zeros_alone() -> Config {
    Config {
        provable: Provable {
            past_durable_mark: false,
            ..Provable::ALL
        },
        ..larger()
    }
}

fn is_cut_to_four(what: &str, shard: &Shard, config: &Config, report: &str) {
    let saved = [(cut_name(0, length(4)), zeros_behind_four().from(length(4)))];
    let right = Right {
        reports: &[report],
        offsets: 0..4,
        saved: &saved,
    };
    opens(what, &shard.0, config, &right);
}

#[test]
fn zeros_past_the_mark_are_cut_and_kept() {
    for (what, records) in [("behind", 2), ("at the end of the data", 4)] {
        let shard = || {
            let shard = Shard::new().segment(0, &zeros_behind_four());
            shard.mark(0, length(records))
        };
        is_cut_to_four(what, &shard(), &larger(), "past_durable_mark");
        is_cut_to_four(what, &shard(), &by_zeros_alone(), "zero_tail");
    }
}

#[test]
fn zeros_that_begin_inside_a_record_take_all_of_it() {
    let four = length(4);
    let segment = Segment::of(0..4).payload(&[b'x'; 2000]);
    let segment = segment.cut_to(1000).padded_to(4096);
    let saved = [(cut_name(0, four), segment.from(four))];
    for (what, report, synced) in [
        ("the mark is at its front", "past_durable_mark", four),
        ("the mark vouches for a part of it", "zero_tail", 1000),
    ] {
        let shard = Shard::new().segment(0, &segment).mark(0, synced);
        let right = Right {
            reports: &[report],
            offsets: 0..4,
            saved: &saved,
        };
        opens(what, &shard.0, &larger(), &right);
    }
}

#[test]
fn zeros_that_the_mark_vouches_for_are_damage() {
    for (what, segment, synced) in [
        ("ahead of the data by a byte", 0, length(4) + 1),
        ("ahead of the data", 0, 4096),
        ("at a newer segment", 1, length(0)),
    ] {
        let shard = Shard::new().segment(0, &zeros_behind_four());
        let shard = shard.mark(segment, synced);
        refuses(what, &shard.0, &larger(), (ZEROS, 0, length(4)));
    }
}

#[test]
fn zeros_without_a_mark_are_cut_only_by_who_opted_in() {
    let without = || Shard::new().segment(0, &zeros_behind_four());
    let mut damaged = mark(0, length(4));
    damaged[20] ^= 1;
    for (what, shard) in [
        ("absent", without()),
        ("damaged", without().file("durable.mark", &damaged)),
        ("short", without().file("durable.mark", &damaged[..31])),
    ] {
        refuses(what, &shard.0, &larger(), (ZEROS, 0, length(4)));
        assert_eq!(opt_in(&shard), Some(OptIn::ZeroTailWithoutMark), "{what}");
        let opted_in = Config {
            provable: Provable {
                zero_tail_without_mark: true,
                ..Provable::ALL
            },
            ..larger()
        };
        is_cut_to_four(what, &shard, &opted_in, "zero_tail");
    }
}

/// The setting that a refusal names.
fn opt_in(shard: &Shard) -> Option<OptIn> {
    let listed = Listed::look(shard.0.clone(), None).expect("a list");
    let sidecars = Sidecars::load(&listed).expect("they can be read");
    let scans = Scans::new(&listed, Access::default());
    let opening = opening::open(&scans, &sidecars, LogKind::Stream, &Settings::default());
    match opening.expect("it can be read").refusal {
        Some(Refusal::Corruption { opt_in, .. }) => opt_in,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_log_that_loses_power_opens_whatever_zeros_it_finds() {
    let config = Config {
        fsync: FsyncMode::None,
        ..larger()
    };
    let mut cuts = 0;
    cut_everywhere(
        |_| {},
        |directory, _: &mut ()| {
            let log = open(directory, &config)?;
            for offset in 0..8 {
                append(&log, &large(offset))?;
            }
            Ok(())
        },
        |found| {
            let directory = found.directory();
            let log = open(&directory, &config).expect(&found.place);
            for report in reports(&log) {
                let cut = ["torn_tail", "past_durable_mark", "blank_first"];
                assert!(cut.contains(&report), "{}: {report}", found.place);
                cuts += usize::from(report == "past_durable_mark");
            }
            for (offset, payload) in records(&log) {
                assert_eq!(payload, large(offset), "{}", found.place);
            }
            goes_on(&found.place, &directory, &config, log);
        },
    );
    assert!(
        cuts > 9,
        "only {cuts} disks ended in what was never written"
    );
}

/// A payload over several sectors.
fn large(offset: u64) -> Vec<u8> {
    as_written(offset..offset + 1)[&offset].repeat(30)
}
