//! Directories that mean harm: they are answered in bounded time and memory.

use std::sync::Arc;

use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk_engine::disk::EntryKind;
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::opening::{LogKind, Sidecars, open};
use ondisk_engine::felix::recovery::{Scans, Settings};
use ondisk_engine::felix::segment::{Access, Source, zero_run};
use ondisk_engine::felix::sidecar::Loaded;

use crate::build::{Dir, bytes, segment};

const HUGE: u64 = 1 << 62;

#[test]
fn a_sparse_file_of_2_to_the_62_bytes() {
    let name = SegmentFile::Log { id: 0 }.to_string();
    let sparse = |head: &[u8]| MemoryFile::of(head).with_len(HUGE);

    let dir = Dir::new();
    dir.0.put(&name, sparse(&segment(0, 2).bytes));
    assert_eq!(dir.comes_to(), "refused(RecordHeaderChecksum)", "no mark");
    let dir = dir.mark(0, bytes(2));
    assert_eq!(dir.comes_to(), "repaired(past_durable_mark)");
    let dir = Dir::new().mark(0, bytes(2) - 1);
    dir.0.put(
        &name,
        sparse(&segment(0, 2).bytes).with_piece(HUGE / 3, b"x"),
    );
    assert_eq!(dir.comes_to(), "repaired(past_durable_mark)");

    // A header of zeros, and nothing else.
    let dir = Dir::new();
    dir.0.put(&name, MemoryFile::default().with_len(HUGE));
    assert_eq!(dir.comes_to(), "refused(SegmentMagic)");
}

#[test]
fn zeros_are_found_over_holes() {
    let file = |pieces: &[(u64, &[u8])], len| {
        let file = pieces
            .iter()
            .fold(MemoryFile::default(), |file, (at, piece)| {
                file.with_piece(*at, piece)
            });
        Arc::new(file.with_len(len))
    };
    for (name, pieces, len, from, expected) in [
        ("no zeros", &[(0, &b"abc"[..])][..], 3, 0, None),
        (
            "from somewhere in the bytes",
            &[(0, b"ab\0\0")],
            4,
            1,
            Some(2),
        ),
        ("all of it", &[(0, b"\0\0\0\0")], 4, 1, Some(1)),
        ("a hole", &[(0, b"ab")], 1 << 40, 1, Some(2)),
        (
            "a hole from the start on",
            &[(0, b"ab")],
            1 << 40,
            2,
            Some(2),
        ),
        (
            "a byte in the hole",
            &[(0, b"ab"), (1 << 39, b"x")],
            HUGE,
            1,
            Some((1 << 39) + 1),
        ),
        (
            "zeros and a byte in the hole",
            &[(1 << 39, b"\0x\0")],
            HUGE,
            1,
            Some((1 << 39) + 2),
        ),
        (
            "zeros in the hole",
            &[(0, b"ab"), (1 << 39, b"\0\0")],
            HUGE,
            1,
            Some(2),
        ),
        (
            "a byte at the end",
            &[(0, b"ab"), (HUGE - 1, b"x")],
            HUGE,
            1,
            None,
        ),
        ("nothing left", &[(0, b"ab")], 2, 2, None),
    ] {
        let mut source = Source::new(file(pieces, len), len, Access::default()).expect("a source");
        assert_eq!(
            zero_run(&mut source, from).expect("it can be read"),
            expected,
            "{name}"
        );
    }
}

#[test]
fn a_record_that_claims_more_than_there_is_sizes_nothing() {
    // The header of a payload of 64 MiB, alone: V-REC-LIMIT.
    let header = [
        0x04, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 9, 0x5c, 0x85, 0xa5, 0xb9,
        0xbd, 0x4c, 0x1a, 0xa3,
    ];
    let plan = Dir::new()
        .with(0, &segment(7, 0).raw(&header))
        .plan(&Settings::default());
    assert_eq!(
        plan.reports[0].to_string(),
        "torn_tail in segment 0, cut at byte 32, 28 bytes dropped: needs 67108892 bytes, 28 are there"
    );
}

#[test]
fn sidecars_too_long_to_be_read() {
    for sidecar in Sidecar::ALL {
        let dir = Dir::new().with(0, &segment(0, 2));
        dir.0
            .put(sidecar.file_name(), MemoryFile::default().with_len(HUGE));
        let sidecars = Sidecars::load(&dir.look()).expect("they can be read");
        let damaged = match sidecar {
            Sidecar::DurableMark => sidecars.mark.damage(),
            Sidecar::Epochs => sidecars.epochs.damage(),
            Sidecar::Replica => sidecars.replica.damage(),
            Sidecar::Ballot => sidecars.ballot.damage(),
            Sidecar::Producers => sidecars.producers.damage(),
            Sidecar::Manifest => sidecars.manifest.damage(),
            Sidecar::KeyIndex => sidecars.keys.damage(),
        };
        assert!(damaged.is_some(), "{sidecar:?}");
    }
}

#[test]
fn an_index_without_end() {
    let name = SegmentFile::Index { id: 0 }.to_string();
    let dir = Dir::new().with(0, &segment(0, 4)).with(1, &segment(4, 1));
    let mut head = Vec::new();
    let index = ondisk::felix::Index {
        base_offset: 0,
        entries: Vec::new(),
    };
    index
        .encode(
            ondisk::felix::Index::write_version(&ondisk::FeatureLevels::NONE),
            &mut head,
        )
        .expect("an index");
    dir.0.put(&name, MemoryFile::of(&head).with_len(HUGE));
    assert_eq!(dir.comes_to(), "repaired(index_rebuilt)");
}

