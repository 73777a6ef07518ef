//! A disk over another one that asks ahead of every operation.
//!
//! For whoever tests what is built on the traits: a hook can let an operation fail, cut a write short, or do something else
//! in its place in time. Everything below the directory that is wrapped is asked about too.

use std::any::Any;
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Arc;

use super::{Directory, Entry, EntryKind, File, Lock, Replace, Stat};

/// An operation that is asked about. Of a rename the new name is told, of a sync of a directory none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A file is opened for reading.
    Open,
    /// A file is opened for writing.
    Edit,
    /// A file or directory is created.
    Create,
    /// A name is changed.
    Rename,
    /// A name is taken away.
    Unlink,
    /// A directory is removed.
    RemoveDirectory,
    /// A directory is synced.
    SyncDirectory,
    /// Bytes are read.
    Read,
    /// Bytes are written.
    Write,
    /// The length of a file is set.
    SetLen,
    /// A file is synced.
    SyncFile,
    /// Blocks are reserved.
    Allocate,
}

impl Call {
    /// Whether it changes something on the disk, or makes a change durable.
    #[must_use]
    pub const fn changes(self) -> bool {
        !matches!(self, Self::Open | Self::Edit | Self::Read)
    }
}

/// What becomes of an operation.
#[derive(Debug)]
pub enum Verdict {
    /// It is done.
    Go,
    /// It is not done, and fails.
    Fail(io::Error),
    /// A write of more than one byte does half of them and says so; anything else is done.
    Short,
    /// A write does half of its bytes and fails; anything else is not done and fails.
    HalfThenFail(io::Error),
}

/// What is asked: the operation, and the name of the file.
pub type Hook = dyn Fn(Call, &str) -> Verdict + Send + Sync;

/// A directory that asks.
///
/// ```
/// use std::io;
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::felix::error::StorageError;
/// use ondisk_engine::felix::log::{Config, Entry, Environment, Log};
///
/// let disk = Arc::new(MemoryDirectory::new("shard"));
/// let full = HookedDirectory::over(disk, |call, name| match call {
///     Call::Write if name == "00000000000000000001.log" => {
///         Verdict::HalfThenFail(io::ErrorKind::StorageFull.into())
///     }
///     _ => Verdict::Go,
/// });
/// let log = Log::open_in(full, Config::default(), &Environment::default())?;
/// log.append(&[Entry::new(b"in the first segment")])?;
/// assert!(matches!(log.roll(), Err(StorageError::Io { .. })));
/// // The log goes on in the one it has.
/// log.append(&[Entry::new(b"too")])?;
/// assert_eq!(log.tail(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HookedDirectory {
    inner: Arc<dyn Directory>,
    hook: Arc<Hook>,
}

struct HookedFile {
    inner: Arc<dyn File>,
    name: String,
    hook: Arc<Hook>,
}

fn ask(hook: &Hook, call: Call, name: &str) -> io::Result<()> {
    match hook(call, name) {
        Verdict::Go | Verdict::Short => Ok(()),
        Verdict::Fail(error) | Verdict::HalfThenFail(error) => Err(error),
    }
}

impl HookedDirectory {
    /// The same directory, with `hook` asked ahead of every operation.
    #[must_use]
    pub fn over(
        inner: Arc<dyn Directory>,
        hook: impl Fn(Call, &str) -> Verdict + Send + Sync + 'static,
    ) -> Arc<dyn Directory> {
        Self::wrap(inner, Arc::new(hook))
    }

    fn wrap(inner: Arc<dyn Directory>, hook: Arc<Hook>) -> Arc<dyn Directory> {
        Arc::new(Self { inner, hook })
    }

    fn ask(&self, call: Call, name: &str) -> io::Result<()> {
        ask(&*self.hook, call, name)
    }

    fn hooked(&self, name: &str, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(HookedFile {
            inner,
            name: name.to_owned(),
            hook: Arc::clone(&self.hook),
        })
    }
}

impl fmt::Debug for HookedDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl fmt::Debug for HookedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl Directory for HookedDirectory {
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
        let inner = self.inner.directory(name)?;
        Ok(Self::wrap(inner, Arc::clone(&self.hook)))
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.ask(Call::Open, name)?;
        Ok(self.hooked(name, self.inner.file(name)?))
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.ask(Call::Edit, name)?;
        Ok(self.hooked(name, self.inner.edit(name)?))
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.ask(Call::Create, name)?;
        Ok(self.hooked(name, self.inner.create(name)?))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.ask(Call::Create, name)?;
        let inner = self.inner.create_directory(name)?;
        Ok(Self::wrap(inner, Arc::clone(&self.hook)))
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        self.ask(Call::Rename, to)?;
        self.inner.rename(from, into, to, replace)
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        self.ask(Call::Unlink, name)?;
        self.inner.unlink(name)
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        self.ask(Call::RemoveDirectory, name)?;
        self.inner.remove_directory(name)
    }

    fn sync(&self) -> io::Result<()> {
        self.ask(Call::SyncDirectory, "")?;
        self.inner.sync()
    }

    fn lock(&self) -> io::Result<Lock> {
        self.inner.lock()
    }

    fn as_any(&self) -> &dyn Any {
        // So that the disk below finds its own kind as the target of a rename.
        self.inner.as_any()
    }
}

impl File for HookedFile {
    fn stat(&self) -> io::Result<Stat> {
        self.inner.stat()
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        ask(&*self.hook, Call::Read, &self.name)?;
        self.inner.read_at(buffer, position)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        self.inner.next_data(from)
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        let half = &bytes[..bytes.len() / 2];
        match (self.hook)(Call::Write, &self.name) {
            Verdict::Short if !half.is_empty() => self.inner.write_at(half, position),
            Verdict::Go | Verdict::Short => self.inner.write_at(bytes, position),
            Verdict::Fail(error) => Err(error),
            Verdict::HalfThenFail(error) => {
                self.inner.write_at(half, position)?;
                Err(error)
            }
        }
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        ask(&*self.hook, Call::SetLen, &self.name)?;
        self.inner.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        ask(&*self.hook, Call::SyncFile, &self.name)?;
        self.inner.sync_data()
    }

    fn sync_all(&self) -> io::Result<()> {
        ask(&*self.hook, Call::SyncFile, &self.name)?;
        self.inner.sync_all()
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        ask(&*self.hook, Call::Allocate, &self.name)?;
        self.inner.allocate(len)
    }

    fn clone_of(&self, _source: &dyn File) -> io::Result<bool> {
        // Copied instead, so that the hook is asked.
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
