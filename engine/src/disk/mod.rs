//! The trait every byte goes through.
//!
//! A [`Directory`] is an open handle, and everything in it is named relative to that handle by a single path component:
//! no path is resolved twice, so nothing can be swapped for something else between two looks. Links are never followed
//! below the handle, and only regular files are ever opened, so that a FIFO, a device or a planted link under a known
//! name is an error at once ([`is_irregular`]) and never a hang or a read of something else.
//!
//! [`real`] is the operating system. [`memory`] holds files in memory, sparse ones too, so that whatever is built on
//! these traits can be tested without a disk.

pub mod memory;
pub mod real;

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Arc;
use std::{error, fmt, io};

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

/// The error of opening what is a link or not of the kind that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irregular {
    /// What was asked for.
    pub wanted: EntryKind,
}

impl fmt::Display for Irregular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wanted {
            EntryKind::Directory => f.write_str("not a directory, or a link to one"),
            _ => f.write_str("not a regular file"),
        }
    }
}

impl error::Error for Irregular {}

impl From<Irregular> for io::Error {
    fn from(irregular: Irregular) -> Self {
        Self::other(irregular)
    }
}

/// Whether an open failed because the name stands for a link, or for something of another kind.
#[must_use]
pub fn is_irregular(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Irregular>())
}
