//! The end of a log.

use std::sync::atomic::Ordering;

use super::shared::Shared;
use crate::felix::error::StorageError;

impl Shared {
    /// Ends the log cleanly: what was appended is flushed, `replica` caught up, the mark synced, the directory unlocked.
    pub(super) fn close(&self) -> Result<(), StorageError> {
        {
            let _writer = self.writer();
            if self.closed.swap(true, Ordering::AcqRel) {
                return Err(self.closed());
            }
        }
        self.tasks.stop();
        self.wait_for_calls();
        let closed = self.settle();
        self.commit.close();
        self.appended.notify();
        self.unlock();
        closed
    }

    fn settle(&self) -> Result<(), StorageError> {
        self.discard_prepared();
        if self.commit.is_poisoned() {
            return Err(StorageError::SyncFailed);
        }
        self.seal_all_retired()?;
        self.commit
            .flush()
            .map_err(|error| self.commit_error(error))?;
        let mut writer = self.writer();
        writer.index.write_out();
        self.accepted
            .write_behind(&*self.directory)
            .map_err(self.directory_error("write replica in"))?;
        let (id, bytes) = (writer.active.id, writer.bytes);
        self.mark
            .set(id, bytes)
            .map_err(self.directory_error("write durable.mark in"))
    }

    /// Takes a segment away that was made ready and never used.
    pub(super) fn discard_prepared(&self) {
        if let Some(prepared) = self.prepared().take() {
            self.discard(prepared.id);
        }
    }

    /// What the last handle does when it goes without a close: flushes, so that nothing that was appended depends on the
    /// page cache, and unlocks the directory. Says nothing of a clean end.
    pub(super) fn let_go(&self) {
        {
            let _writer = self.writer();
            if self.closed.swap(true, Ordering::AcqRel) {
                return;
            }
        }
        self.tasks.stop();
        self.wait_for_calls();
        self.discard_prepared();
        // Nobody is left to be told of a failure but those who wait, and they are.
        let _told = self.commit.flush();
        self.commit.close();
        self.appended.notify();
        self.unlock();
    }
}
