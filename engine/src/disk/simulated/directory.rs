//! A directory of a simulated disk.

use std::any::Any;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};

use super::content::Content;
use super::fault::Kind;
use super::handle::{Handle, drops};
use super::names::{Change, Names, Place};
use super::world::{Inode, World};
use super::{SimulatedDisk, SimulatedFile};
use crate::disk::hooked::Call;
use crate::disk::{
    Directory, Entry, EntryKind, File, Irregular, Lock, Locked, Replace, Stat, single_component,
};

/// An open directory of a simulated disk.
pub struct SimulatedDirectory {
    handle: Handle,
    path: PathBuf,
}

impl fmt::Debug for SimulatedDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SimulatedDirectory")
            .field(&self.path)
            .finish()
    }
}

impl SimulatedDirectory {
    pub(super) fn new(handle: Handle, path: PathBuf) -> Self {
        Self { handle, path }
    }

    fn inode(&self) -> u64 {
        self.handle.inode()
    }

    /// Begins a call on what has a name here, or on this directory when nothing has it.
    fn look_up(&self, kind: Kind, name: &str) -> io::Result<(MutexGuard<'_, World>, u64)> {
        single_component(name)?;
        let mut world = self.handle.world();
        let found = world.find(self.inode(), name);
        world.call(kind, &[found.unwrap_or(self.inode())])?;
        Ok((world, found.ok_or(io::ErrorKind::NotFound)?))
    }

    fn open_file(&self, kind: Kind, name: &str) -> io::Result<Arc<dyn File>> {
        let (mut world, inode) = self.look_up(kind, name)?;
        if world.kind(inode) != EntryKind::File {
            let wanted = EntryKind::File;
            return Err(Irregular { wanted }.into());
        }
        let handle = Handle::open(self.handle.disk(), &mut world, inode);
        drop(world);
        Ok(Arc::new(SimulatedFile::new(handle, name)))
    }

    /// Gives something new a name.
    fn add(&self, world: &mut World, name: &str, inode: Inode) -> Handle {
        let at = world.operation(Call::Create, name);
        let inode = world.add(inode);
        world.change(Change {
            at,
            inode,
            from: None,
            to: Some(Place::new(self.inode(), name)),
            over: None,
        });
        Handle::open(self.handle.disk(), world, inode)
    }

    /// Takes a name away.
    fn take(&self, world: &mut World, call: Call, name: &str, inode: u64) {
        let at = world.operation(call, name);
        world.free(inode);
        world.change(Change {
            at,
            inode,
            from: Some(Place::new(self.inode(), name)),
            to: None,
            over: None,
        });
    }
}

impl Directory for SimulatedDirectory {
    fn path(&self) -> &Path {
        &self.path
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut world = self.handle.world();
        world.call(Kind::List, &[self.inode()])?;
        let names = Arc::clone(&world.names(self.inode())?.now);
        let entry = |(name, &inode): (&Arc<str>, &u64)| Entry {
            name: OsString::from(&**name),
            kind: world.kind(inode),
        };
        Ok(names.iter().map(entry).collect())
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        let (mut world, inode) = self.look_up(Kind::Stat, name)?;
        let mut stat = Stat {
            inode: world.outer(inode),
            ..Stat::default()
        };
        let kind = world.kind(inode);
        if kind == EntryKind::File {
            let content = world.content(inode)?;
            stat.len = content.now().len();
            stat.modified_nanos = content.changes();
        }
        Ok((kind, stat))
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        let (mut world, inode) = self.look_up(Kind::OpenDirectory, name)?;
        if world.kind(inode) != EntryKind::Directory {
            let wanted = EntryKind::Directory;
            return Err(Irregular { wanted }.into());
        }
        let handle = Handle::open(self.handle.disk(), &mut world, inode);
        drop(world);
        Ok(Arc::new(Self::new(handle, self.path.join(name))))
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.open_file(Kind::Open, name)
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.open_file(Kind::Edit, name)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        single_component(name)?;
        let mut world = self.handle.world();
        world.call(Kind::Create, &[self.inode()])?;
        world.must_be_free(self.inode(), name)?;
        let handle = self.add(&mut world, name, Inode::File(Content::default()));
        drop(world);
        Ok(Arc::new(SimulatedFile::new(handle, name)))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        single_component(name)?;
        let mut world = self.handle.world();
        world.call(Kind::CreateDirectory, &[self.inode()])?;
        world.must_be_free(self.inode(), name)?;
        let handle = self.add(&mut world, name, Inode::Directory(Names::default()));
        // To open it is a call of its own, and where descriptors are short it is the one that fails.
        let opened = world.call(Kind::OpenDirectory, &[handle.inode()]);
        drop(world);
        opened?;
        Ok(Arc::new(Self::new(handle, self.path.join(name))))
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        single_component(from)?;
        single_component(to)?;
        let into = into.as_any().downcast_ref::<Self>();
        let into = into
            .filter(|into| into.handle.disk().is_same(self.handle.disk()))
            .ok_or(io::ErrorKind::CrossesDevices)?;
        let mut world = self.handle.world();
        world.call(Kind::Rename, &[self.inode(), into.inode()])?;
        let inode = world.find(self.inode(), from);
        let inode = inode.ok_or(io::ErrorKind::NotFound)?;
        let over = world.find(into.inode(), to);
        if over.is_none() || replace == Replace::No {
            world.must_be_free(into.inode(), to)?;
        }
        if over == Some(inode) {
            return Ok(());
        }
        if world.lies_below(into.inode(), inode) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        if let Some(over) = over {
            world.may_replace(over, self.inode(), inode)?;
        }
        let at = world.operation(Call::Rename, to);
        world.change(Change {
            at,
            inode,
            from: Some(Place::new(self.inode(), from)),
            to: Some(Place::new(into.inode(), to)),
            over,
        });
        Ok(())
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        single_component(name)?;
        let mut world = self.handle.world();
        world.call(Kind::Unlink, &[self.inode()])?;
        let inode = world.find(self.inode(), name);
        let inode = inode.ok_or(io::ErrorKind::NotFound)?;
        if world.kind(inode) == EntryKind::Directory {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        self.take(&mut world, Call::Unlink, name, inode);
        Ok(())
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        single_component(name)?;
        let mut world = self.handle.world();
        world.call(Kind::RemoveDirectory, &[self.inode()])?;
        let inode = world.find(self.inode(), name);
        let inode = inode.ok_or(io::ErrorKind::NotFound)?;
        match world.names(inode) {
            Err(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Ok(names) if names.now.is_empty() => {}
            Ok(_) => return Err(io::ErrorKind::DirectoryNotEmpty.into()),
        }
        self.take(&mut world, Call::RemoveDirectory, name, inode);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut world = self.handle.world();
        if let Err(error) = world.call(Kind::SyncDirectory, &[self.inode()]) {
            if drops(&error) {
                world.drop_names(self.inode());
            }
            return Err(error);
        }
        world.operation(Call::SyncDirectory, "");
        world.sync_names(self.inode());
        Ok(())
    }

    fn lock(&self) -> io::Result<Lock> {
        struct Release(SimulatedDisk, u64);
        impl Drop for Release {
            fn drop(&mut self) {
                self.0.world().locked.remove(&self.1);
            }
        }
        let mut world = self.handle.world();
        world.call(Kind::Lock, &[self.inode()])?;
        if !world.locked.insert(self.inode()) {
            let holder = Some(std::process::id());
            return Err(Locked { holder }.into());
        }
        let disk = self.handle.disk().clone();
        Ok(Lock::new(Release(disk, self.inode())))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
