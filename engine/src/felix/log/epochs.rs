//! Where each generation began (Felix 11.2).

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ondisk::felix::EpochEntry;

use crate::disk::Directory;
use crate::felix::sidecar::Loaded;
use crate::felix::sidecar::epochs::{self, EPOCHS_KEPT};

/// The generation history of an open log. Derived: losing it costs the automatic repair of a divergence, never a record.
#[derive(Debug)]
pub(super) struct EpochHistory(Mutex<State>);

#[derive(Debug)]
struct State {
    entries: Vec<EpochEntry>,
    /// The file may hold others: a write of it failed, or the open could not read it.
    unsure: bool,
}

impl EpochHistory {
    /// As it was read at the open, entries past the tail dropped. A file that could not be read counts as none, and its
    /// entries would be back once it can: the next change writes it anew even if nothing changes.
    pub(super) fn new(entries: Vec<EpochEntry>, loaded: &Loaded<Vec<EpochEntry>>) -> Self {
        Self(Mutex::new(State {
            entries,
            unsure: matches!(loaded, Loaded::Unreadable(_)),
        }))
    }

    /// The entries, by generation.
    pub(super) fn entries(&self) -> Vec<EpochEntry> {
        self.lock().entries.clone()
    }

    /// Takes entries past the tail out of the file too, or they would count again once the log has grown past where they
    /// begin. `loaded` is what the file held.
    pub(super) fn forget_past_tail(&self, directory: &dyn Directory, loaded: usize) {
        let mut state = self.lock();
        if state.entries.len() < loaded
            && let Err(error) = epochs::store(directory, &state.entries)
        {
            state.unsure = true;
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
        let state = self.lock();
        let at = state
            .entries
            .iter()
            .position(|entry| entry.generation == generation)?;
        Some(
            state
                .entries
                .get(at + 1)
                .map_or(tail, |next| next.start_offset),
        )
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
        let mut state = self.lock();
        let mut changed = state.entries.clone();
        change(&mut changed);
        if changed != state.entries || state.unsure {
            let surplus = changed.len().saturating_sub(EPOCHS_KEPT);
            changed.drain(..surplus);
            state.unsure = true;
            epochs::store(directory, &changed)?;
            *state = State {
                entries: changed,
                unsure: false,
            };
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
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
