//! A disk that tells a test of every operation ahead of doing it, and does what the test says.

use std::any::Any;
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::{Arc, RwLock};

use ondisk_engine::disk::{Directory, Entry, EntryKind, File, Lock, Replace, Stat};

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Open,
    Edit,
    Create,
    Rename,
    Unlink,
    SyncDirectory,
    Read,
    Write,
    SetLen,
    Sync,
}

type Hook = Box<dyn Fn(Op, &str) -> io::Result<()> + Send + Sync>;

/// What is asked ahead of every operation.
#[derive(Default)]
pub struct Hooks(RwLock<Option<Arc<Hook>>>);

impl Hooks {
    /// From now on `hook` is asked, with the operation and the name of the file.
    pub fn set(&self, hook: impl Fn(Op, &str) -> io::Result<()> + Send + Sync + 'static) {
        *self.0.write().expect("no panic") = Some(Arc::new(Box::new(hook)));
    }

    fn ask(&self, op: Op, name: &str) -> io::Result<()> {
        let hook = self.0.read().expect("no panic").clone();
        hook.map_or(Ok(()), |hook| hook(op, name))
    }
}

/// A directory of that disk.
pub struct Told {
    inner: Arc<dyn Directory>,
    hooks: Arc<Hooks>,
}

impl Told {
    pub fn over(inner: Arc<dyn Directory>) -> (Arc<dyn Directory>, Arc<Hooks>) {
        let hooks = Arc::new(Hooks::default());
        let told = Self {
            inner,
            hooks: Arc::clone(&hooks),
        };
        (Arc::new(told), hooks)
    }

    fn told(&self, name: &str, file: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(ToldFile {
            inner: file,
            name: name.to_owned(),
            hooks: Arc::clone(&self.hooks),
        })
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl Directory for Told {
    fn path(&self) -> &Path {
        self.inner.path()
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        self.inner.entries()
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        self.inner.stat(name)
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.inner.directory(name)
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.hooks.ask(Op::Open, name)?;
        Ok(self.told(name, self.inner.file(name)?))
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.hooks.ask(Op::Edit, name)?;
        Ok(self.told(name, self.inner.edit(name)?))
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.hooks.ask(Op::Create, name)?;
        Ok(self.told(name, self.inner.create(name)?))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.inner.create_directory(name)
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        self.hooks.ask(Op::Rename, to)?;
        let into = into.as_any().downcast_ref::<Self>();
        let into = into.expect("a directory of this disk");
        self.inner.rename(from, &*into.inner, to, replace)
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        self.hooks.ask(Op::Unlink, name)?;
        self.inner.unlink(name)
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        self.inner.remove_directory(name)
    }

    fn sync(&self) -> io::Result<()> {
        self.hooks.ask(Op::SyncDirectory, "")?;
        self.inner.sync()
    }

    fn lock(&self) -> io::Result<Lock> {
        self.inner.lock()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct ToldFile {
    inner: Arc<dyn File>,
    name: String,
    hooks: Arc<Hooks>,
}

impl fmt::Debug for ToldFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl File for ToldFile {
    fn stat(&self) -> io::Result<Stat> {
        self.inner.stat()
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        self.hooks.ask(Op::Read, &self.name)?;
        self.inner.read_at(buffer, position)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        self.inner.next_data(from)
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        self.hooks.ask(Op::Write, &self.name)?;
        self.inner.write_at(bytes, position)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.hooks.ask(Op::SetLen, &self.name)?;
        self.inner.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.hooks.ask(Op::Sync, &self.name)?;
        self.inner.sync_data()
    }

    fn sync_all(&self) -> io::Result<()> {
        self.hooks.ask(Op::Sync, &self.name)?;
        self.inner.sync_all()
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        self.inner.allocate(len)
    }

    fn clone_of(&self, _source: &dyn File) -> io::Result<bool> {
        // Copied instead, so that it is told of.
        Ok(false)
    }

    fn take_owner_of(&self, other: &dyn File) -> io::Result<()> {
        self.inner.take_owner_of(other)
    }

    fn forget(&self, position: u64, bytes: u64) {
        self.inner.forget(position, bytes);
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.inner.descriptor()
    }
}
