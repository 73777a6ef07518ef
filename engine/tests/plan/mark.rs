//! `short_of_mark` (Felix 7.7).

use ondisk_engine::felix::recovery::{Provable, Settings};

use crate::build::{Dir, bytes, reports, segment};

#[test]
fn flushed_bytes_that_are_gone() {
    let two = || Dir::new().with(0, &segment(0, 4)).with(1, &segment(4, 2));
    for (name, dir, expected) in [
        ("all is there", two().mark(1, bytes(2)), None),
        (
            "the newest is short",
            two().mark(1, bytes(3)),
            Some("segment 1, ends at byte 168, 68 flushed bytes are missing"),
        ),
        (
            "an older one is short",
            two().mark(0, bytes(5)),
            Some("segment 0, ends at byte 304, 68 flushed bytes are missing"),
        ),
        (
            "above all that exist",
            two().mark(7, 100),
            Some("segment 7, ends at byte 0, 100 flushed bytes are missing"),
        ),
        ("a header alone is nothing", two().mark(7, 32), None),
        (
            "no segment at all",
            Dir::new().mark(3, 33),
            Some("segment 3, ends at byte 0, 33 flushed bytes are missing"),
        ),
        (
            "a fresh segment 0 is another one",
            Dir::new().mark(0, 33),
            Some("segment 0, ends at byte 0, 33 flushed bytes are missing"),
        ),
        (
            "a cut there explains it",
            Dir::new()
                .with(0, &segment(0, 4).short_by(9))
                .mark(0, bytes(4)),
            None,
        ),
        (
            "a copy of at least that size explains it",
            two().manifest(&[(7, 0, 3, 100)]).mark(7, 100),
            None,
        ),
        (
            "a smaller copy does not",
            two().manifest(&[(7, 0, 3, 99)]).mark(7, 100),
            Some("segment 7, ends at byte 0, 100 flushed bytes are missing"),
        ),
        (
            "a copy of one that is there does not",
            two().manifest(&[(1, 4, 5, 999)]).mark(1, bytes(3)),
            Some("segment 1, ends at byte 168, 68 flushed bytes are missing"),
        ),
        (
            "an abandoned one that the mark vouches for",
            Dir::new()
                .with(0, &segment(0, 4))
                .with_bytes(1, b"")
                .mark(1, 100),
            Some("segment 1, ends at byte 0, 100 flushed bytes are missing"),
        ),
    ] {
        for settings in [
            Settings::default(),
            Settings {
                provable: Provable::STRICT,
                ..Settings::default()
            },
        ] {
            let plan = dir.plan(&settings);
            if plan.refusal.is_some() {
                continue;
            }
            let found = reports(&plan)
                .into_iter()
                .find_map(|report| Some(report.strip_prefix("short_of_mark in ")?.to_owned()));
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }
}

#[test]
fn it_is_reported_and_nothing_is_done() {
    let dir = Dir::new().with(0, &segment(0, 4)).mark(0, bytes(5));
    let plan = dir.plan(&Settings::default());
    assert_eq!(plan.category().to_string(), "reported(short_of_mark)");
    assert!(!plan.is_sound());
    // The index of the active segment is rewritten as a matter of course.
    assert_eq!(plan.steps.len(), 1);
}

#[test]
fn a_mark_that_does_not_decode_is_none() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .sidecar(ondisk::felix::name::Sidecar::DurableMark, b"FLSM");
    assert!(dir.plan(&Settings::default()).is_sound());
}
