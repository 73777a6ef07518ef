//! One test for each mistake.

use ondisk_engine::planted::Planted;
use ondisk_simulation::promise::Promise;

use crate::explored::Explored::{EachSyncFails, NewShard, Script};
use crate::is_caught;

/// For each mistake a test that is named after it, with the promises of which it breaks one, and with what is explored.
macro_rules! mistakes {
    ($($name:ident: $mistake:ident breaks $($promise:ident)|+ in $explored:expr;)*) => {
        $(
            #[test]
            fn $name() {
                is_caught(Planted::$mistake, &[$(Promise::$promise),+], &$explored);
            }
        )*

        #[test]
        fn none_is_left_out() {
            assert_eq!([$(Planted::$mistake),*], Planted::ALL);
        }
    };
}

mistakes! {
    // The whole segment is gone, and with it what was acknowledged there.
    roll_without_directory_sync: RollWithoutDirectorySync breaks KeepsAcknowledged in Script(
        "append 1500
         append 1500
         append 10"
    );
    acknowledged_before_flush: AcknowledgedBeforeFlush breaks KeepsAcknowledged in Script(
        "append 10
         append 10"
    );
    // The ballot is found empty, and nothing else knows what it said.
    rename_without_sync: RenameWithoutSync breaks Opens in Script(
        "accept 1 1"
    );
    // Nothing is lost that was acknowledged, but what is unfinished counts as rot below the mark.
    mark_before_sync: MarkBeforeSync breaks Opens | TellsOfLosses in Script(
        "append 600 600
         append 600"
    );
    // The manifest names a segment whose id and offsets are free again.
    segment_before_manifest: SegmentBeforeManifest breaks KeepsTheManifest in Script(
        "append 1500
         append 1500
         append 1500
         offload
         truncate 2"
    );
    new_directory_not_synced: NewDirectoryNotSynced breaks KeepsAcknowledged in NewShard;
    // Records at offsets that were flushed once pass for flushed.
    bound_not_lowered: BoundNotLowered breaks KeepsAcknowledged in Script(
        "append 10 10 10
         truncate 2
         append 10
         append 10"
    );
    ballot_after_replica: BallotAfterReplica breaks KeepsVotes in Script(
        "accept 1 1"
    );
    // What is lost ends the log early, or refuses the open once the mark vouches for it.
    poison_cleared: PoisonCleared breaks KeepsAcknowledged | Opens in EachSyncFails(
        "append 10
         append 10"
    );
    // What the open has shown was in the cache alone, and the mark that it wrote vouches for it.
    cache_trusted: CacheTrusted breaks Opens | KeepsAcknowledged in EachSyncFails(
        "append 10
         append 10"
    );
    // No power cut is needed: the next open knows a batch that is not there.
    snapshot_kept: SnapshotKept breaks KnowsProducers in Script(
        "produce 1 3 3
         roll
         truncate 3
         append 10 10 10
         drop"
    );
}
