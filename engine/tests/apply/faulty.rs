//! A disk of which one operation fails, counted over a directory and its files.

use std::any::Any;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ondisk_engine::disk::{Directory, Entry, EntryKind, File, Lock, Replace, Stat};

/// Operations that change something are counted down; the one at 0 fails and does nothing, as do all behind it.
#[derive(Debug)]
pub(crate) struct Faulty {
    inner: Arc<dyn Directory>,
    left: Arc<AtomicI64>,
}

impl Faulty {
    pub(crate) fn after(operations: i64, inner: Arc<dyn Directory>) -> Arc<Self> {
        let left = Arc::new(AtomicI64::new(operations));
        Arc::new(Self { inner, left })
    }

    /// Whether it came to the failure.
    pub(crate) fn failed(&self) -> bool {
        self.left.load(Ordering::Relaxed) < 0
    }

    fn file_of(&self, inner: Arc<dyn File>) -> Arc<dyn File> {
        let left = Arc::clone(&self.left);
        Arc::new(FaultyFile { inner, left })
    }
}

fn count(left: &AtomicI64) -> io::Result<()> {
    if left.fetch_sub(1, Ordering::Relaxed) <= 0 {
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

impl Directory for Faulty {
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
        self.inner.file(name)
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        Ok(self.file_of(self.inner.edit(name)?))
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        count(&self.left)?;
        Ok(self.file_of(self.inner.create(name)?))
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        count(&self.left)?;
        self.inner.create_directory(name)
    }

    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()> {
        count(&self.left)?;
        self.inner.rename(from, into, to, replace)
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        count(&self.left)?;
        self.inner.unlink(name)
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        count(&self.left)?;
        self.inner.remove_directory(name)
    }

    fn sync(&self) -> io::Result<()> {
        count(&self.left)?;
        self.inner.sync()
    }

    fn lock(&self) -> io::Result<Lock> {
        self.inner.lock()
    }

    fn as_any(&self) -> &dyn Any {
        self.inner.as_any()
    }
}

#[derive(Debug)]
struct FaultyFile {
    inner: Arc<dyn File>,
    left: Arc<AtomicI64>,
}

impl File for FaultyFile {
    fn stat(&self) -> io::Result<Stat> {
        self.inner.stat()
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        self.inner.read_at(buffer, position)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        self.inner.next_data(from)
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        // What fails may have written some of it.
        if let Err(error) = count(&self.left) {
            let _some = self.inner.write_at(&bytes[..bytes.len() / 2], position);
            return Err(error);
        }
        self.inner.write_at(bytes, position)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        count(&self.left)?;
        self.inner.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        count(&self.left)?;
        self.inner.sync_data()
    }

    fn sync_all(&self) -> io::Result<()> {
        count(&self.left)?;
        self.inner.sync_all()
    }

    fn allocate(&self, len: u64) -> io::Result<()> {
        self.inner.allocate(len)
    }

    fn clone_of(&self, source: &dyn File) -> io::Result<bool> {
        self.inner.clone_of(source)
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
