//! A file in memory.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::{File, Stat};

/// A file in memory: a length, and the pieces of it that are no holes.
///
/// ```
/// use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
/// use ondisk_engine::disk::{Directory, read_exact_at};
///
/// let disk = MemoryDirectory::new("shard");
/// disk.put("sparse", MemoryFile::of(b"front").with_len(1 << 40));
/// disk.put("rotten", MemoryFile::of(b"front").unreadable());
/// let mut front = [0; 5];
/// read_exact_at(&*disk.file("sparse")?, &mut front, 0)?;
/// assert_eq!(&front, b"front");
/// assert!(read_exact_at(&*disk.file("rotten")?, &mut front, 0).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct MemoryFile {
    content: Mutex<Content>,
    inode: u64,
    fails: bool,
}

#[derive(Debug, Default)]
struct Content {
    len: u64,
    /// By where they begin. They do not overlap, and none reaches beyond the end.
    pieces: BTreeMap<u64, Vec<u8>>,
    /// Changes made, in the place of a time.
    changes: i128,
}

impl Default for MemoryFile {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            content: Mutex::default(),
            inode: NEXT.fetch_add(1, Ordering::Relaxed),
            fails: false,
        }
    }
}

impl MemoryFile {
    /// A file of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::default().with_piece(0, bytes)
    }

    /// The same bytes in a file of `len` bytes: cut, or with a hole behind them.
    #[must_use]
    pub fn with_len(self, len: u64) -> Self {
        self.content().set_len(len);
        self
    }

    /// The same file with `bytes` at `position`.
    #[must_use]
    pub fn with_piece(self, position: u64, bytes: &[u8]) -> Self {
        self.content().write(position, bytes);
        self
    }

    /// The same file on a disk that cannot read it.
    #[must_use]
    pub fn unreadable(mut self) -> Self {
        self.fails = true;
        self
    }

    /// Becomes the file that `other` was, with the bytes that it has itself.
    pub(super) fn take_the_place_of(&mut self, other: &Self) {
        self.inode = other.inode;
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    /// Makes room for a piece, so that what lies in `from..to` belongs to none, or to the one that holds all of it.
    fn write(&mut self, position: u64, bytes: &[u8]) {
        self.changes += 1;
        let end = position + bytes.len() as u64;
        self.len = self.len.max(end);
        if bytes.is_empty() {
            return;
        }
        // Appending to a piece, or writing inside it, is what logs and sidecars do.
        if let Some((&start, piece)) = self.pieces.range_mut(..=position).next_back() {
            let at = usize::try_from(position - start).unwrap_or(usize::MAX);
            if at <= piece.len() {
                let inside = bytes.len().min(piece.len() - at);
                let (over, behind) = bytes.split_at(inside);
                piece[at..at + inside].copy_from_slice(over);
                if behind.is_empty() {
                    return;
                }
                let rest_at = position + inside as u64;
                // One that begins right where this ends is in the way as well.
                let next = self.pieces.range(rest_at..).next().map(|(&next, _)| next);
                if next.is_none_or(|next| next >= end)
                    && let Some(piece) = self.pieces.get_mut(&start)
                {
                    piece.extend_from_slice(behind);
                    return;
                }
                return self.put(rest_at, behind);
            }
        }
        self.put(position, bytes);
    }

    /// Puts a piece where it may overlap those that begin behind it.
    fn put(&mut self, position: u64, bytes: &[u8]) {
        let end = position + bytes.len() as u64;
        let overlapped: Vec<u64> = self
            .pieces
            .range(position..end)
            .map(|(&at, _)| at)
            .collect();
        let mut merged = bytes.to_vec();
        for at in overlapped {
            let piece = self.pieces.remove(&at).unwrap_or_default();
            let skip = usize::try_from(end - at).unwrap_or(usize::MAX);
            merged.extend_from_slice(piece.get(skip..).unwrap_or_default());
        }
        self.pieces.insert(position, merged);
    }

    fn set_len(&mut self, len: u64) {
        self.changes += 1;
        self.len = len;
        self.pieces.retain(|&start, _| start < len);
        if let Some((&start, piece)) = self.pieces.iter_mut().next_back() {
            piece.truncate(usize::try_from(len - start).unwrap_or(usize::MAX));
        }
    }
}

impl File for MemoryFile {
    fn stat(&self) -> io::Result<Stat> {
        let content = self.content();
        Ok(Stat {
            len: content.len,
            inode: self.inode,
            modified_nanos: content.changes,
        })
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        if self.fails {
            return Err(io::Error::other("the medium cannot be read"));
        }
        let content = self.content();
        let there = usize::try_from(content.len.saturating_sub(position)).unwrap_or(usize::MAX);
        let most = there.min(buffer.len());
        let buffer = buffer.split_at_mut(most).0;
        buffer.fill(0);
        let end = position.saturating_add(most as u64);
        let first = content.pieces.range(..=position).next_back();
        let from = first.map_or(position, |(&start, _)| start);
        for (&start, piece) in content.pieces.range(from..end) {
            let from = usize::try_from(position.saturating_sub(start)).unwrap_or(usize::MAX);
            let to = usize::try_from(start.saturating_sub(position)).unwrap_or(usize::MAX);
            if let (Some(piece), Some(target)) = (piece.get(from..), buffer.get_mut(to..)) {
                let both = piece.len().min(target.len());
                target[..both].copy_from_slice(&piece[..both]);
            }
        }
        Ok(most)
    }

    fn next_data(&self, from: u64) -> io::Result<Option<u64>> {
        let content = self.content();
        let begins = |(&start, piece): (&u64, &Vec<u8>)| {
            let end = start + piece.len() as u64;
            (end > start.max(from)).then(|| start.max(from))
        };
        Ok(content.pieces.iter().find_map(begins))
    }

    fn write_at(&self, bytes: &[u8], position: u64) -> io::Result<usize> {
        // Where positions end, for a file of the system too.
        let end = position.checked_add(bytes.len() as u64);
        if end.is_none_or(|end| i64::try_from(end).is_err()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.content().write(position, bytes);
        Ok(bytes.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.content().set_len(len);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn sync_all(&self) -> io::Result<()> {
        Ok(())
    }

    fn allocate(&self, _len: u64) -> io::Result<()> {
        Ok(())
    }

    fn clone_of(&self, _source: &dyn File) -> io::Result<bool> {
        Ok(false)
    }

    fn take_owner_of(&self, _other: &dyn File) -> io::Result<()> {
        Ok(())
    }

    fn forget(&self, _position: u64, _bytes: u64) {}

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}
