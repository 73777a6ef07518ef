//! Sealed segments, the chain check and offloaded gaps (Felix 7.7).

use ondisk::felix::IndexEntry;
use ondisk_engine::felix::recovery::{Settings, Step};

use crate::build::{Dir, bytes, reports, segment, steps};

const VERIFY: Settings = Settings {
    verify_all_on_open: true,
    repair_checksum_tail: false,
    provable: ondisk_engine::felix::recovery::Provable::ALL,
    index_spacing_bytes: 100,
    open_at: 0,
};

#[test]
fn offsets_alone_chain_segments() {
    for (name, dir, expected) in [
        (
            "ids with holes",
            Dir::new().with(3, &segment(7, 2)).with(9, &segment(9, 1)),
            "open_ok",
        ),
        (
            "an empty sealed one",
            Dir::new().with(0, &segment(7, 0)).with(1, &segment(7, 1)),
            "open_ok",
        ),
        (
            "a missing middle",
            Dir::new().with(0, &segment(0, 4)).with(2, &segment(8, 1)),
            "refused(OffsetOutOfOrder)",
        ),
        (
            "an overlap",
            Dir::new().with(0, &segment(0, 4)).with(1, &segment(3, 2)),
            "refused(OffsetOutOfOrder)",
        ),
        (
            "a bad header in the middle",
            Dir::new()
                .with(0, &segment(0, 4))
                .with(1, &segment(4, 1).rot(3))
                .with(2, &segment(5, 1)),
            "refused(SegmentMagic)",
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
    }
}

#[test]
fn a_segment_that_fails_both_is_named_for_its_scan() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .with(1, &segment(9, 2).rot(bytes(1) + 40))
        .with(2, &segment(11, 1));
    let plan = dir.plan(&Settings::default());
    let refusal = plan.refusal.expect("it is refused").to_string();
    assert!(
        refusal.ends_with("(shard acme/default/orders/0, segment 1, byte 100)"),
        "{refusal}"
    );
}

#[test]
fn how_an_index_is_taken() {
    let sealed = segment(0, 4);
    let entry = |offset, position| IndexEntry { offset, position };
    for (name, entries, default, verify) in [
        ("its first record", vec![entry(0, 32)], "open_ok", "open_ok"),
        (
            "its last record",
            vec![entry(0, 32), entry(3, bytes(3))],
            "open_ok",
            "open_ok",
        ),
        (
            "no entry",
            vec![],
            "repaired(index_rebuilt)",
            "repaired(index_rebuilt)",
        ),
        (
            "the end",
            vec![entry(0, 32), entry(4, bytes(4))],
            "repaired(index_rebuilt)",
            "repaired(index_rebuilt)",
        ),
        (
            "past the end",
            vec![entry(0, 32), entry(9, 9999)],
            "repaired(index_rebuilt)",
            "repaired(index_rebuilt)",
        ),
        (
            "another record",
            vec![entry(0, 32), entry(2, bytes(3))],
            "repaired(index_rebuilt)",
            "repaired(index_rebuilt)",
        ),
        (
            "the middle of a record",
            vec![entry(0, 32), entry(3, bytes(3) + 1)],
            "repaired(index_rebuilt)",
            "repaired(index_rebuilt)",
        ),
        (
            "wrong where an open does not look",
            vec![entry(1, 32), entry(3, bytes(3))],
            "open_ok",
            "repaired(index_rebuilt)",
        ),
        (
            "positions that do not ascend are stepped over",
            vec![entry(0, 32), entry(3, bytes(3)), entry(5, 40)],
            "open_ok",
            "open_ok",
        ),
        (
            "a position in the header is stepped over",
            vec![entry(0, 31), entry(1, bytes(1))],
            "open_ok",
            "open_ok",
        ),
        (
            "an offset below the base",
            vec![entry(0, 32)],
            "open_ok",
            "open_ok",
        ),
    ] {
        let dir = Dir::new()
            .with(0, &sealed)
            .with_index(0, 0, &entries)
            .with(1, &segment(4, 1));
        assert_eq!(dir.comes_to(), default, "{name}");
        assert_eq!(
            dir.plan(&VERIFY).category().to_string(),
            verify,
            "{name}, verified"
        );
    }
    let missing = Dir::new()
        .with(0, &sealed)
        .without_index(0)
        .with(1, &segment(4, 1));
    assert_eq!(missing.comes_to(), "repaired(index_rebuilt)");
    let foreign = Dir::new()
        .with(0, &sealed)
        .with_index(0, 1, &[entry(0, 32)])
        .with(1, &segment(4, 1));
    assert_eq!(foreign.comes_to(), "repaired(index_rebuilt)");
}

