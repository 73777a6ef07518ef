//! Blank first segments and interrupted resets (Felix 7.6).

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::mark::Mark;
use ondisk_engine::felix::recovery::{Provable, Scans, Settings, plan};
use ondisk_engine::felix::segment::Access;

use crate::build::{Dir, reports, segment, steps};

#[test]
fn a_blank_first_segment() {
    for (name, dir, expected) in [
        (
            "no byte",
            Dir::new().with_bytes(0, b""),
            "repaired(blank_first)",
        ),
        (
            "noise, too short for a header",
            Dir::new().with_bytes(0, &[9; 31]),
            "repaired(blank_first)",
        ),
        (
            "a zeroed header",
            Dir::new().with_bytes(0, &[0; 32]),
            "repaired(blank_first)",
        ),
        (
            "the mark ends at its header",
            Dir::new().with_bytes(0, b"").mark(0, 32),
            "repaired(blank_first)",
        ),
        (
            "the mark vouches for more",
            Dir::new().with_bytes(0, b"").mark(0, 33),
            "refused(Truncated)",
        ),
        (
            "a mark of a newer segment",
            Dir::new().with_bytes(0, b"").mark(1, 32),
            "refused(Truncated)",
        ),
        (
            "longer, all zeros",
            Dir::new().with_bytes(0, &[0; 33]),
            "refused(SegmentMagic)",
        ),
        (
            "another id",
            Dir::new().with_bytes(1, b""),
            "refused(Truncated)",
        ),
        (
            "a whole header",
            Dir::new().with(0, &segment(0, 0)),
            "open_ok",
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
        let strict = dir.plan(&Settings {
            provable: Provable::STRICT,
            ..Settings::default()
        });
        assert_eq!(
            strict.category().to_string(),
            expected,
            "{name}: it is the seed's own repair"
        );
    }
}

#[test]
fn the_log_starts_at_its_placed_base() {
    let dir = Dir::new().with_bytes(0, b"").mark(0, 17);
    let plan = dir.plan(&Settings {
        open_at: 1000,
        ..Settings::default()
    });
    assert_eq!(
        steps(&plan),
        [
            "unlink 00000000000000000000.log",
            "sync the directory",
            "unlink durable.mark",
            "create segment 0 at offset 1000, sync it and the directory",
        ]
    );
    let log = plan.log.expect("a log");
    assert!(log.is_fresh());
    assert_eq!((log.base, log.tail), (1000, 1000));
}

#[test]
fn no_log_is_placed_at_the_highest_offset() {
    let settings = |open_at| Settings {
        open_at,
        ..Settings::default()
    };
    let planned = |dir: Dir, open_at| {
        let shard = dir.look();
        let scans = Scans::new(&shard, Access::default());
        plan(&scans, Mark(None), &[], &settings(open_at)).map(|plan| plan.category().to_string())
    };
    assert!(matches!(
        planned(Dir::new(), u64::MAX),
        Err(StorageError::InvalidRange)
    ));
    for (name, dir, open_at) in [
        ("one below", Dir::new(), u64::MAX - 1),
        (
            "not asked for",
            Dir::new().with(0, &segment(0, 1)),
            u64::MAX,
        ),
    ] {
        let category = planned(dir, open_at).expect("a plan");
        assert_eq!(category, "open_ok", "{name}");
    }
}

#[test]
fn nothing_at_all() {
    let plan = Dir::new().plan(&Settings::default());
    assert!(plan.is_sound());
    assert_eq!(
        steps(&plan),
        ["create segment 0 at offset 0, sync it and the directory"]
    );
}

#[test]
fn an_interrupted_reset() {
    let whole = segment(500, 0).bytes;
    let torn = &whole[..31];
    let rotten = segment(500, 0).rot(9).bytes;
    let longer = segment(500, 1).bytes;
    for (name, dir, expected) in [
        (
            "alone",
            Dir::new().with_temporary(4, &whole),
            "repaired(interrupted_reset)",
        ),
        (
            "behind a blank first one",
            Dir::new().with_bytes(0, b"").with_temporary(4, &whole),
            "repaired(blank_first,interrupted_reset)",
        ),
        (
            "a segment is there",
            Dir::new().with(3, &segment(0, 1)).with_temporary(4, &whole),
            "open_ok",
        ),
        (
            "two that count",
            Dir::new()
                .with_temporary(4, &whole)
                .with_temporary(5, &whole),
            "open_ok",
        ),
        (
            "two, of which one counts",
            Dir::new().with_temporary(4, &whole).with_temporary(5, torn),
            "repaired(interrupted_reset)",
        ),
        ("shorter", Dir::new().with_temporary(4, torn), "open_ok"),
        ("damaged", Dir::new().with_temporary(4, &rotten), "open_ok"),
        ("longer", Dir::new().with_temporary(4, &longer), "open_ok"),
        (
            "the mark went back first",
            Dir::new().with_temporary(4, &whole).mark(0, 32),
            "repaired(interrupted_reset)",
        ),
        (
            "the segments went another way",
            Dir::new().with_temporary(4, &whole).mark(0, 99),
            "repaired(interrupted_reset,short_of_mark)",
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
    }
}

#[test]
fn it_is_renamed_and_ignores_the_placed_base() {
    let dir = Dir::new().with_temporary(4, &segment(500, 0).bytes);
    let plan = dir.plan(&Settings {
        open_at: 1000,
        ..Settings::default()
    });
    assert_eq!(
        reports(&plan),
        ["interrupted_reset in segment 4, renamed from its temporary name"]
    );
    assert_eq!(
        steps(&plan),
        [
            "rename 00000000000000000004.log.tmp to 00000000000000000004.log",
            "sync the directory"
        ]
    );
    let log = plan.log.expect("a log");
    assert!(!log.is_fresh());
    assert_eq!((log.base, log.tail), (500, 500));
}
