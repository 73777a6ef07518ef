//! The tests of this program can fail: with a mistake planted in the engine, those of its failure do.

use std::panic::catch_unwind;

use ondisk_engine::planted::{Planted, with};

use crate::{bound_left_high, failed_sync, rename_without_sync, roll_cut_short, snapshot_kept};

/// Mistakes, and a test that has to notice each.
const MISTAKES: [(Planted, fn()); 10] = [
    (
        Planted::RollWithoutDirectorySync,
        roll_cut_short::a_roll_that_loses_power_anywhere_loses_nothing,
    ),
    (
        Planted::AcknowledgedBeforeFlush,
        bound_left_high::a_reused_offset_is_not_acknowledged_before_its_own_flush,
    ),
    (
        Planted::RenameWithoutSync,
        rename_without_sync::a_sidecar_is_found_old_or_new_and_never_empty,
    ),
    (
        Planted::MarkBeforeSync,
        roll_cut_short::a_roll_that_loses_power_anywhere_loses_nothing,
    ),
    (
        Planted::SegmentBeforeManifest,
        snapshot_kept::what_describes_records_is_gone_before_the_first_of_them,
    ),
    (
        Planted::BoundNotLowered,
        bound_left_high::a_reused_offset_is_not_acknowledged_before_its_own_flush,
    ),
    (
        Planted::BallotAfterReplica,
        rename_without_sync::a_sidecar_is_found_old_or_new_and_never_empty,
    ),
    (
        Planted::PoisonCleared,
        failed_sync::nothing_is_acknowledged_after_a_sync_that_failed_once,
    ),
    (
        Planted::CacheTrusted,
        failed_sync::the_next_open_trusts_no_page_that_it_did_not_write_again,
    ),
    (
        Planted::SnapshotKept,
        snapshot_kept::what_is_known_of_producers_is_what_the_records_say,
    ),
];

#[test]
fn a_planted_mistake_is_noticed_by_the_test_of_its_failure() {
    for (mistake, test) in MISTAKES {
        let noticed = catch_unwind(|| with(mistake, test)).is_err();
        assert!(noticed, "{mistake:?}");
    }
}
