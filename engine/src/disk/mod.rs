//! The trait every byte goes through.
//!
//! A [`Directory`] is an open handle, and everything in it is named relative to that handle by a single path component:
//! no path is resolved twice, so nothing can be swapped for something else between two looks. Links are never followed
//! below the handle, and only regular files are ever opened, so that a FIFO, a device or a planted link under a known
//! name is an error at once ([`is_irregular`]) and never a hang or a read of something else.
//!
//! [`real`] is the operating system. [`memory`] holds files in memory, sparse ones too, so that whatever is built on
//! these traits can be tested without a disk.

pub mod hooked;
pub mod memory;
pub mod real;
mod refused;
pub mod simulated;

use refused::single_component;
pub use refused::{Irregular, Lock, Locked, is_irregular, locked};

use std::any::Any;
use std::ffi::OsString;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

/// An open directory.
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
    /// Of kind `NotFound`; one for which [`is_irregular`] holds when it is a link or no directory; whatever the file
    /// system reports.
    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>>;

    /// Opens the regular file `name` in it for reading.
    ///
    /// # Errors
    /// Of kind `NotFound`; one for which [`is_irregular`] holds when it is a link or no regular file; whatever the file
    /// system reports.
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
    /// One for which [`locked`] holds when somebody else has it; one that says so when the path names another directory
    /// by now; whatever the file system reports.
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

/// An open regular file. Positions and lengths are in bytes.
pub trait File: fmt::Debug + Send + Sync {
    /// Its length and what tells it from another file, as they are now.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn stat(&self) -> io::Result<Stat>;

    /// Reads at `position` into `buffer`; returns how many bytes, 0 at the end of the file. May stop short.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize>;

    /// The first position from `from` on that does not lie in a hole; none when only holes follow. A file system that
    /// does not tell holes from zeros has none.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn next_data(&self, from: u64) -> io::Result<Option<u64>>;

    /// Writes at `position`, beyond the end too; returns how many bytes. May stop short.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize>;

    /// Cuts the file to `len` bytes, or lets it end in a hole; blocks reserved behind that are freed.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Makes its bytes and its length durable.
    ///
    /// # Errors
    /// Whatever the file system reports. What was not durable before may be lost then, whatever a later sync says.
    fn sync_data(&self) -> io::Result<()>;

    /// The same, with owner, mode and times.
    ///
    /// # Errors
    /// Those of [`sync_data`](Self::sync_data).
    fn sync_all(&self) -> io::Result<()>;

    /// Reserves blocks for the first `len` bytes and leaves the length alone. A file system that cannot do that does
    /// nothing.
    ///
    /// # Errors
    /// When there is no room, or whatever else the file system reports.
    fn allocate(&self, len: u64) -> io::Result<()>;

    /// Becomes a copy of `source` that shares its blocks, where the file system can do that. Whether it did.
    ///
    /// # Errors
    /// Whatever the file system reports.
    fn clone_of(&self, source: &dyn File) -> io::Result<bool>;

    /// Takes the owner, group and mode of another file, as far as this process may give them.
    ///
    /// # Errors
    /// When the mode cannot be set. An owner that cannot be given is none.
    fn take_owner_of(&self, other: &dyn File) -> io::Result<()>;

    /// Says that these bytes will not be read again soon. Only a hint, it cannot fail.
    fn forget(&self, position: u64, bytes: u64);

    /// The descriptor behind it, if it has one that can be mapped.
    fn descriptor(&self) -> Option<BorrowedFd<'_>>;
}

/// Reads until `buffer` is full.
///
/// # Errors
/// Of kind `UnexpectedEof` when the file ends first, or whatever the file system reports.
pub fn read_exact_at(file: &dyn File, mut buffer: &mut [u8], mut position: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.read_at(buffer, position) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = buffer.split_at_mut(read).1;
                position += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes all of `bytes`.
///
/// # Errors
/// Of kind `WriteZero` when the file takes no more, or whatever the system reports. Some of the bytes may be written then.
pub fn write_all_at(file: &dyn File, mut bytes: &[u8], mut position: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write_at(bytes, position) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = bytes.get(written..).unwrap_or_default();
                position += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Copies the bytes of `range` in `source` to the front of `target`. Holes stay holes.
///
/// # Errors
/// Of kind `UnexpectedEof` when the source ends first, or whatever the system reports.
pub fn copy(source: &dyn File, range: Range<u64>, target: &dyn File) -> io::Result<()> {
    const CHUNK: usize = 1 << 18;
    if source.stat()?.len < range.end {
        // What is behind the end looks like a hole.
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut buffer = vec![0; CHUNK];
    let mut position = range.start;
    while position < range.end {
        let data = match source.next_data(position)? {
            Some(data) => data.min(range.end),
            None => range.end,
        };
        position = data;
        let left = usize::try_from(range.end - position).unwrap_or(CHUNK);
        let piece = buffer.split_at_mut(left.min(CHUNK)).0;
        read_exact_at(source, piece, position)?;
        write_all_at(target, piece, position - range.start)?;
        position += piece.len() as u64;
    }
    // A hole at the end was stepped over.
    target.set_len(range.end - range.start)
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

/// A file at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stat {
    /// Length in bytes.
    pub len: u64,
    /// Number of the inode: another one under the same name is another file.
    pub inode: u64,
    /// Time of the last change to its bytes, in nanoseconds since the epoch.
    pub modified_nanos: i128,
}
