//! Recoveries that change what they judge by: they die half-way, and the next one finds a directory that proves something
//! else, drops more, or refuses what the first would have mended.
//! Here the plan is made before anything is changed, each step is durable before the next, and what a crash leaves in
//! between is planned to the same end (Felix 7.1, 7.9).

use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_engine::felix::log::Config;
use ondisk_engine::felix::recovery::Provable;

use crate::bench::{config, files, goes_on, open, records, reports, saved};
use crate::build::{Segment, Shard, index_name, length, log_name};
use crate::power::found;

/// `EIO`.
const BROKEN: i32 = 5;

/// `ENOSPC`.
const FULL: i32 = 28;

type Build = fn(Shard) -> Shard;

/// Four records in a segment that is sealed.
fn sealed(shard: Shard) -> Shard {
    shard.segment(0, &Segment::of(0..4))
}

/// Directories to be repaired, and the reports that say so.
const DAMAGED: [(&[&str], Build); 17] = [
    (&["torn_tail"], |shard| {
        let torn = Segment::of(4..8).cut_to(length(4) - 10);
        sealed(shard).segment(1, &torn).mark(1, length(1))
    }),
    // Where no mark says that what is behind the cut was never flushed.
    (&["torn_tail"], |shard| {
        let torn = Segment::of(4..8).cut_to(length(4) - 10);
        sealed(shard).segment(1, &torn)
    }),
    (&["torn_tail"], |shard| {
        let torn = Segment::of(4..8).cut_to(length(4) - 10);
        sealed(shard).segment(1, &torn).mark(1, length(4))
    }),
    (&["past_durable_mark"], |shard| {
        let rotten = Segment::of(4..8).rotten_at(length(2) + 40);
        sealed(shard).segment(1, &rotten).mark(1, length(1))
    }),
    (&["zero_tail"], |shard| {
        let zeros = Segment::of(4..6).payload(&[b'x'; 2000]);
        let zeros = zeros.cut_to(1000).padded_to(4096);
        sealed(shard).segment(1, &zeros).mark(1, 1000)
    }),
    (&["checksum_tail"], |shard| {
        let rotten = Segment::of(4..8).rotten_at(length(3) + 40);
        sealed(shard).segment(1, &rotten).mark(1, length(4))
    }),
    (&["blank_inside_chain"], |shard| {
        sealed(shard)
            .file(&log_name(3), &[0; 10])
            .segment(7, &Segment::of(4..6))
            .mark(7, length(2))
    }),
    (&["abandoned_segment"], |shard| {
        sealed(shard).file(&log_name(1), &[]).mark(0, length(4))
    }),
    (&["abandoned_segment", "abandoned_segment"], |shard| {
        sealed(shard)
            .file(&log_name(1), &[0; 32])
            .file(&log_name(2), &[0; 500])
            .mark(0, length(4))
    }),
    (&["blank_first"], |shard| shard.file(&log_name(0), &[0; 20])),
    (&["blank_first", "interrupted_reset"], |shard| {
        let waiting = SegmentFile::Temporary { id: 5 }.to_string();
        shard
            .file(&log_name(0), &[])
            .file(&waiting, &Segment::at(70).bytes)
            .mark(0, 32)
    }),
    (&["interrupted_reset"], |shard| {
        let waiting = SegmentFile::Temporary { id: 5 }.to_string();
        shard.file(&waiting, &Segment::at(70).bytes)
    }),
    (&["unfinished_roll"], |shard| {
        let torn = Segment::of(0..4).cut_to(length(4) - 10);
        shard
            .segment(0, &torn)
            .segment(1, &Segment::of(4..6))
            .mark(0, length(2))
    }),
    (&["unfinished_roll"], |shard| {
        shard
            .segment(0, &Segment::of(0..3))
            .segment(1, &Segment::at(4))
            .mark(0, length(3))
    }),
    (&["index_rebuilt"], |shard| {
        sealed(shard)
            .file(&index_name(0), b"no index")
            .segment(1, &Segment::of(4..6))
            .mark(1, length(2))
    }),
    (&["short_of_mark"], |shard| {
        sealed(shard)
            .segment(1, &Segment::of(4..6))
            .mark(1, length(4))
    }),
    (&[], |shard| shard.mark(0, 32)),
];

