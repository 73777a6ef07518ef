//! Files in memory, for tests and for planning over bytes that lie nowhere.
//!
//! A [`MemoryFile`] may be sparse: what was never written is a hole of zeros that costs nothing, whatever the length.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Directory, Entry, EntryKind, File, Irregular, Stat};

/// A directory in memory.
#[derive(Debug, Default)]
pub struct MemoryDirectory {
    path: PathBuf,
    nodes: Mutex<BTreeMap<String, Node>>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Arc<MemoryFile>),
    Directory(Arc<MemoryDirectory>),
    Odd(EntryKind),
}

impl MemoryDirectory {
    /// An empty directory that says it lies at `path`.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            nodes: Mutex::default(),
        }
    }

    /// Puts a file there, in place of whatever has its name.
    pub fn put(&self, name: &str, file: MemoryFile) {
        self.insert(name, Node::File(Arc::new(file)));
    }

    /// Puts a directory there, in place of whatever has its name.
    pub fn put_directory(&self, name: &str) -> Arc<Self> {
        let directory = Arc::new(Self::new(self.path.join(name)));
        self.insert(name, Node::Directory(Arc::clone(&directory)));
        directory
    }

    /// Puts a link, a FIFO or the like there, which nothing can open.
    pub fn put_irregular(&self, name: &str, kind: EntryKind) {
        self.insert(name, Node::Odd(kind));
    }

    /// Takes a name away.
    pub fn remove(&self, name: &str) {
        self.nodes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(name);
    }

    fn insert(&self, name: &str, node: Node) {
        self.nodes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), node);
    }

    fn node(&self, name: &str) -> io::Result<Node> {
        let nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        nodes
            .get(name)
            .cloned()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Directory for MemoryDirectory {
    fn path(&self) -> &Path {
        &self.path
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = |(name, node): (&String, &Node)| Entry {
            name: OsString::from(name),
            kind: match node {
                Node::File(_) => EntryKind::File,
                Node::Directory(_) => EntryKind::Directory,
                Node::Odd(kind) => *kind,
            },
        };
        Ok(nodes.iter().map(entry).collect())
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
            Node::Directory(directory) => Ok(directory),
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
}

/// A file in memory: a length, and the pieces of it that are no holes.
#[derive(Clone, Debug, Default)]
pub struct MemoryFile {
    len: u64,
    pieces: BTreeMap<u64, Vec<u8>>,
    fails: bool,
}

impl MemoryFile {
    /// A file of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            len: bytes.len() as u64,
            pieces: BTreeMap::from([(0, bytes.to_vec())]),
            fails: false,
        }
    }

    /// The same bytes in a file of `len` bytes: cut, or with a hole behind them.
    #[must_use]
    pub fn with_len(mut self, len: u64) -> Self {
        self.len = len;
        self
    }

    /// The same file with `bytes` at `position`, which must not overlap what was written before.
    #[must_use]
    pub fn with_piece(mut self, position: u64, bytes: &[u8]) -> Self {
        self.len = self.len.max(position + bytes.len() as u64);
        self.pieces.insert(position, bytes.to_vec());
        self
    }

    /// The same file on a disk that cannot read it.
    #[must_use]
    pub fn unreadable(mut self) -> Self {
        self.fails = true;
        self
    }

    /// The bytes of the piece at `start` that lie below the end of the file.
    fn visible<'a>(&self, start: u64, piece: &'a [u8]) -> &'a [u8] {
        let most = usize::try_from(self.len.saturating_sub(start)).unwrap_or(usize::MAX);
        piece.get(..most).unwrap_or(piece)
    }
}

impl File for MemoryFile {
    fn stat(&self) -> io::Result<Stat> {
        Ok(Stat {
            len: self.len,
            ..Stat::default()
        })
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        if self.fails {
            return Err(io::Error::other("the medium cannot be read"));
        }
        let there = usize::try_from(self.len.saturating_sub(position)).unwrap_or(usize::MAX);
        let most = there.min(buffer.len());
        let buffer = buffer.split_at_mut(most).0;
        buffer.fill(0);
        for (&start, piece) in &self.pieces {
            let piece = self.visible(start, piece);
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
        let begins = |(&start, piece): (&u64, &Vec<u8>)| {
            let end = start + self.visible(start, piece).len() as u64;
            (end > start.max(from)).then(|| start.max(from))
        };
        Ok(self.pieces.iter().find_map(begins))
    }

    fn forget(&self, _position: u64, _bytes: u64) {}

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}
