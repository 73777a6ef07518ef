//! A directory that is being written.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::opening::{LogKind, Sidecars, open};
use ondisk_engine::felix::recovery::{Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::{Moved, is_moved};

use crate::build::{Dir, bytes, segment};

fn name(id: u64) -> String {
    SegmentFile::Log { id }.to_string()
}

#[test]
fn it_is_judged_at_the_length_first_seen() {
    let dir = Dir::new().with(0, &segment(0, 2));
    let shard = dir.look();
    dir.0.put(&name(0), MemoryFile::of(&segment(0, 5).bytes));
    dir.0.put(&name(1), MemoryFile::of(&segment(5, 1).bytes));
    let scans = Scans::new(&shard, Access::default());
    let scanned = scans.full(0).expect("it can be read");
    assert_eq!(scanned.records.as_ref().expect("a header").next_offset, 2);
    let grew = Moved::Grew {
        name: name(0),
        from: bytes(2),
        to: bytes(5),
    };
    assert_eq!(
        shard.moved().expect("it lists"),
        [grew, Moved::New { name: name(1) }]
    );
}

#[test]
fn what_shrinks_or_goes_is_no_finding() {
    let dir = Dir::new().with(0, &segment(0, 2)).with(1, &segment(2, 2));
    let shard = dir.look();
    assert_eq!(shard.moved().expect("it lists"), []);
    dir.0.put(&name(0), MemoryFile::of(&segment(0, 1).bytes));
    dir.0.remove(&name(1));
    let scans = Scans::new(&shard, Access::default());
    assert!(is_moved(&scans.full(0).expect_err("it is shorter")));
    assert!(is_moved(&scans.full(1).expect_err("it is gone")));
    let expected = [
        Moved::Changed { name: name(0) },
        Moved::Gone { name: name(1) },
    ];
    assert_eq!(shard.moved().expect("it lists"), expected);
}

/// A truncation moves the mark back before it touches a segment, so what was cut since the mark was read is no loss.
#[test]
fn a_mark_that_goes_back() {
    let dir = Dir::new().with(1, &segment(0, 4)).mark(1, bytes(4));
    let shard = dir.look();
    let went_back = [Moved::Changed {
        name: Sidecar::DurableMark.file_name().to_owned(),
    }];
    for (name, (segment, synced_bytes), back) in [
        ("forward", (1, bytes(4) + 1), false),
        ("to the next segment", (2, 32), false),
        ("back", (1, bytes(2)), true),
        ("to the segment before", (0, bytes(9)), true),
    ] {
        Dir(Arc::clone(&dir.0)).mark(segment, synced_bytes);
        let expected = if back { &went_back[..] } else { &[] };
        assert_eq!(shard.moved().expect("it lists"), expected, "{name}");
    }
    dir.0.remove(Sidecar::DurableMark.file_name());
    assert_eq!(shard.moved().expect("it lists"), went_back, "gone");
}

#[test]
fn progress_comes_to_what_is_there() {
    let large = segment(0, 40_000);
    let dir = Dir::new().with(0, &large).with(1, &segment(40_000, 7));
    for verify_all_on_open in [false, true] {
        let shard = dir.look();
        let (done, calls) = (AtomicU64::new(0), AtomicU64::new(0));
        let progress = |bytes| {
            done.fetch_add(bytes, Ordering::Relaxed);
            calls.fetch_add(1, Ordering::Relaxed);
        };
        let jobs = std::num::NonZeroUsize::new(3).expect("not zero");
        let scans = Scans::new(
            &shard,
            Access {
                jobs,
                progress: Some(&progress),
                ..Access::default()
            },
        );
        let settings = Settings {
            verify_all_on_open,
            ..Settings::default()
        };
        let mark = ondisk_engine::felix::mark::Mark(None);
        let plan = ondisk_engine::felix::recovery::plan(&scans, mark, &[], &settings)
            .expect("it can be read");
        assert!(plan.is_sound());
        assert_eq!(done.load(Ordering::Relaxed), bytes(40_000) + bytes(7));
        assert!(
            !verify_all_on_open || calls.load(Ordering::Relaxed) > 2,
            "it is told on the way"
        );
    }
}

#[test]
fn a_mark_that_moves_on_vouches_for_nothing_unseen() {
    let dir = Dir::new().with(0, &segment(0, 2)).mark(0, bytes(2));
    let shard = dir.look();
    dir.0.put(&name(0), MemoryFile::of(&segment(0, 5).bytes));
    let dir = dir.mark(0, bytes(5));
    let sidecars = Sidecars::load(&shard).expect("they can be read");
    let scans = Scans::new(&shard, Access::default());
    let opening = open(&scans, &sidecars, LogKind::Stream, &Settings::default());
    assert!(opening.expect("it can be read").is_sound());
    assert_eq!(dir.comes_to(), "open_ok");
}
