//! The trait of a file, and what is done with a whole run of its bytes.

use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::{fmt, io};

/// An open regular file. Positions and lengths are in bytes.
///
/// ```
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::disk::{Directory, File, write_all_at};
///
/// let file = MemoryDirectory::new("anywhere").create("sparse")?;
/// write_all_at(&*file, b"end", 1 << 40)?;
/// file.sync_data()?;
/// assert_eq!(file.stat()?.len, (1 << 40) + 3);
/// assert_eq!(file.next_data(0)?, Some(1 << 40));
/// file.set_len(0)?;
/// assert_eq!(file.next_data(0)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
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
/// ```
/// use ondisk_engine::disk::memory::MemoryDirectory;
/// use ondisk_engine::disk::{Directory, copy, read_exact_at, write_all_at};
///
/// let directory = MemoryDirectory::new("anywhere");
/// let (from, to) = (directory.create("from")?, directory.create("to")?);
/// write_all_at(&*from, b"one two", 0)?;
/// copy(&*from, 4..7, &*to)?;
/// let mut bytes = [0; 3];
/// read_exact_at(&*to, &mut bytes, 0)?;
/// assert_eq!(&bytes, b"two");
/// # Ok::<(), std::io::Error>(())
/// ```
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