#[test]
fn what_is_no_regular_file() {
    let kinds = [EntryKind::Directory, EntryKind::Link, EntryKind::Other];
    for kind in kinds {
        let dir = Dir::new().with(0, &segment(0, 2)).with(1, &segment(2, 1));
        dir.0
            .put_irregular(&SegmentFile::Log { id: 1 }.to_string(), kind);
        let plan = dir.plan(&Settings::default());
        assert_eq!(plan.category().to_string(), "refused(Io)");
        assert_eq!(plan.foreign.len(), 1);

        // An index counts as absent.
        let dir = Dir::new().with(0, &segment(0, 2)).with(1, &segment(2, 1));
        dir.0
            .put_irregular(&SegmentFile::Index { id: 0 }.to_string(), kind);
        assert_eq!(dir.comes_to(), "repaired(index_rebuilt)");

        for (sidecar, expected) in [
            (Sidecar::DurableMark, "open_ok"),
            (Sidecar::Epochs, "open_ok"),
            (Sidecar::Producers, "open_ok"),
            (Sidecar::KeyIndex, "open_ok"),
            (Sidecar::Replica, "refused(Io)"),
            (Sidecar::Ballot, "refused(Io)"),
            (Sidecar::Manifest, "refused(Io)"),
        ] {
            let dir = Dir::new().with(0, &segment(0, 2));
            dir.0.put_irregular(sidecar.file_name(), kind);
            let opening = dir.open(LogKind::Stream, &Settings::default());
            assert_eq!(
                opening.category().to_string(),
                expected,
                "{sidecar:?} {kind:?}"
            );
        }
    }
}

#[test]
fn a_medium_that_fails() {
    let dir = Dir::new().with(1, &segment(2, 1));
    dir.0.put(
        &SegmentFile::Log { id: 0 }.to_string(),
        MemoryFile::of(&segment(0, 2).bytes).unreadable(),
    );
    let shard = dir.look();
    let scans = Scans::new(&shard, Access::default());
    let sidecars = Sidecars::load(&shard).expect("there are none");
    assert!(open(&scans, &sidecars, LogKind::Stream, &Settings::default()).is_err());

    // A derived file that cannot be read counts as absent.
    let dir = Dir::new().with(0, &segment(0, 2));
    dir.0.put(
        Sidecar::Epochs.file_name(),
        MemoryFile::of(b"FLEP").unreadable(),
    );
    let sidecars = Sidecars::load(&dir.look()).expect("it can be done without");
    assert!(matches!(sidecars.epochs, Loaded::Unreadable(_)));
    dir.0.put(
        Sidecar::Replica.file_name(),
        MemoryFile::of(b"FLRS").unreadable(),
    );
    assert!(Sidecars::load(&dir.look()).is_err());
}

#[test]
fn a_hundred_thousand_names() {
    let dir = Dir::new().with(0, &segment(0, 2));
    for number in 0..100_000_u64 {
        match number % 4 {
            0 => dir.0.put(&format!("{number}.log"), MemoryFile::default()),
            1 => dir.0.put(
                &SegmentFile::Log { id: number }.to_string(),
                MemoryFile::default(),
            ),
            2 => dir.0.put(
                &SegmentFile::Cut { id: 0, number }.to_string(),
                MemoryFile::default(),
            ),
            _ => dir.0.put(
                &SegmentFile::Temporary { id: number }.to_string(),
                MemoryFile::default(),
            ),
        }
    }
    let plan = dir.plan(&Settings::default());
    assert_eq!(plan.category().to_string(), "repaired(abandoned_segment)");
    assert_eq!(plan.reports.len(), 25_000);
    assert_eq!(plan.foreign.len(), 25_000);
}

#[test]
fn a_gap_behind_each_of_many_segments() {
    let segments = 10_000;
    let mut dir = Dir::new();
    let mut copies = Vec::new();
    for id in 0..segments {
        copies.push((id, id, id, bytes(1)));
        if id % 2 == 0 {
            dir = dir.with(id, &segment(id, 1));
        }
    }
    let plan = dir.manifest(&copies).plan(&Settings::default());
    assert_eq!(plan.category().to_string(), "repaired(offloaded_gap)");
    assert_eq!(plan.reports.len(), 4_999);
    assert_eq!(plan.log.expect("a log").base, segments - 2);
}

#[test]
fn what_is_foreign_is_left_alone() {
    let index = SegmentFile::Index { id: 1 }.to_string();
    for kind in [EntryKind::Directory, EntryKind::Link, EntryKind::Other] {
        let dir = Dir::new().with(0, &segment(0, 2)).with_bytes(1, b"");
        dir.0.put_irregular(&index, kind);
        dir.0.put_irregular(Sidecar::DurableMark.file_name(), kind);
        let plan = dir.plan(&Settings::default());
        assert_eq!(plan.category().to_string(), "repaired(abandoned_segment)");
        assert_eq!(plan.foreign.len(), 2);
        assert!(!plan.to_string().contains(&format!("unlink {index}")));

        let dir = Dir::new().with_bytes(0, b"");
        dir.0.put_irregular(Sidecar::DurableMark.file_name(), kind);
        assert!(
            !dir.plan(&Settings::default())
                .to_string()
                .contains("unlink durable.mark")
        );
    }
}