/// Each of them with the settings that it needs; a torn tail needs none, so it is cut by the seed's own rules too.
fn damaged() -> impl Iterator<Item = (&'static [&'static str], SimulatedDisk, Config)> {
    let opted_in = Config {
        repair_checksum_tail: true,
        ..config()
    };
    let strict = Config {
        provable: Provable::STRICT,
        ..config()
    };
    DAMAGED.into_iter().flat_map(move |(reports, build)| {
        let configs = match reports {
            ["torn_tail"] => vec![config(), strict.clone()],
            ["checksum_tail"] => vec![opted_in.clone()],
            _ => vec![config()],
        };
        configs.into_iter().map(move |config| {
            let disk = SimulatedDisk::new();
            build(Shard::on(&disk));
            (reports, disk, config)
        })
    })
}

#[test]
fn a_repair_that_loses_power_anywhere_comes_to_the_same_end() {
    let mut cuts = 0;
    for (name, damaged, config) in damaged() {
        let (expected, kept) = {
            let directory = damaged.copy().root();
            let log = open(&directory, &config).unwrap_or_else(|error| panic!("{name:?}: {error}"));
            assert_eq!(reports(&log), name);
            let there = files(&*directory);
            let kept: Vec<_> = saved(&log).iter().map(|name| there[name].clone()).collect();
            ((log.base(), log.tail(), records(&log)), kept)
        };
        for at in 0.. {
            let disk = damaged.copy();
            disk.arm(Some(Fault::PowerCut {
                at: disk.operations() + at,
            }));
            let opened = open(&disk.root(), &config).is_ok();
            for disk in found(&disk) {
                let place = format!("{name:?}, power cut at operation {at}");
                let directory = disk.root();
                let log = open(&directory, &config);
                let log = log.unwrap_or_else(|error| panic!("{place}: {error}"));
                let now = (log.base(), log.tail(), records(&log));
                assert_eq!(now, expected, "{place}");
                // Under one name or another, and perhaps twice.
                let there = files(&*directory);
                for bytes in &kept {
                    let is_kept = there
                        .iter()
                        .any(|(name, saved)| name.contains(".cut-") && saved == bytes);
                    assert!(is_kept, "{place}: what was cut is gone");
                }
                goes_on(&place, &directory, &config, log);
            }
            if opened {
                break;
            }
            cuts += 1;
        }
    }
    assert!(cuts > 60, "only {cuts} power cuts");
}

/// And so does one whose calls fail while the power stays.
#[test]
fn a_repair_that_fails_anywhere_comes_to_the_same_end() {
    for (name, damaged, config) in damaged() {
        let expected = {
            let log = open(&damaged.copy().root(), &config).expect("it opens");
            (log.base(), log.tail(), records(&log))
        };
        let (first, end) = {
            let disk = damaged.copy();
            let first = disk.calls();
            drop(open(&disk.root(), &config).expect("it opens"));
            (first, disk.calls())
        };
        for (at, errno) in (first..end).flat_map(|at| [(at, BROKEN), (at, FULL)]) {
            let disk = damaged.copy();
            disk.arm(Some(Fault::Fails {
                at,
                errno,
                for_good: false,
            }));
            drop(open(&disk.root(), &config));
            disk.arm(None);
            let place = format!("{name:?}, call {at} fails with {errno}");
            let log = open(&disk.root(), &config);
            let log = log.unwrap_or_else(|error| panic!("{place}: {error}"));
            let now = (log.base(), log.tail(), records(&log));
            assert_eq!(now, expected, "{place}");
            goes_on(&place, &disk.root(), &config, log);
        }
    }
}
