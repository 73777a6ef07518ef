//! The id of a plan, and what a refused one has.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::mark::Mark;
use ondisk_engine::felix::recovery::Scans;
use ondisk_engine::felix::recovery::{Settings, plan};
use ondisk_engine::felix::segment::Access;

use crate::build::{Dir, bytes, segment};

#[test]
fn whatever_differs_changes_the_id() {
    let default = Settings::default();
    let plans = [
        Dir::new().with(0, &segment(0, 4)).plan(&default),
        Dir::new().with(0, &segment(0, 5)).plan(&default),
        Dir::new().with(0, &segment(1, 4)).plan(&default),
        Dir::new().with(1, &segment(0, 4)).plan(&default),
        Dir::new()
            .with(0, &segment(0, 4))
            .mark(0, bytes(4))
            .plan(&default),
        Dir::new().with(0, &segment(0, 4)).plan(&Settings {
            verify_all_on_open: true,
            ..default
        }),
        Dir::new()
            .with(0, &segment(0, 5).short_by(1))
            .plan(&default),
        Dir::new()
            .with(0, &segment(0, 5).short_by(2))
            .plan(&default),
        Dir::new()
            .with(0, &segment(0, 4))
            .with_temporary(9, b"")
            .plan(&default),
    ];
    let ids: BTreeSet<u64> = plans.iter().map(|plan| plan.id().0).collect();
    assert_eq!(ids.len(), plans.len());
}

#[test]
fn the_same_has_the_same() {
    let dir = Dir::new()
        .with(0, &segment(0, 5).short_by(1))
        .mark(0, bytes(2));
    let (one, two) = (
        dir.plan(&Settings::default()),
        dir.plan(&Settings::default()),
    );
    assert_eq!(one, two);
    assert_eq!(one.id(), two.id());
    assert_eq!(one.id().to_string().len(), 16);
}

#[test]
fn it_prints_all_that_it_says() {
    let dir = Dir::new()
        .with(0, &segment(0, 2))
        .with(1, &segment(2, 2).short_by(3))
        .mark(1, 100);
    let plan = dir.plan(&Settings::default());
    let expected = "\
shard acme/default/orders/0
settings: index_spacing_bytes 4096, open_at 0
mark: segment 1, 100 bytes
file: 00000000000000000000.log, 168 bytes
file: 00000000000000000001.log, 165 bytes
found: torn_tail in segment 1, cut at byte 100, 65 bytes dropped: needs 68 bytes, 65 are there
step: cut segment 1 to 100 bytes, sync it
step: write the index of segment 1 anew
left: segment 0, version 3, offsets 0 to 2, 168 bytes
left: segment 1, version 3, offsets 2 to 3, 100 bytes
log: offsets 0 to 3
";
    assert_eq!(plan.to_string(), expected);
}

#[test]
fn an_unflushed_end_is_told_from_damage() {
    let plan = |synced| {
        Dir::new()
            .with(0, &segment(0, 4).short_by(1))
            .mark(0, synced)
            .plan(&Settings::default())
    };
    for (synced, unflushed) in [(32, true), (bytes(3), true), (bytes(3) + 1, false)] {
        let plan = plan(synced);
        assert_eq!(plan.is_unflushed(&plan.reports[0]), unflushed, "{synced}");
    }
    let unmarked = Dir::new()
        .with(0, &segment(0, 4).short_by(1))
        .plan(&Settings::default());
    assert!(!unmarked.is_unflushed(&unmarked.reports[0]));
}

/// A roll counts as unfinished only past the mark; an index is nothing that is flushed with the records.
#[test]
fn an_unfinished_roll_is_told_from_damage() {
    let plan = Dir::new()
        .with(0, &segment(0, 4).zeros(40))
        .with(1, &segment(4, 1))
        .without_index(0)
        .mark(0, bytes(4))
        .plan(&Settings::default());
    let told: Vec<_> = plan
        .reports
        .iter()
        .map(|report| (report.name(), plan.is_unflushed(report)))
        .collect();
    assert_eq!(told, [("unfinished_roll", true), ("index_rebuilt", false)]);
}

/// Fails one write, after so many.
struct FailsOnce {
    after: usize,
    failed: bool,
}

impl fmt::Write for FailsOnce {
    fn write_str(&mut self, _text: &str) -> fmt::Result {
        if self.after == 0 && !self.failed {
            self.failed = true;
            return Err(fmt::Error);
        }
        self.after = self.after.saturating_sub(1);
        Ok(())
    }
}

/// A line that is missing from a plan that somebody approves would be approved unseen.
#[test]
fn a_plan_is_printed_whole_or_fails() {
    let cut = Dir::new()
        .with(0, &segment(0, 2))
        .with(1, &segment(2, 2).short_by(3))
        .mark(1, bytes(2));
    let short = Dir::new().with(0, &segment(0, 2)).mark(0, bytes(3));
    for dir in [cut, short] {
        let plan = dir.plan(&Settings::default());
        let failures = (0..).take_while(|&after| {
            let failed = false;
            let mut paper = FailsOnce { after, failed };
            let printed = write!(paper, "{plan}");
            assert_eq!(printed.is_err(), paper.failed, "write {after}");
            paper.failed
        });
        assert!(failures.count() > plan.to_string().lines().count());
    }
}

#[test]
fn a_refused_plan_has_what_was_planned_and_no_step() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .without_index(0)
        .with(1, &segment(4, 2).rot(50));
    let plan = dir.plan(&Settings::default());
    assert!(plan.refusal.is_some() && plan.steps.is_empty() && plan.log.is_none());
    assert_eq!(plan.reports.len(), 1);
    let error = plan
        .refusal
        .expect("a refusal")
        .into_error("acme/default/orders/0", std::path::Path::new("shard"));
    let StorageError::Corruption(corruption) = error else {
        panic!("{error}")
    };
    assert_eq!(
        corruption.site.shard.as_deref(),
        Some("acme/default/orders/0")
    );
    assert_eq!(
        (corruption.site.segment, corruption.site.position),
        (Some(1), Some(32))
    );
}

#[test]
fn a_spacing_of_nothing_is_refused() {
    let shard = Dir::new().look();
    let settings = Settings {
        index_spacing_bytes: 0,
        ..Settings::default()
    };
    let error = plan(
        &Scans::new(&shard, Access::default()),
        Mark(None),
        &[],
        &settings,
    );
    assert!(matches!(
        error,
        Err(StorageError::InvalidConfig {
            setting: "index_spacing_bytes"
        })
    ));
}
