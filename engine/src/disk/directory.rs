//! The trait of a directory.

use std::any::Any;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

use super::{File, Lock, Stat};

/// An open directory.
///
/// ```
/// use std::sync::Arc;
///
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::disk::{Directory, Replace, write_all_at};
///
/// /// Gives `name` other contents: whoever opens it finds the old ones or the new ones, whole.
/// fn replace(directory: &dyn Directory, name: &str, bytes: &[u8]) -> std::io::Result<()> {
///     let file = directory.create("temporary")?;
///     write_all_at(&*file, bytes, 0)?;
///     file.sync_all()?;
///     directory.rename("temporary", directory, name, Replace::Yes)?;
///     directory.sync()
/// }
///
/// let directory: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("anywhere"));
/// replace(&*directory, "settings", b"one")?;
/// replace(&*directory, "settings", b"another")?;
/// assert_eq!(directory.file("settings")?.stat()?.len, 7);
/// assert_eq!(directory.entries()?.len(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Directory: fmt::Debug + Send + Sync {
    /// Where it was found, for messages only: nothing is opened by it.
    fn path(&self) -> &Path;

    /// All entries but `.` and `..`, in no particular order.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn entries(&self) -> io::Result<Vec<Entry>>;

    /// What `name` is at this moment, without following or opening it.
    ///
    /// # Errors
    /// Of kind `NotFound`, or whatever the file system reports.
    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)>;

    /// Opens the directory `name` in it.
    ///
    /// # Errors
    /// Of kind `NotFound`; one for which [`is_irregular`](super::is_irregular) holds when it is a link or no directory;
    /// whatever the file system reports.
    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>>;

    /// Opens the regular file `name` in it for reading.
    ///
    /// # Errors
    /// Of kind `NotFound`; one for which [`is_irregular`](super::is_irregular) holds when it is a link or no regular
    /// file; whatever the file system reports.
    fn file(&self, name: &str) -> io::Result<Arc<dyn File>>;

    /// Opens the regular file `name` in it for reading and writing.
    ///
    /// # Errors
    /// Those of [`file`](Self::file).
    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>>;

    /// Creates the file `name` in it, for reading and writing. The entry is durable once the directory was synced.
    ///
    /// # Errors
    /// Of kind `AlreadyExists` when anything has that name, a link too; whatever the file system reports.
    fn create(&self, name: &str) -> io::Result<Arc<dyn File>>;

    /// Creates the directory `name` in it.
    ///
    /// # Errors
    /// Of kind `AlreadyExists` when anything has that name; whatever the file system reports.
    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>>;

    /// Gives what is called `from` here the name `to` in `into`, in place of what has that name if `replace` is
    /// [`Replace::Yes`]. `into` is a directory of the same disk.
    ///
    /// # Errors
    /// Of kind `NotFound`; `AlreadyExists` when the name is taken and must not be; whatever the file system reports.
    fn rename(
        &self,
        from: &str,
        into: &dyn Directory,
        to: &str,
        replace: Replace,
    ) -> io::Result<()>;

    /// Takes the name of a file, or of anything else but a directory, away.
    ///
    /// # Errors
    /// Of kind `NotFound`, or whatever the file system reports.
    fn unlink(&self, name: &str) -> io::Result<()>;

    /// Removes an empty directory.
    ///
    /// # Errors
    /// Of kind `NotFound` or `DirectoryNotEmpty`, or whatever the file system reports.
    fn remove_directory(&self, name: &str) -> io::Result<()>;

    /// Makes its entries durable.
    ///
    /// # Errors
    /// Whatever the file system reports. What was not durable before may be lost then, whatever a later sync says.
    fn sync(&self) -> io::Result<()>;

    /// Locks it against everybody else who asks, in this process or another, until the lock is dropped. Does not wait.
    ///
    /// # Errors
    /// One for which [`locked`](super::locked) holds when somebody else has it; one that says so when the path names
    /// another directory by now; whatever the file system reports.
    fn lock(&self) -> io::Result<Lock>;

    /// For the implementation of [`rename`](Self::rename), which needs to know its own kind.
    fn as_any(&self) -> &dyn Any;
}

/// Whether a rename may take the place of what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// What has the name is replaced.
    Yes,
    /// The name must be free.
    No,
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name, which may be anything.
    pub name: OsString,
    /// What it names.
    pub kind: EntryKind,
}

/// What a name in a directory stands for, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A FIFO, a socket or a device.
    Other,
}
