//! What keeps an inode while something is open of it.

use std::io;
use std::sync::MutexGuard;

use super::SimulatedDisk;
use super::world::World;

/// An open inode of a disk.
pub(super) struct Handle {
    disk: SimulatedDisk,
    inode: u64,
}

impl Handle {
    /// Opens an inode of a disk that the caller holds locked.
    pub(super) fn open(disk: &SimulatedDisk, world: &mut World, inode: u64) -> Self {
        world.opened(inode);
        Self {
            disk: disk.clone(),
            inode,
        }
    }

    pub(super) fn disk(&self) -> &SimulatedDisk {
        &self.disk
    }

    pub(super) fn inode(&self) -> u64 {
        self.inode
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.disk.world()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.world().closed(self.inode);
    }
}

/// Whether a sync that failed dropped what it was to bring: one that was interrupted, or whose process is gone, did not.
pub(super) fn drops(error: &io::Error) -> bool {
    error.raw_os_error().is_some() && error.kind() != io::ErrorKind::Interrupted
}
