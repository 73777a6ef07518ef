//! What a repair does besides its plan where acknowledged records may be lost (Felix 11.8, 14.4).

use std::io;

use ondisk::felix::{Ballot, DurableMark};

use super::{Plan, Report};
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::sidecar::accepted::Accepted;
use crate::felix::sidecar::ballot;
use crate::felix::sidecar::mark::MarkFile;

impl Plan {
    /// Whether records that were acknowledged may be lost.
    #[must_use]
    pub fn may_have_lost_acknowledged(&self) -> bool {
        self.reports.iter().any(Report::may_have_lost_acknowledged)
    }

    /// The generation to give up, so that no leader of it counts on what this shard had; none when there is none, or it is
    /// given up. `accepted` is what the shard holds.
    #[must_use]
    pub fn generation_to_give_up(&self, accepted: Option<&Accepted>) -> Option<u64> {
        let accepted = accepted?;
        let held = accepted.generation != 0 && !accepted.given_up;
        (held && self.may_have_lost_acknowledged()).then_some(accepted.generation)
    }

    /// What the durable mark must say afterwards, where it vouches for more than there is: it is lowered to what is left,
    /// and never raised. An open does the same; until then each look would report the loss again.
    #[must_use]
    pub fn mark_to_lower(&self) -> Option<DurableMark> {
        let mark = self.mark.0?;
        let newest = self.log.as_ref()?.segments.last()?;
        let there = (newest.id, newest.valid_bytes);
        ((mark.segment, mark.synced_bytes) > there).then_some(DurableMark {
            segment: there.0,
            synced_bytes: there.1,
        })
    }
}

/// Refuses every leader of the generation from now on, durably.
///
/// # Errors
/// [`StorageError::Io`].
pub fn give_up(directory: &dyn Directory, generation: u64) -> Result<(), StorageError> {
    let nobody = Ballot {
        generation,
        leader: String::new(),
    };
    ballot::store(directory, &nobody).map_err(failed(directory, "ballot"))
}

/// Makes a ballot durable that is there already: an attempt whose sync failed may have left it in the page cache alone.
///
/// # Errors
/// [`StorageError::Io`].
pub fn settle_given_up(directory: &dyn Directory) -> Result<(), StorageError> {
    directory.sync().map_err(failed(directory, "ballot"))
}

/// Lowers the mark, durably.
///
/// # Errors
/// [`StorageError::Io`].
pub fn lower_mark(directory: &dyn Directory, mark: DurableMark) -> Result<(), StorageError> {
    let file = MarkFile::open(directory);
    file.write(mark.segment, mark.synced_bytes)
        .and_then(|()| file.sync())
        .map_err(failed(directory, "durable.mark"))
}

fn failed(directory: &dyn Directory, name: &str) -> impl FnOnce(io::Error) -> StorageError {
    StorageError::io(directory.path().join(name), "write")
}