#[test]
fn an_index_is_written_once() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .without_index(0)
        .with(1, &segment(4, 1));
    let plan = dir.plan(&Settings::default());
    assert_eq!(
        plan.steps,
        [
            Step::WriteIndex { segment: 0 },
            Step::WriteIndex { segment: 1 }
        ]
    );
    let plan = dir.plan(&VERIFY);
    assert_eq!(
        plan.steps,
        [
            Step::WriteIndex { segment: 0 },
            Step::WriteIndex { segment: 1 }
        ]
    );
}

#[test]
fn damage_that_an_open_does_not_see() {
    let last = [
        IndexEntry {
            offset: 0,
            position: 32,
        },
        IndexEntry {
            offset: 3,
            position: bytes(3),
        },
    ];
    let dir = Dir::new()
        .with(0, &segment(0, 4).rot(70))
        .with_index(0, 0, &last)
        .with(1, &segment(4, 1));
    assert_eq!(dir.comes_to(), "open_ok");
    assert_eq!(
        dir.plan(&VERIFY).category().to_string(),
        "refused(RecordChecksum)"
    );
}

#[test]
fn an_offloaded_gap() {
    let entries = [
        (0, 0, 3, bytes(4)),
        (1, 4, 7, bytes(4)),
        (2, 8, 11, bytes(4)),
    ];
    let dir = |entries: &[(u64, u64, u64, u64)]| {
        Dir::new()
            .with(0, &segment(0, 4))
            .with(3, &segment(12, 2))
            .manifest(entries)
    };
    assert_eq!(dir(&entries).comes_to(), "repaired(offloaded_gap)");
    let plan = dir(&entries).plan(&Settings::default());
    assert_eq!(
        reports(&plan),
        ["offloaded_gap in segment 0, file of 304 bytes removed"]
    );
    assert_eq!(
        steps(&plan),
        ["unlink 00000000000000000000.log", "sync the directory"]
    );
    let log = plan.log.expect("a log");
    assert_eq!((log.base, log.tail), (12, 14));

    let refused = "refused(OffsetOutOfOrder)";
    for (name, change) in [
        ("another id", (7, 0, 3, bytes(4))),
        ("another base", (0, 1, 3, bytes(4))),
        ("another last offset", (0, 0, 2, bytes(4))),
        ("another size", (0, 0, 3, bytes(4) + 1)),
    ] {
        let mut entries = entries;
        entries[0] = change;
        assert_eq!(dir(&entries).comes_to(), refused, "{name}");
    }
    assert_eq!(
        dir(&[entries[0], entries[2]]).comes_to(),
        refused,
        "a hole in the copies"
    );
    assert_eq!(
        dir(&entries[..2]).comes_to(),
        refused,
        "copies that end too early"
    );
    let backward = Dir::new()
        .with(0, &segment(0, 4))
        .with(3, &segment(2, 2))
        .manifest(&entries);
    assert_eq!(backward.comes_to(), refused, "no gap");
}

#[test]
fn a_gap_behind_several_segments() {
    let entries = [
        (0, 0, 3, bytes(4)),
        (1, 4, 7, bytes(4)),
        (2, 8, 11, bytes(4)),
    ];
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .without_index(0)
        .with(1, &segment(4, 4))
        .with(3, &segment(12, 2));
    let plan = dir.manifest(&entries).plan(&Settings::default());
    assert_eq!(
        plan.category().to_string(),
        "repaired(index_rebuilt,offloaded_gap)"
    );
    assert_eq!(
        plan.steps
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        [
            "unlink 00000000000000000000.log",
            "sync the directory",
            "unlink 00000000000000000001.log",
            "unlink 00000000000000000001.index",
            "sync the directory",
            "write the index of segment 3 anew",
        ]
    );
}
