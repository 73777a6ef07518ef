//! Where each generation began (Felix 11.2).

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ondisk::felix::EpochEntry;

use crate::disk::Directory;
use crate::felix::sidecar::epochs::{self, EPOCHS_KEPT};

/// The generation history of an open log. Derived: losing it costs the automatic repair of a divergence, never a record.
#[derive(Debug)]
pub(super) struct EpochHistory(Mutex<Vec<EpochEntry>>);

impl EpochHistory {
    /// As it was read at the open, entries past the tail dropped.
    pub(super) fn new(entries: Vec<EpochEntry>) -> Self {
        Self(Mutex::new(entries))
    }

    /// The entries, by generation.
    pub(super) fn entries(&self) -> Vec<EpochEntry> {
        self.lock().clone()
    }

    /// Takes entries past the tail out of the file too, or they would count again once the log has grown past where they
    /// begin. `loaded` is what the file held.
    pub(super) fn forget_past_tail(&self, directory: &dyn Directory, loaded: usize) {
        let entries = self.lock();
        if entries.len() < loaded
            && let Err(error) = epochs::store(directory, &entries)
        {
            tracing::warn!(%error, "epochs still has entries past the tail");
        }
    }

    /// Notes that `generation` began at `start_offset`, durably. One that is not above the newest is ignored.
    pub(super) fn record(
        &self,
        directory: &dyn Directory,
        generation: u64,
        start_offset: u64,
    ) -> io::Result<()> {
        self.change(directory, |entries| {
            record(entries, generation, start_offset);
        })
    }

    /// Replaces what is known from offset `from` on by the entries of a leader's batch: each as of where it begins, or as
    /// of `from`.
    pub(super) fn label(
        &self,
        directory: &dyn Directory,
        from: u64,
        list: &[EpochEntry],
    ) -> io::Result<()> {
        self.change(directory, |entries| {
            entries.retain(|entry| entry.start_offset < from);
            for entry in list {
                record(entries, entry.generation, entry.start_offset.max(from));
            }
        })
    }

    /// One past the last offset of a generation: where the next one begins, or the tail; none when it is unknown.
    pub(super) fn end_of(&self, generation: u64, tail: u64) -> Option<u64> {
        let entries = self.lock();
        let at = entries
            .iter()
            .position(|entry| entry.generation == generation)?;
        Some(entries.get(at + 1).map_or(tail, |next| next.start_offset))
    }

    /// Drops what begins at or above `offset`, durably.
    pub(super) fn truncate_from(&self, directory: &dyn Directory, offset: u64) -> io::Result<()> {
        self.change(directory, |entries| {
            entries.retain(|entry| entry.start_offset < offset);
        })
    }

    /// Forgets everything, durably.
    pub(super) fn clear(&self, directory: &dyn Directory) -> io::Result<()> {
        self.change(directory, Vec::clear)
    }

    /// Stores the changed history before it counts; nothing is written when nothing changes.
    fn change(
        &self,
        directory: &dyn Directory,
        change: impl FnOnce(&mut Vec<EpochEntry>),
    ) -> io::Result<()> {
        let mut entries = self.lock();
        let mut changed = entries.clone();
        change(&mut changed);
        if changed != *entries {
            let surplus = changed.len().saturating_sub(EPOCHS_KEPT);
            changed.drain(..surplus);
            epochs::store(directory, &changed)?;
            *entries = changed;
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<EpochEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(entries: &mut Vec<EpochEntry>, generation: u64, start_offset: u64) {
    let newer =
        |last: &EpochEntry| generation > last.generation && start_offset >= last.start_offset;
    if entries.last().is_none_or(newer) {
        entries.push(EpochEntry {
            generation,
            start_offset,
        });
    }
}
