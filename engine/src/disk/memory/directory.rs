//! A directory in memory.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::MemoryFile;
use crate::disk::{
    Directory, Entry, EntryKind, File, Irregular, Lock, Locked, Replace, Stat, single_component,
};

/// A directory in memory. Clones are handles of one directory.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::Directory;
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::log::{Config, Entry, Environment, Log};
///
/// let disk = Arc::new(MemoryDirectory::new("shard"));
/// let log = Log::open_in(disk.clone(), Config::default(), &Environment::default())?;
/// log.append(&[Entry::new(b"hello")])?;
/// log.close()?;
/// assert!(disk.file("00000000000000000000.log")?.stat()?.len > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

impl Node {
    /// The same thing under another name.
    fn at(self, path: &Path, name: &str) -> Self {
        match self {
            Self::Directory(directory) => Self::Directory(MemoryDirectory {
                path: path.join(name),
                inner: directory.inner,
            }),
            other => other,
        }
    }
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
        single_component(name)?;
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
        single_component(name)?;
        let mut nodes = self.nodes();
        if nodes.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = Arc::new(MemoryFile::default());
        nodes.insert(name.to_owned(), Node::File(Arc::clone(&file)));
        Ok(file)
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        single_component(name)?;
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
        single_component(from)?;
        single_component(to)?;
        let into = into.as_any().downcast_ref::<Self>();
        let into = into.ok_or(io::ErrorKind::CrossesDevices)?;
        let free = |there: Option<&Node>, moved: &Node| match (there, moved) {
            (None, _) => Ok(()),
            (Some(_), _) if replace == Replace::No => Err(io::ErrorKind::AlreadyExists),
            (Some(Node::Directory(there)), Node::Directory(_)) => match there.nodes().is_empty() {
                true => Ok(()),
                false => Err(io::ErrorKind::DirectoryNotEmpty),
            },
            (Some(Node::Directory(_)), _) => Err(io::ErrorKind::IsADirectory),
            (Some(_), Node::Directory(_)) => Err(io::ErrorKind::NotADirectory),
            (Some(_), _) => Ok(()),
        };
        // Under one lock, so that nobody sees neither name.
        if Arc::ptr_eq(&self.inner, &into.inner) {
            let mut nodes = self.nodes();
            let node = nodes.get(from).ok_or(io::ErrorKind::NotFound)?;
            if from != to || replace == Replace::No {
                free(nodes.get(to), node)?;
                if let Some(node) = nodes.remove(from) {
                    nodes.insert(to.to_owned(), node.at(&into.path, to));
                }
            }
            return Ok(());
        }
        let node = self.node(from)?;
        free(into.nodes().get(to), &node)?;
        into.nodes().insert(to.to_owned(), node.at(&into.path, to));
        self.nodes().remove(from);
        Ok(())
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        let mut nodes = self.nodes();
        match nodes.get(name) {
            None => Err(io::ErrorKind::NotFound.into()),
            Some(Node::Directory(_)) => Err(io::ErrorKind::IsADirectory.into()),
            Some(Node::File(_) | Node::Odd(_)) => {
                nodes.remove(name);
                Ok(())
            }
        }
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        let mut nodes = self.nodes();
        match nodes.get(name) {
            None => Err(io::ErrorKind::NotFound.into()),
            Some(Node::Directory(directory)) if directory.nodes().is_empty() => {
                nodes.remove(name);
                Ok(())
            }
            Some(Node::Directory(_)) => Err(io::ErrorKind::DirectoryNotEmpty.into()),
            Some(Node::File(_) | Node::Odd(_)) => Err(io::ErrorKind::NotADirectory.into()),
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
