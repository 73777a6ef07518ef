//! A file of a simulated disk.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, OnceLock};

use super::fault::Kind;
use super::handle::{Handle, drops};
use super::sectors::SECTOR;
use crate::disk::hooked::Call;
use crate::disk::{File, Stat};

/// An open file of a simulated disk.
pub struct SimulatedFile {
    handle: Handle,
    /// As it was opened, for messages.
    name: String,
    descriptor: OnceLock<Option<Arc<OwnedFd>>>,
}

impl SimulatedFile {
    pub(super) fn new(handle: Handle, name: &str) -> Self {
        Self {
            handle,
            name: name.to_owned(),
            descriptor: OnceLock::new(),
        }
    }

    fn inode(&self) -> u64 {
        self.handle.inode()
    }
}

impl fmt::Debug for SimulatedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SimulatedFile").field(&self.name).finish()
    }
}

/// Where positions end, for a file of the system too.
fn within_reach(end: Option<u64>) -> io::Result<()> {
    match end {
        Some(end) if i64::try_from(end).is_ok() => Ok(()),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

impl File for SimulatedFile {
    fn stat(&self) -> io::Result<Stat> {
        let mut world = self.handle.world();
        world.call(Kind::Stat, &[self.inode()])?;
        let inode = world.outer(self.inode());
        let content = world.content(self.inode())?;
        Ok(Stat {
            len: content.now().len(),
            inode,
            modified_nanos: content.changes(),
        })
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        let mut world = self.handle.world();
        let verdict = world.call(Kind::Read, &[self.inode()])?;
        let most = world.faults.bytes(verdict, buffer.len());
        let buffer = buffer.split_at_mut(most).0;
        let content = world.content(self.inode())?;
        Ok(content.now().read(buffer, position))
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        let mut world = self.handle.world();
        world.call(Kind::NextData, &[self.inode()])?;
        let now = world.content(self.inode())?.now();
        let data = now.sectors(from / SECTOR..=u64::MAX).next();
        let begins = data.map(|(&index, _)| (index * SECTOR).max(from));
        Ok(begins.filter(|&at| at < now.len()))
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        let mut world = self.handle.world();
        let verdict = world.call(Kind::Write, &[self.inode()])?;
        let most = world.faults.bytes(verdict, bytes.len());
        let bytes = bytes.split_at(most).0;
        within_reach(position.checked_add(bytes.len() as u64))?;
        let at = world.operation(Call::Write, &self.name);
        world.content(self.inode())?.write(at, bytes, position);
        world.show_write(self.inode(), bytes, position)?;
        Ok(bytes.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut world = self.handle.world();
        let kind = match world.content(self.inode())?.now().len() {
            there if len > there => Kind::Lengthen,
            _ => Kind::Cut,
        };
        world.call(kind, &[self.inode()])?;
        within_reach(Some(len))?;
        let at = world.operation(Call::SetLen, &self.name);
        if kind == Kind::Cut {
            world.free(self.inode());
        }
        world.content(self.inode())?.set_len(at, len);
        world.show_len(self.inode(), len)
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut world = self.handle.world();
        if let Err(error) = world.call(Kind::SyncFile, &[self.inode()]) {
            if drops(&error) {
                world.content(self.inode())?.drop_dirty();
            }
            return Err(error);
        }
        world.operation(Call::SyncFile, &self.name);
        world.content(self.inode())?.sync();
        Ok(())
    }

    fn sync_all(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn allocate(&self, _len: u64) -> io::Result<()> {
        let mut world = self.handle.world();
        world.call(Kind::Allocate, &[self.inode()])?;
        world.operation(Call::Allocate, &self.name);
        Ok(())
    }

    fn clone_of(&self, source: &dyn File) -> io::Result<bool> {
        let source = source.stat()?.inode;
        let mut world = self.handle.world();
        let Some(source) = world.inner(source) else {
            return Ok(false);
        };
        world.call(Kind::Share, &[self.inode()])?;
        let bytes = Arc::clone(world.content(source)?.now());
        // As what it is to those who read about it: the file gets bytes.
        let at = world.operation(Call::Write, &self.name);
        world.content(self.inode())?.become_copy(at, &bytes);
        world.show_all(self.inode())?;
        Ok(true)
    }

    fn take_owner_of(&self, _other: &dyn File) -> io::Result<()> {
        let mut world = self.handle.world();
        world.call(Kind::TakeOwner, &[self.inode()]).map(drop)
    }

    fn forget(&self, _position: u64, _bytes: u64) {}

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        let open = || self.handle.world().descriptor(self.inode());
        let descriptor = self.descriptor.get_or_init(open);
        descriptor.as_ref().map(|shown| shown.as_fd())
    }
}
