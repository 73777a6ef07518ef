//! Emptying the bins in the background (Felix 11.11).

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ondisk::felix::name::BinName;

use super::directories::Directories;
use super::family::Family;
use super::layout::entries;
use crate::background::{Background, Task};
use crate::disk::{Directory, EntryKind};
use crate::felix::error::StorageError;

/// Directories that may lie in one another. Shards have none at all; what is deeper stays, and a chain that was planted
/// cannot exhaust the stack or the descriptors.
const DEEPEST: usize = 64;

/// Removes what lies in the bins, in one thread at a time.
#[derive(Debug)]
pub(super) struct Remover {
    bins: Arc<Bins>,
    task: Task,
}

#[derive(Debug)]
struct Bins {
    directories: Arc<Directories>,
    stopped: AtomicBool,
    /// What could not be removed; tried again at the next start.
    failed: Mutex<BTreeSet<String>>,
}

impl Remover {
    pub(super) fn new(background: &Background, directories: Arc<Directories>) -> Self {
        let bins = Arc::new(Bins {
            directories,
            stopped: AtomicBool::new(false),
            failed: Mutex::default(),
        });
        let task = {
            let bins = Arc::clone(&bins);
            background.task(move || bins.empty())
        };
        Self { bins, task }
    }

    /// Says that there is something in a bin.
    pub(super) fn wake(&self) {
        self.task.wake();
    }

    /// Ends it; what it has begun to remove it removes at the next start. Nothing is touched after this returns.
    pub(super) fn stop(&self) {
        self.bins.stopped.store(true, Ordering::Relaxed);
        self.task.cancel_and_wait();
    }
}

impl Drop for Remover {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Bins {
    fn empty(&self) {
        for family in Family::ALL {
            if let Err(error) = self.empty_one(family) {
                tracing::warn!(bin = family.bin(), %error, "the bin was not emptied; tried again at the next start");
            }
        }
    }

    fn empty_one(&self, family: Family) -> Result<(), StorageError> {
        let Some(bin) = self.directories.find(family.bin())? else {
            return Ok(());
        };
        for entry in entries(&*bin)? {
            let Some(name) = entry.name.to_str() else {
                continue;
            };
            let is_ours = BinName::parse(name).is_some() && entry.kind == EntryKind::Directory;
            if !is_ours || self.failed().contains(name) {
                continue;
            }
            match self.remove(&*bin, name, 0) {
                Ok(()) => tracing::debug!(bin = family.bin(), name, "removed from the bin"),
                Err(_) if self.is_stopped() => return Ok(()),
                Err(error) => {
                    tracing::warn!(bin = family.bin(), name, %error, "not removed from the bin; tried again at the next start");
                    self.failed().insert(name.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Removes a directory with all that is in it. Each is opened in the one above it, and no link is followed.
    fn remove(&self, parent: &dyn Directory, name: &str, depth: usize) -> io::Result<()> {
        if depth == DEEPEST {
            return Err(io::Error::other("too many directories in one another"));
        }
        let directory = parent.directory(name)?;
        for entry in directory.entries()? {
            if self.is_stopped() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let Some(inner) = entry.name.to_str() else {
                return Err(io::Error::other("a name in it is not UTF-8"));
            };
            match entry.kind {
                EntryKind::Directory => self.remove(&*directory, inner, depth + 1)?,
                _ => directory.unlink(inner)?,
            }
        }
        parent.remove_directory(name)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn failed(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
