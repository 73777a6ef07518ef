//! Shards far larger than what is there of them: most of a segment is a hole, in which nobody has any business.

use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{DurableMark, Index, IndexEntry, Producers, Record, RecordKind, SegmentHeader};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::felix::log::{Config, Environment, FsyncMode, Log};

/// Bytes of a payload, and of a record.
pub const PAYLOAD: usize = 996;
pub const RECORD: u64 = 1024;

/// Records from one index entry to the next.
const SPACING: usize = 64;

/// Segments, sealed one and all, and one behind them that has a record: with none, the one before would be read whole (Felix
/// 7.5).
pub struct Shard {
    pub segments: u64,
    /// Records of a segment.
    pub records: u64,
}

impl Shard {
    /// The directory. Of each segment only the header is there, and records from one place in it to another.
    pub fn with(&self, there: &[(u64, u64)]) -> Arc<MemoryDirectory> {
        let directory = MemoryDirectory::new("shard");
        for id in 0..self.segments {
            let mut segment = MemoryFile::of(&header(self.base(id)));
            for &(from, to) in there {
                let bytes = (from..to).flat_map(|at| record(self.base(id) + at));
                let bytes: Vec<u8> = bytes.collect();
                segment = segment.with_piece(position(from), &bytes);
            }
            let segment = segment.with_len(position(self.records));
            directory.put(&SegmentFile::Log { id }.to_string(), segment);
            let index = MemoryFile::of(&self.index(id));
            directory.put(&SegmentFile::Index { id }.to_string(), index);
        }
        self.put_the_rest(&directory);
        Arc::new(directory)
    }

    /// One past the last offset.
    pub fn tail(&self) -> u64 {
        self.base(self.segments) + 1
    }

    /// Offset of the first record of a segment.
    pub fn base(&self, id: u64) -> u64 {
        id * self.records
    }

    fn index(&self, id: u64) -> Vec<u8> {
        let entries = (0..self.records).step_by(SPACING);
        let entries = entries.map(|at| IndexEntry {
            offset: self.base(id) + at,
            position: position(at),
        });
        let index = Index {
            base_offset: self.base(id),
            entries: entries.collect(),
        };
        let mut bytes = Vec::new();
        let version = Index::write_version(&FeatureLevels::NONE);
        index.encode(version, &mut bytes).expect("an index");
        bytes
    }

    /// The segment that is appended to, the mark, and a snapshot that says that there are no producers.
    fn put_the_rest(&self, directory: &MemoryDirectory) {
        let (id, base) = (self.segments, self.base(self.segments));
        let mut active = header(base);
        active.extend(record(base));
        let mark = DurableMark {
            segment: id,
            synced_bytes: active.len() as u64,
        };
        let producers = Producers {
            as_of: base,
            open: None,
            producers: Vec::new(),
        };
        let active = MemoryFile::of(&active);
        directory.put(&SegmentFile::Log { id }.to_string(), active);
        let put = |sidecar: &str, bytes: &[u8]| {
            directory.put(sidecar, MemoryFile::of(bytes));
        };
        let mut bytes = Vec::new();
        let version = DurableMark::write_version(&FeatureLevels::NONE);
        mark.encode(version, &mut bytes).expect("a mark");
        put(Sidecar::DurableMark.file_name(), &bytes);
        bytes.clear();
        let version = Producers::write_version(&FeatureLevels::NONE);
        producers.encode(version, &mut bytes).expect("producers");
        put(Sidecar::Producers.file_name(), &bytes);
    }
}

/// Where the record at this place in a segment begins.
pub fn position(at: u64) -> u64 {
    SegmentHeader::MIN as u64 + at * RECORD
}

fn header(base_offset: u64) -> Vec<u8> {
    let header = SegmentHeader {
        base_offset,
        created_at_micros: 0,
    };
    let mut bytes = Vec::new();
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    header.encode(version, &mut bytes).expect("a header");
    bytes
}

fn record(offset: u64) -> Vec<u8> {
    let record = Record {
        kind: RecordKind::Ordinary,
        offset,
        timestamp_micros: offset,
        tag: None,
        payload: &[7; PAYLOAD],
    };
    let mut bytes = Vec::new();
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    record.encode(version, &mut bytes).expect("a record");
    bytes
}

/// Opens a log, of whose sealed segments only a few stay open.
pub fn open(directory: Arc<dyn Directory>) -> Log {
    let config = Config {
        fsync: FsyncMode::None,
        preallocate: false,
        max_open_sealed_segments: 4,
        ..Config::default()
    };
    Log::open_in(directory, config, &Environment::default()).expect("it opens")
}
