//! A directory in memory.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::MemoryFile;
use crate::disk::{Directory, Entry, EntryKind, File, Irregular, Lock, Locked, Replace, Stat};

/// A directory in memory. Clones are handles of one directory.
#[derive(Clone, Debug, Default)]
pub struct MemoryDirectory {
    path: PathBuf,
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    nodes: Mutex<BTreeMap<String, Node>>,
    locked: Arc<AtomicBool>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Arc<MemoryFile>),
    Directory(MemoryDirectory),
    Odd(EntryKind),
}

impl MemoryDirectory {
    /// An empty directory that says it lies at `path`.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            inner: Arc::default(),
        }
    }

    /// Puts a file there, in place of whatever has its name; in place of a file, as if that had been written anew.
    pub fn put(&self, name: &str, mut file: MemoryFile) {
        let mut nodes = self.nodes();
        if let Some(Node::File(there)) = nodes.get(name) {
            file.take_the_place_of(there);
        }
        nodes.insert(name.to_owned(), Node::File(Arc::new(file)));
    }

    /// Puts a directory there, in place of whatever has its name.
    pub fn put_directory(&self, name: &str) -> Arc<Self> {
        let directory = Self::new(self.path.join(name));
        self.nodes()
            .insert(name.to_owned(), Node::Directory(directory.clone()));
        Arc::new(directory)
    }

    /// Puts a link, a FIFO or the like there, which nothing can open.
    pub fn put_irregular(&self, name: &str, kind: EntryKind) {
        self.nodes().insert(name.to_owned(), Node::Odd(kind));
    }

    /// Takes a name away.
    pub fn remove(&self, name: &str) {
        self.nodes().remove(name);
    }

    fn nodes(&self) -> MutexGuard<'_, BTreeMap<String, Node>> {
        self.inner
            .nodes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, name: &str) -> io::Result<Node> {
        let node = self.nodes().get(name).cloned();
        node.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Directory for MemoryDirectory {
    fn path(&self) -> &Path {
        &self.path
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let entry = |(name, node): (&String, &Node)| Entry {
            name: OsString::from(name),
            kind: match node {
                Node::File(_) => EntryKind::File,
                Node::Directory(_) => EntryKind::Directory,
                Node::Odd(kind) => *kind,
            },
        };
        Ok(self.nodes().iter().map(entry).collect())
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        match self.node(name)? {
            Node::File(file) => Ok((EntryKind::File, file.stat()?)),
            Node::Directory(_) => Ok((EntryKind::Directory, Stat::default())),
            Node::Odd(kind) => Ok((kind, Stat::default())),
        }
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        match self.node(name)? {
            Node::Directory(directory) => Ok(Arc::new(directory)),
            Node::File(_) | Node::Odd(_) => Err(Irregular {
                wanted: EntryKind::Directory,
            }
            .into()),
        }
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        match self.node(name)? {
            Node::File(file) => Ok(file),
            Node::Directory(_) | Node::Odd(_) => Err(Irregular {
                wanted: EntryKind::File,
            }
            .into()),
        }
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.file(name)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        let mut nodes = self.nodes();
        if nodes.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = Arc::new(MemoryFile::default());
        nodes.insert(name.to_owned(), Node::File(Arc::clone(&file)));
        Ok(file)
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        let mut nodes = self.nodes();
        if nodes.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let directory = Self::new(self.path.join(name));
        nodes.insert(name.to_owned(), Node::Directory(directory.clone()));
        Ok(Arc::new(directory))
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
        let node = self.node(from)?;
        match into.node(to) {
            Ok(_) if replace == Replace::No => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(Node::Directory(there)) if !there.nodes().is_empty() => {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
            _ => {}
        }
        let node = match node {
            Node::Directory(directory) => Node::Directory(Self {
                path: into.path.join(to),
                inner: directory.inner,
            }),
            other => other,
        };
        self.nodes().remove(from);
        into.nodes().insert(to.to_owned(), node);
        Ok(())
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        match self.node(name)? {
            Node::Directory(_) => Err(io::ErrorKind::IsADirectory.into()),
            Node::File(_) | Node::Odd(_) => {
                self.nodes().remove(name);
                Ok(())
            }
        }
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        match self.node(name)? {
            Node::Directory(directory) if directory.nodes().is_empty() => {
                self.nodes().remove(name);
                Ok(())
            }
            Node::Directory(_) => Err(io::ErrorKind::DirectoryNotEmpty.into()),
            Node::File(_) | Node::Odd(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn lock(&self) -> io::Result<Lock> {
        struct Release(Arc<AtomicBool>);
        impl Drop for Release {
            fn drop(&mut self) {
                self.0.store(false, Ordering::Release);
            }
        }
        if self.inner.locked.swap(true, Ordering::Acquire) {
            let holder = Some(std::process::id());
            return Err(Locked { holder }.into());
        }
        Ok(Lock::new(Release(Arc::clone(&self.inner.locked))))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
