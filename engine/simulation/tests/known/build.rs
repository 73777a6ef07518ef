//! Shards byte by byte, written with the definitions.

use std::ops::Range;
use std::sync::Arc;

use ondisk::encode::Encode;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{
    DurableMark, Index, IndexEntry, ManifestEntry, ProducerTag, Record, RecordKind, SegmentHeader,
};
use ondisk::{FeatureLevels, WriteVersion};
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::disk::{self, Directory};

/// Bytes of a segment header.
pub const HEADER: u64 = 32;

/// Bytes of a record with a payload by [`payload`].
pub const RECORD: u64 = 64;

/// Bytes of a segment of so many records.
pub const fn length(records: u64) -> u64 {
    HEADER + records * RECORD
}

/// What the record at `offset` says.
pub fn payload(offset: u64) -> Vec<u8> {
    format!("record {offset:<29}").into_bytes()
}

pub fn log_name(id: u64) -> String {
    SegmentFile::Log { id }.to_string()
}

pub fn index_name(id: u64) -> String {
    SegmentFile::Index { id }.to_string()
}

/// The name under which a repair keeps what it takes out of a segment at `number`.
pub fn cut_name(id: u64, number: u64) -> String {
    SegmentFile::Cut { id, number }.to_string()
}

/// The bytes of a value, in the version that is written while no feature is finalized.
pub fn encoded<K: Encode>(value: &K) -> Vec<u8> {
    let version = WriteVersion::<K>::default_under(&FeatureLevels::NONE);
    encoded_at(version.get(), value)
}

fn encoded_at<K: Encode>(version: u32, value: &K) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.encode_at(version, &mut bytes).expect("it encodes");
    bytes
}

/// The bytes of a `durable.mark`.
pub fn mark(segment: u64, synced_bytes: u64) -> Vec<u8> {
    encoded(&DurableMark {
        segment,
        synced_bytes,
    })
}

/// The bytes of an index with an entry (offset, position) each.
pub fn index(base_offset: u64, entries: &[(u64, u64)]) -> Vec<u8> {
    let entry = |&(offset, position)| IndexEntry { offset, position };
    encoded(&Index {
        base_offset,
        entries: entries.iter().map(entry).collect(),
    })
}

/// The copy of a full segment, four records by [`payload`], in the object store.
pub fn copied(segment: u64) -> ManifestEntry {
    ManifestEntry {
        segment,
        base_offset: segment * 4,
        last_offset: segment * 4 + 3,
        size: length(4),
        oldest_micros: 1,
        newest_micros: 1,
        checksum: 7,
        key: format!("node/shard/{segment}"),
    }
}

/// An ordinary record.
pub fn record(offset: u64, timestamp_micros: u64, payload: &[u8]) -> Vec<u8> {
    encoded(&Record {
        kind: RecordKind::Ordinary,
        offset,
        timestamp_micros,
        tag: None,
        payload,
    })
}

/// A segment, as bytes.
#[derive(Clone)]
pub struct Segment {
    pub bytes: Vec<u8>,
    base: u64,
    next: u64,
}

impl Segment {
    /// A segment without records.
    pub fn at(base_offset: u64) -> Self {
        Self {
            bytes: encoded(&SegmentHeader {
                base_offset,
                created_at_micros: 1,
            }),
            base: base_offset,
            next: base_offset,
        }
    }

    /// A segment with these records, each as [`payload`] has it.
    pub fn of(offsets: Range<u64>) -> Self {
        let segment = Self::at(offsets.start);
        offsets.fold(segment, |segment, offset| segment.payload(&payload(offset)))
    }

    pub fn payload(self, payload: &[u8]) -> Self {
        let bytes = record(self.next, 1, payload);
        self.record(&bytes)
    }

    /// The front of a batch of three by producer 7.
    pub fn opens(self, sequence: u64) -> Self {
        let record = Record {
            kind: RecordKind::Opens,
            offset: self.next,
            timestamp_micros: 1,
            tag: Some(ProducerTag {
                producer_id: 7,
                sequence,
                len: 3,
            }),
            payload: b"opens",
        };
        let bytes = encoded_at(3, &record);
        self.record(&bytes)
    }

    /// A record that has the next offset.
    pub fn record(mut self, record: &[u8]) -> Self {
        self.next += 1;
        self.raw(record)
    }

    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// With zeros behind it, up to this length.
    pub fn padded_to(mut self, length: usize) -> Self {
        self.bytes.resize(length, 0);
        self
    }

    /// Without what lies from a position on.
    pub fn cut_to(mut self, position: u64) -> Self {
        self.bytes.truncate(at(position));
        self
    }

    /// With a bit that is the other way round.
    pub fn rotten_at(mut self, position: u64) -> Self {
        self.bytes[at(position)] ^= 1;
        self
    }

    /// What lies from a position on.
    pub fn from(&self, position: u64) -> Vec<u8> {
        self.bytes[at(position)..].to_vec()
    }
}

pub fn at(position: u64) -> usize {
    usize::try_from(position).expect("a position in memory")
}

/// A shard directory that is being built. All that is put there is durable.
pub struct Shard(pub Arc<dyn Directory>);

impl Shard {
    /// In memory.
    pub fn new() -> Self {
        Self(Arc::new(MemoryDirectory::new("shard")))
    }

    /// On a disk that can lose power.
    pub fn on(disk: &SimulatedDisk) -> Self {
        Self(disk.root())
    }

    /// Puts a segment there, with an index that has its first record.
    pub fn segment(self, id: u64, segment: &Segment) -> Self {
        let first = (segment.next > segment.base).then_some((segment.base, HEADER));
        let entries: Vec<_> = first.into_iter().collect();
        self.file(&log_name(id), &segment.bytes)
            .file(&index_name(id), &index(segment.base, &entries))
    }

    pub fn mark(self, segment: u64, synced_bytes: u64) -> Self {
        self.file(
            Sidecar::DurableMark.file_name(),
            &mark(segment, synced_bytes),
        )
    }

    pub fn file(self, name: &str, bytes: &[u8]) -> Self {
        put(&*self.0, name, bytes);
        self
    }
}

/// Puts a file there, durably, in place of what has its name.
pub fn put(directory: &dyn Directory, name: &str, bytes: &[u8]) {
    // It may be free.
    let _unlinked = directory.unlink(name);
    let file = directory.create(name).expect("the name is free");
    disk::write_all_at(&*file, bytes, 0).expect("it is written");
    file.sync_all().expect("it is synced");
    directory.sync().expect("it is synced");
}
