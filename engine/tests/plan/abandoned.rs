//! Abandoned newest segments (Felix 7.5), by the rows of its table.

use ondisk_engine::felix::recovery::Settings;

use crate::build::{Dir, SegmentBytes, bytes, reports, segment, steps};

fn before() -> Dir {
    Dir::new().with(0, &segment(0, 4))
}

#[test]
fn by_row() {
    for (name, dir, expected) in [
        (
            "1: no byte",
            before().with_bytes(1, b""),
            "repaired(abandoned_segment)",
        ),
        (
            "1: shorter than a header",
            before().with_bytes(1, &[7; 31]),
            "repaired(abandoned_segment)",
        ),
        (
            "1: a zeroed header",
            before().with_bytes(1, &[0; 32]),
            "repaired(abandoned_segment)",
        ),
        (
            "1: a mark that vouches for it",
            before().with_bytes(1, b"").mark(1, 32),
            "repaired(abandoned_segment)",
        ),
        (
            "2: longer, the mark is before it",
            before().with_bytes(1, &[0; 99]).mark(0, 304),
            "repaired(abandoned_segment)",
        ),
        (
            "2: longer, the mark ends at its header",
            before().with_bytes(1, &[0; 99]).mark(1, 32),
            "repaired(abandoned_segment)",
        ),
        (
            "3: longer, the mark vouches for a byte",
            before().with_bytes(1, &[0; 99]).mark(1, 33),
            "refused(SegmentMagic)",
        ),
        (
            "3: longer, no mark",
            before().with_bytes(1, &[0; 99]),
            "refused(SegmentMagic)",
        ),
        (
            "4: a header that fails",
            before().with(1, &segment(4, 0).rot(20)),
            "refused(SegmentHeaderChecksum)",
        ),
        (
            "4: a first record that stays refused",
            before().with(1, &segment(3, 1).rot(70)),
            "refused(OffsetOutOfOrder)",
        ),
        (
            "5: has a record, misplaced",
            before().with(1, &segment(3, 1)).mark(0, 304),
            "refused(OffsetOutOfOrder)",
        ),
        (
            "6: the one before is torn",
            Dir::new()
                .with(0, &segment(0, 4).short_by(1))
                .with(1, &segment(2, 0))
                .mark(1, 32),
            "refused(Truncated)",
        ),
        (
            "6: the one before ends below",
            before().with(1, &segment(5, 0)).mark(1, 32),
            "refused(OffsetOutOfOrder)",
        ),
        (
            "7: empty, in its place",
            before().with(1, &segment(4, 0)),
            "open_ok",
        ),
        (
            "8: empty, below the end",
            before().with(1, &segment(3, 0)),
            "repaired(abandoned_segment)",
        ),
        (
            "8: a torn first record",
            before().with(1, &segment(3, 1).short_by(1)),
            "repaired(torn_tail,abandoned_segment)",
        ),
        (
            "8: a first record that fails past the mark",
            before().with(1, &segment(3, 1).rot(70)).mark(0, 304),
            "repaired(past_durable_mark,abandoned_segment)",
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
    }
}

#[test]
fn looks_again_and_syncs_once() {
    let dir = before()
        .with_bytes(1, b"")
        .with_bytes(2, &[0; 40])
        .with(3, &segment(1, 0))
        .mark(0, 304);
    let plan = dir.plan(&Settings::default());
    // Segment 3 stands behind a headless one, so nothing can be said of it.
    assert_eq!(plan.category().to_string(), "refused(Truncated)");

    let dir = before()
        .with_bytes(1, b"")
        .with_bytes(2, &[0; 40])
        .mark(0, 304);
    let plan = dir.plan(&Settings::default());
    assert_eq!(
        reports(&plan),
        [
            "abandoned_segment in segment 2, file of 40 bytes removed; kept as 00000000000000000002.cut-0",
            "abandoned_segment in segment 1, file of 0 bytes removed",
        ]
    );
    assert_eq!(
        steps(&plan),
        [
            "rename 00000000000000000002.log to 00000000000000000002.cut-0",
            "unlink 00000000000000000001.log",
            "sync the directory",
        ]
    );
}

#[test]
fn what_is_left_of_a_cut_one_is_unlinked() {
    let dir = before().with(1, &segment(3, 2).rot(70)).mark(0, 304);
    let plan = dir.plan(&Settings::default());
    assert_eq!(
        steps(&plan),
        [
            "copy 136 bytes of segment 1 from byte 32 on to 00000000000000000001.cut-32, sync both names",
            "cut segment 1 to 32 bytes, sync it",
            "unlink 00000000000000000001.log",
            "sync the directory",
        ]
    );
    assert!(reports(&plan)[1].contains("file of 32 bytes removed"));
}

#[test]
fn a_lone_segment_is_never_abandoned() {
    assert_eq!(
        Dir::new().with_bytes(3, b"").comes_to(),
        "refused(Truncated)"
    );
    assert_eq!(
        Dir::new().with_bytes(3, &[0; 32]).mark(0, 32).comes_to(),
        "refused(SegmentMagic)"
    );
}

#[test]
fn the_newest_may_be_of_a_newer_version() {
    let dir = before()
        .with(1, &SegmentBytes::new(4, 4).generation_start(7).records(1))
        .mark(0, bytes(4));
    let plan = dir.plan(&Settings::default());
    assert_eq!(plan.category().to_string(), "open_ok");
    assert_eq!(plan.log.expect("a log").tail, 6);
}
