//! The directories of a data directory, which are there once something needs them.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::planted::{self, Planted};

/// The open root, and how what lies below it is found.
#[derive(Debug)]
pub(super) struct Directories {
    pub(super) root: Arc<dyn Directory>,
    /// Held while one is created, so that nobody uses one that is not durable.
    creating: Mutex<()>,
}

impl Directories {
    pub(super) fn new(root: Arc<dyn Directory>) -> Self {
        Self {
            root,
            creating: Mutex::new(()),
        }
    }

    /// Opens the directory at a path below the root, `""` for the root; none when it is not there.
    pub(super) fn find(&self, path: &str) -> Result<Option<Arc<dyn Directory>>, StorageError> {
        let mut here = Arc::clone(&self.root);
        for name in components(path) {
            match entered(&here, name)? {
                Some(inner) => here = inner,
                None => return Ok(None),
            }
        }
        Ok(Some(here))
    }

    /// The same, creating what is missing.
    pub(super) fn make(&self, path: &str) -> Result<Arc<dyn Directory>, StorageError> {
        let _creating = self.creating.lock().unwrap_or_else(PoisonError::into_inner);
        let mut here = Arc::clone(&self.root);
        for name in components(path) {
            here = match entered(&here, name)? {
                Some(inner) => inner,
                None => create(&*here, name)?,
            };
        }
        Ok(here)
    }
}

/// Opens a directory in another one; none when it is not there.
pub(super) fn entered(
    parent: &Arc<dyn Directory>,
    name: &str,
) -> Result<Option<Arc<dyn Directory>>, StorageError> {
    match parent.directory(name) {
        Ok(inner) => Ok(Some(inner)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StorageError::io(parent.path().join(name), "open")(error)),
    }
}

/// Creates a directory, durably.
pub(super) fn create(
    parent: &dyn Directory,
    name: &str,
) -> Result<Arc<dyn Directory>, StorageError> {
    let created = match parent.create_directory(name) {
        Ok(created) => created,
        Err(error) => {
            // It may be there, and only not be opened. Nobody must find one that was not synced, nor lose somebody else's.
            if error.kind() != io::ErrorKind::AlreadyExists {
                let _ = parent.remove_directory(name);
            }
            return Err(StorageError::io(parent.path().join(name), "create")(error));
        }
    };
    if !planted::is(Planted::NewDirectoryNotSynced)
        && let Err(error) = parent.sync()
    {
        // What a later sync says about this entry is worth nothing, so nobody must find it there.
        let _ = parent.remove_directory(name);
        return Err(StorageError::io(parent.path(), "sync")(error));
    }
    Ok(created)
}

/// Makes the entries of a directory durable.
pub(super) fn sync(directory: &dyn Directory) -> Result<(), StorageError> {
    directory
        .sync()
        .map_err(StorageError::io(directory.path(), "sync"))
}

fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|component| !component.is_empty())
}
