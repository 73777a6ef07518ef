//! What is done besides the plan where acknowledged records may be lost (Felix 11.8, 14.4).

use std::sync::Arc;

use ondisk::felix::{Ballot, DurableMark};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::recovery::{Plan, Report};
use ondisk_engine::felix::sidecar::ballot;
use ondisk_engine::felix::sidecar::mark::MarkFile;

use crate::look::Seen;

/// Whether records that were acknowledged may be lost.
pub(super) fn may_have_lost_acknowledged(plan: &Plan) -> bool {
    plan.reports.iter().any(Report::may_have_lost_acknowledged)
}

/// The generation to give up, so that no leader of it counts on what this shard had; none when there is none, or it is
/// given up.
pub(super) fn generation_to_give_up(seen: &Seen<'_>, plan: &Plan) -> Option<u64> {
    let accepted = seen.opening.state.accepted.as_ref()?;
    let held = accepted.generation != 0 && !accepted.given_up;
    (held && may_have_lost_acknowledged(plan)).then_some(accepted.generation)
}

/// Refuses every leader of the generation from now on.
pub(super) fn give_up(directory: &Arc<dyn Directory>, generation: u64) -> Result<(), StorageError> {
    let nobody = Ballot {
        generation,
        leader: String::new(),
    };
    ballot::store(&**directory, &nobody).map_err(failed(directory, "ballot"))
}

/// Makes a ballot durable that is there already: an attempt whose sync failed may have left it in the page cache alone.
pub(super) fn is_given_up(directory: &Arc<dyn Directory>) -> Result<(), StorageError> {
    directory.sync().map_err(failed(directory, "ballot"))
}

/// What the durable mark must say afterwards, where it vouches for more than there is: it is lowered to what is left, and
/// never raised. An open does the same; until then each look would report the loss again.
pub(super) fn mark_to_lower(plan: &Plan) -> Option<DurableMark> {
    let mark = plan.mark.0?;
    let newest = plan.log.as_ref()?.segments.last()?;
    let there = (newest.id, newest.valid_bytes);
    ((mark.segment, mark.synced_bytes) > there).then_some(DurableMark {
        segment: there.0,
        synced_bytes: there.1,
    })
}

/// Lowers the mark, durably.
pub(super) fn lower_mark(
    directory: &Arc<dyn Directory>,
    mark: DurableMark,
) -> Result<(), StorageError> {
    let file = MarkFile::open(&**directory);
    file.write(mark.segment, mark.synced_bytes)
        .and_then(|()| file.sync())
        .map_err(failed(directory, "durable.mark"))
}

fn failed(
    directory: &Arc<dyn Directory>,
    name: &'static str,
) -> impl FnOnce(std::io::Error) -> StorageError {
    let path = directory.path().join(name);
    move |source| StorageError::Io {
        source,
        path,
        operation: "write",
    }
}
