//! Blank segments inside the chain (Felix 7.4).

use ondisk_engine::felix::recovery::{Provable, Settings};

use crate::build::{Dir, reports, segment, steps};

#[test]
fn a_run_goes_when_the_chain_closes_without_it() {
    for (name, dir, expected) in [
        (
            "one blank",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, b"")
                .with(2, &segment(4, 1)),
            "repaired(blank_inside_chain)",
        ),
        (
            "two blanks, the longest there are",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, &[1; 31])
                .with_bytes(2, &[0; 31])
                .with(3, &segment(4, 1)),
            "repaired(blank_inside_chain)",
        ),
        (
            "32 bytes are no blank",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, &[0; 32])
                .with(2, &segment(4, 1)),
            "refused(SegmentMagic)",
        ),
        (
            "the segments do not join",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, b"")
                .with(2, &segment(5, 1)),
            "refused(Truncated)",
        ),
        (
            "the one before has a torn tail",
            Dir::new()
                .with(0, &segment(0, 5).short_by(1))
                .with_bytes(1, b"")
                .with(2, &segment(4, 1)),
            "refused(Truncated)",
        ),
        (
            "the one behind has no header",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, b"")
                .with(2, &segment(4, 1).zeroed_from(0)),
            "refused(Truncated)",
        ),
        (
            "nothing before it",
            Dir::new().with_bytes(0, b"").with(1, &segment(0, 4)),
            "refused(Truncated)",
        ),
    ] {
        assert_eq!(dir.comes_to(), expected, "{name}");
    }
}

#[test]
fn each_run_is_synced() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .with_bytes(1, b"")
        .with_index(1, 4, &[])
        .with_bytes(2, &[0; 9])
        .with(3, &segment(4, 1))
        .with_bytes(4, b"")
        .with(5, &segment(5, 1));
    let plan = dir.plan(&Settings::default());
    assert_eq!(
        reports(&plan),
        [
            "blank_inside_chain in segment 1, file of 0 bytes removed",
            "blank_inside_chain in segment 2, file of 9 bytes removed",
            "blank_inside_chain in segment 4, file of 0 bytes removed",
        ]
    );
    let all: Vec<String> = plan.steps.iter().map(ToString::to_string).collect();
    assert_eq!(
        all[..6],
        [
            "unlink 00000000000000000001.log",
            "unlink 00000000000000000001.index",
            "unlink 00000000000000000002.log",
            "sync the directory",
            "unlink 00000000000000000004.log",
            "sync the directory",
        ]
    );
    assert_eq!(steps(&plan).len(), 5);
}

#[test]
fn switched_off_it_stays() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .with_bytes(1, b"")
        .with(2, &segment(4, 1));
    let provable = Provable {
        blank_segments: false,
        ..Provable::ALL
    };
    let plan = dir.plan(&Settings {
        provable,
        ..Settings::default()
    });
    assert_eq!(plan.category().to_string(), "refused(Truncated)");
    assert!(plan.steps.is_empty());
}
