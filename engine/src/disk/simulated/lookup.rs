//! What a name stands for, and whether it can be given to something else.

use std::io;

use super::names::Names;
use super::world::{Inode, World};
use crate::disk::EntryKind;

impl World {
    pub(super) fn find(&self, directory: u64, name: &str) -> Option<u64> {
        let names = self.names(directory).ok()?;
        names.now.get(name).copied()
    }

    pub(super) fn kind(&self, inode: u64) -> EntryKind {
        match self.inodes.get(&inode) {
            Some(Inode::Directory(_)) => EntryKind::Directory,
            _ => EntryKind::File,
        }
    }

    /// Whether a name can be created.
    pub(super) fn must_be_free(&self, directory: u64, name: &str) -> io::Result<()> {
        if self.names(directory)?.is_removed {
            return Err(io::ErrorKind::NotFound.into());
        }
        match self.find(directory, name) {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => Ok(()),
        }
    }

    /// Whether `moved`, which is in `from`, can take the place of `there`.
    pub(super) fn may_replace(&self, there: u64, from: u64, moved: u64) -> io::Result<()> {
        if self.lies_below(from, there) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        match (self.names(there), self.names(moved)) {
            (Ok(names), Ok(_)) if names.now.is_empty() => Ok(()),
            (Ok(_), Ok(_)) => Err(io::ErrorKind::DirectoryNotEmpty.into()),
            (Ok(_), Err(_)) => Err(io::ErrorKind::IsADirectory.into()),
            (Err(_), Ok(_)) => Err(io::ErrorKind::NotADirectory.into()),
            (Err(_), Err(_)) => Ok(()),
        }
    }

    /// Whether a directory is another one or lies below it.
    pub(super) fn lies_below(&self, directory: u64, other: u64) -> bool {
        let below = |names: &Names| names.now.values().any(|&it| self.lies_below(directory, it));
        directory == other || self.names(other).is_ok_and(below)
    }
}
