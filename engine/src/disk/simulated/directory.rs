//! A directory of a simulated disk.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Inode, SimulatedDisk, SimulatedFile, file};
use crate::disk::hooked::Call;
use crate::disk::{Directory, Entry, EntryKind, File, Irregular, Lock, Locked, Replace, Stat};

/// An open directory of a simulated disk.
#[derive(Debug)]
pub struct SimulatedDirectory {
    disk: SimulatedDisk,
    inode: u64,
    path: PathBuf,
}

/// The names in a directory, in the cache and on the device.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// As every reader sees them.
    pub(super) now: BTreeMap<String, u64>,
    /// As they were when the directory was last synced.
    pub(super) synced: BTreeMap<String, u64>,
    /// What was done since, in order.
    pub(super) done: Vec<Change>,
}

/// What happens to names at once.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Set(String, u64),
    Remove(String),
    Rename(String, String, u64),
}

impl Names {
    /// Names that are all on the device.
    pub(super) fn synced(names: BTreeMap<String, u64>) -> Self {
        Self {
            now: names.clone(),
            synced: names,
            done: Vec::new(),
        }
    }

    pub(super) fn is_dirty(&self) -> bool {
        !self.done.is_empty()
    }

    fn apply(&mut self, change: Change) {
        change.apply(&mut self.now);
        self.done.push(change);
    }

    fn sync(&mut self) {
        self.synced.clone_from(&self.now);
        self.done.clear();
    }
}

impl Change {
    pub(super) fn apply(&self, names: &mut BTreeMap<String, u64>) {
        match self {
            Self::Set(name, inode) => {
                names.insert(name.clone(), *inode);
            }
            Self::Remove(name) => {
                names.remove(name);
            }
            Self::Rename(from, to, inode) => {
                names.remove(from);
                names.insert(to.clone(), *inode);
            }
        }
    }
}

impl SimulatedDirectory {
    pub(super) fn new(disk: SimulatedDisk, inode: u64, path: PathBuf) -> Self {
        Self { disk, inode, path }
    }

    fn find(&self, name: &str) -> io::Result<(u64, EntryKind)> {
        let mut world = self.disk.look()?;
        let found = world.names(self.inode)?.now.get(name).copied();
        let inode = found.ok_or(io::ErrorKind::NotFound)?;
        match world.inodes.get(&inode) {
            Some(Inode::File(_)) => Ok((inode, EntryKind::File)),
            Some(Inode::Directory(_)) => Ok((inode, EntryKind::Directory)),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Directory for SimulatedDirectory {
    fn path(&self) -> &Path {
        &self.path
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let names: Vec<String> = {
            let mut world = self.disk.look()?;
            world.names(self.inode)?.now.keys().cloned().collect()
        };
        names
            .into_iter()
            .map(|name| {
                let (_, kind) = self.find(&name)?;
                let name = OsString::from(name);
                Ok(Entry { name, kind })
            })
            .collect()
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        match self.find(name)? {
            (inode, EntryKind::File) => {
                let file = SimulatedFile::new(self.disk.clone(), inode, name);
                Ok((EntryKind::File, file.stat()?))
            }
            (inode, kind) => Ok((
                kind,
                Stat {
                    inode,
                    ..Stat::default()
                },
            )),
        }
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        let (inode, kind) = self.find(name)?;
        if kind != EntryKind::Directory {
            let wanted = EntryKind::Directory;
            return Err(Irregular { wanted }.into());
        }
        let path = self.path.join(name);
        Ok(Arc::new(Self::new(self.disk.clone(), inode, path)))
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let (inode, kind) = self.find(name)?;
        if kind != EntryKind::File {
            let wanted = EntryKind::File;
            return Err(Irregular { wanted }.into());
        }
        Ok(Arc::new(SimulatedFile::new(self.disk.clone(), inode, name)))
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.file(name)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let mut world = self.disk.change(Call::Create, name)?;
        if world.names(self.inode)?.now.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let inode = world.add(Inode::File(file::Content::default()));
        let change = Change::Set(name.to_owned(), inode);
        world.names(self.inode)?.apply(change);
        Ok(Arc::new(SimulatedFile::new(self.disk.clone(), inode, name)))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        let mut world = self.disk.change(Call::Create, name)?;
        if world.names(self.inode)?.now.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let inode = world.add(Inode::Directory(Names::default()));
        let change = Change::Set(name.to_owned(), inode);
        world.names(self.inode)?.apply(change);
        let path = self.path.join(name);
        Ok(Arc::new(Self::new(self.disk.clone(), inode, path)))
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        let into = into.as_any().downcast_ref::<Self>();
        let into = into.ok_or(io::ErrorKind::CrossesDevices)?;
        let (inode, _) = self.find(from)?;
        if replace == Replace::No && into.find(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut world = self.disk.change(Call::Rename, to)?;
        if self.inode == into.inode {
            let change = Change::Rename(from.to_owned(), to.to_owned(), inode);
            world.names(self.inode)?.apply(change);
        } else {
            // Two directories that are synced each by itself: the file may be found in both, or in neither.
            let change = Change::Set(to.to_owned(), inode);
            world.names(into.inode)?.apply(change);
            let change = Change::Remove(from.to_owned());
            world.names(self.inode)?.apply(change);
        }
        Ok(())
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        let (_, kind) = self.find(name)?;
        if kind == EntryKind::Directory {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut world = self.disk.change(Call::Unlink, name)?;
        world
            .names(self.inode)?
            .apply(Change::Remove(name.to_owned()));
        Ok(())
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        let (inode, kind) = self.find(name)?;
        if kind != EntryKind::Directory {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut world = self.disk.change(Call::RemoveDirectory, name)?;
        if !world.names(inode)?.now.is_empty() {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        world
            .names(self.inode)?
            .apply(Change::Remove(name.to_owned()));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut world = self.disk.change(Call::SyncDirectory, "")?;
        world.names(self.inode)?.sync();
        Ok(())
    }

    fn lock(&self) -> io::Result<Lock> {
        struct Release(SimulatedDisk, u64);
        impl Drop for Release {
            fn drop(&mut self) {
                self.0.world().locked.remove(&self.1);
            }
        }
        let mut world = self.disk.look()?;
        if !world.locked.insert(self.inode) {
            let holder = Some(std::process::id());
            return Err(Locked { holder }.into());
        }
        Ok(Lock::new(Release(self.disk.clone(), self.inode)))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
