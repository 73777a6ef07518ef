//! What replication asks of a log: generations, their leaders, and the commit (Felix 11.2 to 11.4, 14.4).

use ondisk::felix::EpochEntry;

use super::read::View;
use super::{Acceptance, Log};
use crate::felix::error::StorageError;
use crate::felix::sidecar::accepted::Accepted;

impl Log {
    /// Where each generation began (Felix 11.2).
    #[must_use]
    pub fn epochs(&self) -> Vec<EpochEntry> {
        self.shared.epochs.entries()
    }

    /// Notes durably that `generation` begins at `start_offset`; ignored unless it is above the newest.
    ///
    /// # Errors
    /// [`StorageError::Closed`], [`StorageError::SyncFailed`], [`StorageError::Io`].
    pub fn record_epoch(&self, generation: u64, start_offset: u64) -> Result<(), StorageError> {
        let shared = &self.shared;
        let _open = shared.open_for_writes()?;
        shared
            .epochs
            .record(&*shared.directory, generation, start_offset)
            .map_err(shared.directory_error("write epochs in"))
    }

    /// Takes over the entries of a leader's batch that begins at `from`, durably.
    ///
    /// # Errors
    /// Those of [`record_epoch`](Self::record_epoch).
    pub fn label_epochs(&self, from: u64, entries: &[EpochEntry]) -> Result<(), StorageError> {
        let shared = &self.shared;
        let _open = shared.open_for_writes()?;
        shared
            .epochs
            .label(&*shared.directory, from, entries)
            .map_err(shared.directory_error("write epochs in"))
    }

    /// Where a generation ends: where the next one begins, or the tail; none when it is unknown.
    #[must_use]
    pub fn end_of_epoch(&self, generation: u64) -> Option<u64> {
        self.shared.epochs.end_of(generation, self.tail())
    }

    /// The accepted generation, its leader, and the commit (Felix 11.3, 11.4).
    #[must_use]
    pub fn accepted(&self) -> Accepted {
        self.shared.accepted.now()
    }

    /// Decides on a leader of `generation`, durably (Felix 11.4).
    ///
    /// # Errors
    /// [`StorageError::Io`], of kind `InvalidInput` for a name that is empty or longer than
    /// [`LONGEST_LEADER_BYTES`](super::LONGEST_LEADER_BYTES); [`StorageError::Closed`], [`StorageError::SyncFailed`].
    pub fn accept(
        &self,
        generation: u64,
        leader: Option<&str>,
    ) -> Result<Acceptance, StorageError> {
        let shared = &self.shared;
        let _open = shared.open_for_writes()?;
        shared
            .accepted
            .accept(&*shared.directory, generation, leader)
            .map_err(shared.directory_error("write the ballot in"))
    }

    /// Refuses every leader of the accepted generation from now on: after a crash that may have lost acknowledged records
    /// (Felix 14.4).
    ///
    /// # Errors
    /// [`StorageError::Io`], [`StorageError::Closed`], [`StorageError::SyncFailed`].
    pub fn give_up_generation(&self) -> Result<(), StorageError> {
        let shared = &self.shared;
        let _open = shared.open_for_writes()?;
        shared
            .accepted
            .give_up(&*shared.directory)
            .map_err(shared.directory_error("write the ballot in"))
    }

    /// Raises the commit, one past the newest record known to be held by a majority; a lower one is ignored. `replica` is
    /// written behind it (Felix 11.3).
    ///
    /// # Errors
    /// [`StorageError::Closed`].
    pub fn advance_commit(&self, commit: u64) -> Result<(), StorageError> {
        let shared = &self.shared;
        shared.check()?;
        let lags = shared.accepted.advance_commit(commit);
        shared.appended.notify();
        if lags {
            let now = shared.clock.monotonic();
            shared.tasks.write_replica(shared.config.fsync, now);
        }
        Ok(())
    }
}
