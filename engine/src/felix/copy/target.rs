//! Where a copy goes.

use std::io;
use std::sync::Arc;

use crate::disk::{Directory, EntryKind, Lock};
use crate::felix::error::StorageError;

/// A directory that was empty when the copy began, so that all in it is the copy's; emptied again unless the copy is
/// finished. Nobody can open it meanwhile.
pub(super) struct Target {
    directory: Arc<dyn Directory>,
    is_finished: bool,
    _lock: Lock,
}

impl Target {
    /// Takes an empty directory.
    pub(super) fn take(directory: &Arc<dyn Directory>) -> Result<Self, StorageError> {
        let path = directory.path();
        let lock = directory.lock().map_err(StorageError::io(path, "lock"))?;
        let entries = directory
            .entries()
            .map_err(StorageError::io(path, "list"))?;
        if !entries.is_empty() {
            let taken = io::Error::new(io::ErrorKind::AlreadyExists, "it is not empty");
            return Err(StorageError::io(path, "copy to")(taken));
        }
        Ok(Self {
            directory: Arc::clone(directory),
            is_finished: false,
            _lock: lock,
        })
    }

    /// The copy is whole.
    pub(super) fn finish(mut self) {
        self.is_finished = true;
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.is_finished {
            // What cannot be removed is left, and tells by itself that the copy is none.
            let _as_far_as_possible = clear(&self.directory);
        }
    }
}

/// Removes all that is in a directory.
pub(super) fn clear(directory: &Arc<dyn Directory>) -> io::Result<()> {
    for entry in directory.entries()? {
        // The copy has only names of its own.
        let Some(name) = entry.name.to_str() else {
            continue;
        };
        if entry.kind == EntryKind::Directory {
            clear(&directory.directory(name)?)?;
            directory.remove_directory(name)?;
        } else {
            directory.unlink(name)?;
        }
    }
    Ok(())
}
