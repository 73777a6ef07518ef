//! Unfinished background rolls (Felix 7.8), condition by condition.

use ondisk::felix::name::SegmentFile;
use ondisk::felix::{DurableMark, IndexEntry};
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::mark::Mark;
use ondisk_engine::felix::recovery::{Provable, Scans, Settings, Step, plan};
use ondisk_engine::felix::segment::Access;

use crate::build::{Dir, bytes, reports, segment, steps};

/// Segment 1 retired with its last record zeroed, segment 2 active.
fn rolled(active_base: u64) -> Dir {
    Dir::new()
        .with(0, &segment(0, 4))
        .with(1, &segment(4, 4).zeroed_from(bytes(3)))
        .with(2, &segment(active_base, 1))
}

#[test]
fn by_condition() {
    let clean = || {
        Dir::new()
            .with(0, &segment(0, 4))
            .with(1, &segment(4, 2))
            .with(2, &segment(8, 1))
    };
    for (name, dir, expected) in [
        (
            "all hold",
            rolled(8).mark(1, bytes(1)),
            "repaired(unfinished_roll)",
        ),
        (
            "1: in an older segment",
            Dir::new()
                .with(0, &segment(0, 4).rot(70))
                .with(1, &segment(4, 4))
                .with(2, &segment(8, 1))
                .mark(0, 32),
            "refused(RecordChecksum)",
        ),
        (
            "1: the active one fails",
            Dir::new()
                .with(0, &segment(0, 4))
                .with(1, &segment(4, 4).rot(70))
                .mark(1, bytes(4)),
            "refused(RecordChecksum)",
        ),
        (
            "1: the active one begins above the end",
            clean().mark(1, bytes(1)),
            "repaired(unfinished_roll)",
        ),
        (
            "1: the active one begins below the end",
            Dir::new()
                .with(0, &segment(0, 4))
                .with(1, &segment(4, 4))
                .with(2, &segment(6, 1))
                .mark(1, 32),
            "refused(OffsetOutOfOrder)",
        ),
        ("2: no mark", rolled(8), "refused(RecordHeaderChecksum)"),
        (
            "2: the mark is in the active one",
            rolled(8).mark(2, 32),
            "refused(RecordHeaderChecksum)",
        ),
        (
            "2: the mark is in an older one",
            rolled(8).mark(0, bytes(4)),
            "repaired(unfinished_roll)",
        ),
        (
            "3: clean, but up to the base",
            Dir::new()
                .with(0, &segment(0, 4))
                .with(1, &segment(4, 4))
                .with(2, &segment(8, 1))
                .mark(1, bytes(4)),
            "open_ok",
        ),
        (
            "3: refused at once",
            Dir::new()
                .with(0, &segment(0, 4))
                .with(1, &segment(4, 2).raw(&bad_tag()))
                .with(2, &segment(8, 1))
                .mark(1, 32),
            "refused(RecordTag)",
        ),
        (
            "4: the cut is at the mark",
            rolled(8).mark(1, bytes(3)),
            "repaired(unfinished_roll)",
        ),
        (
            "4: the cut is below the mark",
            rolled(8).mark(1, bytes(3) + 1),
            "refused(RecordHeaderChecksum)",
        ),
        (
            "4: clean, but short of the mark",
            clean().mark(1, bytes(3)),
            "refused(OffsetOutOfOrder)",
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
    }
}

/// A record of version 3 with an empty batch, right in all else, at offset 6.
fn bad_tag() -> Vec<u8> {
    let good = crate::build::SegmentBytes::new(3, 6)
        .opens(1, 2, 3)
        .bytes
        .split_off(32);
    let (head, tail) = good.split_at(24);
    let body = [&tail[4..20], &[0; 4], &tail[24..]].concat();
    let mut hasher = Crc32::default();
    hasher.update(head);
    hasher.update(&body);
    [head, &hasher.finish().to_be_bytes(), &body].concat()
}

/// CRC-32 bit by bit, so that the definitions do not check themselves.
struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc32 {
    fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 ^= u32::from(byte);
            for _ in 0..8 {
                self.0 = if self.0 & 1 == 1 {
                    (self.0 >> 1) ^ 0xedb8_8320
                } else {
                    self.0 >> 1
                };
            }
        }
    }

    fn finish(&self) -> u32 {
        !self.0
    }
}

