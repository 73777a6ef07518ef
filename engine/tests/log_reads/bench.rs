//! Logs to read, and what their records must look like.

use std::sync::Arc;

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{
    Bound, Config, Entry, Environment, FsyncMode, Log, ReadMode, Records,
};
use tempfile::TempDir;

/// A directory for one log, and how the log is to be read.
pub struct Place {
    pub name: &'static str,
    pub directory: Arc<dyn Directory>,
    pub mode: ReadMode,
    pub environment: Environment,
    /// There on the real disk.
    pub path: Option<TempDir>,
}

impl Place {
    /// On the real disk.
    pub fn real(name: &'static str, mode: ReadMode) -> Self {
        let path = tempfile::tempdir().expect("a directory");
        Self {
            name,
            directory: RealDirectory::open(path.path()).expect("it opens"),
            mode,
            environment: Environment::default(),
            path: Some(path),
        }
    }

    pub fn mapped() -> Self {
        Self::real("mapped", ReadMode::Mapped)
    }

    pub fn pread() -> Self {
        Self::real("pread", ReadMode::Pread)
    }

    /// In memory, where nothing can be mapped.
    pub fn memory() -> Self {
        Self {
            name: "memory",
            directory: Arc::new(MemoryDirectory::new("shard")),
            mode: ReadMode::Mapped,
            environment: Environment::default(),
            path: None,
        }
    }

    pub fn all() -> [Self; 3] {
        [Self::mapped(), Self::pread(), Self::memory()]
    }

    /// Opens the log with these settings, in the mode of the place.
    pub fn open(&self, config: Config) -> Log {
        let config = Config {
            read_mode: self.mode,
            ..config
        };
        Log::open_in(Arc::clone(&self.directory), config, &self.environment).expect("it opens")
    }
}

/// Small segments, flushed by nobody.
pub fn small() -> Config {
    Config {
        segment_size_bytes: 1000,
        index_spacing_bytes: 100,
        fsync: FsyncMode::None,
        preallocate: false,
        ..Config::default()
    }
}

/// The payload of a record: `len` bytes that tell its offset from others.
pub fn payload(offset: u64, len: usize) -> Vec<u8> {
    (0..len as u64)
        .map(|at| (offset.wrapping_mul(31).wrapping_add(at * 7) % 251) as u8)
        .collect()
}

/// Appends records of these lengths, one batch each.
pub fn fill(log: &Log, lengths: impl IntoIterator<Item = usize>) {
    for len in lengths {
        let bytes = payload(log.tail(), len);
        log.append(&[Entry::new(&bytes).at(log.tail() + 1)])
            .expect("it appends");
    }
}

/// The offsets of what is left to read, whose payloads are as they must be.
pub fn rest(records: &mut Records) -> Vec<u64> {
    let mut read = Vec::new();
    while let Some(record) = records.next().expect("it reads") {
        let expected = payload(record.offset(), record.payload().len());
        assert!(record.payload() == expected, "offset {}", record.offset());
        assert_eq!(record.timestamp_micros(), record.offset() + 1);
        read.push(record.offset());
    }
    read
}

/// The same of a log, from an offset on.
pub fn offsets(log: &Log, from: u64) -> Vec<u64> {
    rest(&mut log.read(from, Bound::Tail).expect("it is there"))
}