#[test]
fn the_active_one_goes_when_it_does_not_join() {
    let plan = rolled(8).mark(1, bytes(1)).plan(&Settings::default());
    assert_eq!(
        steps(&plan),
        [
            "copy 68 bytes of segment 1 from byte 236 on to 00000000000000000001.cut-236, sync both names",
            "cut segment 1 to 236 bytes, sync it",
            "rename 00000000000000000002.log to 00000000000000000002.cut-0",
            "sync the directory",
        ]
    );
    assert!(
        reports(&plan)[0].contains("segment 2 behind it removed"),
        "{:?}",
        reports(&plan)
    );
    assert_eq!(plan.log.expect("a log").tail, 7);
}

#[test]
fn the_active_one_stays_when_it_joins() {
    let plan = rolled(7).mark(1, bytes(1)).plan(&Settings::default());
    assert_eq!(plan.category().to_string(), "repaired(unfinished_roll)");
    assert!(!reports(&plan)[0].contains("removed"), "{plan}");
    let log = plan.log.as_ref().expect("a log");
    assert_eq!(log.tail, 8);
    assert_eq!(log.segments[1].valid_bytes, bytes(3));
    // The retired one's index may point behind the cut.
    let all: Vec<String> = plan.steps.iter().map(ToString::to_string).collect();
    assert_eq!(
        all[3..],
        [
            "write the index of segment 1 anew",
            "write the index of segment 2 anew"
        ]
    );
}

#[test]
fn nothing_is_cut_when_only_the_active_one_is_in_the_way() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .with(1, &segment(4, 2))
        .with(2, &segment(8, 0))
        .mark(1, bytes(1));
    let plan = dir.plan(&Settings::default());
    assert_eq!(
        reports(&plan),
        [
            "unfinished_roll in segment 1, cut at byte 168, 0 bytes dropped; segment 2 behind it removed"
        ]
    );
    // A header alone is not kept.
    assert_eq!(
        steps(&plan),
        ["unlink 00000000000000000002.log", "sync the directory"]
    );
}

#[test]
fn names_that_are_taken_are_left_alone() {
    let dir = rolled(8).mark(1, bytes(1));
    for name in [
        "00000000000000000001.cut-236",
        "00000000000000000001.cut-237",
    ] {
        dir.0.put_directory(name);
    }
    let plan = dir.plan(&Settings::default());
    assert_eq!(plan.reports[0].saved().len(), 2);
    assert_eq!(
        plan.reports[0].saved()[0].to_string(),
        "00000000000000000001.cut-238"
    );
}

#[test]
fn switched_off_the_error_stands() {
    let provable = Provable {
        unfinished_roll: false,
        ..Provable::ALL
    };
    let plan = rolled(8).mark(1, bytes(1)).plan(&Settings {
        provable,
        ..Settings::default()
    });
    assert_eq!(plan.category().to_string(), "refused(RecordHeaderChecksum)");
}

/// The active one joins what is left, so both stay, and the retired one is sealed with its index.
#[test]
fn the_index_of_what_was_cut_is_held_against_what_is_left() {
    let entry = |offset, position| IndexEntry { offset, position };
    let dir = || {
        Dir::new()
            .with(0, &segment(0, 4).zeros(40))
            .with(1, &segment(4, 1))
            .mark(0, bytes(4))
    };
    let kept = "repaired(unfinished_roll)";
    let rebuilt = "repaired(unfinished_roll,index_rebuilt)";
    for (name, dir, expected) in [
        ("right", dir(), kept),
        ("missing", dir().without_index(0), rebuilt),
        ("no entry", dir().with_index(0, 0, &[]), rebuilt),
        (
            "another record",
            dir().with_index(0, 0, &[entry(0, 32), entry(3, bytes(2))]),
            rebuilt,
        ),
        (
            "an entry for what was cut",
            dir().with_index(0, 0, &[entry(0, 32), entry(4, bytes(4))]),
            kept,
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
        let plan = dir.plan(&Settings::default());
        let written = plan.steps.contains(&Step::WriteIndex { segment: 0 });
        assert!(written, "{name}");
        assert_eq!(plan.log.expect("a log").segments.len(), 2, "{name}");
    }
}

#[test]
fn an_active_one_that_cannot_be_read_is_not_taken_for_damaged() {
    let dir = rolled(8).mark(1, bytes(1));
    let name = SegmentFile::Log { id: 2 }.to_string();
    dir.0
        .put(&name, MemoryFile::of(&segment(8, 1).bytes).unreadable());
    let provable = Provable {
        blank_segments: false,
        ..Provable::ALL
    };
    let settings = Settings {
        provable,
        ..Settings::default()
    };
    let shard = dir.look();
    let scans = Scans::new(&shard, Access::default());
    let mark = Mark(Some(DurableMark {
        segment: 1,
        synced_bytes: bytes(1),
    }));
    assert!(matches!(
        plan(&scans, mark, &[], &settings),
        Err(StorageError::Io { .. })
    ));
}
