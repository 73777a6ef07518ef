//! Shards in memory, written with the definitions.

use std::num::NonZeroUsize;
use std::sync::Arc;

use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{
    DurableMark, Index, IndexEntry, Manifest, ManifestEntry, ProducerTag, Record, RecordKind,
    SegmentHeader,
};
use ondisk::{FeatureLevels, WriteVersion};
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::felix::opening::{LogKind, Opening, Sidecars, open};
use ondisk_engine::felix::recovery::{Plan, Report, Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;

/// Bytes of a record of [`SegmentBytes::records`].
pub(crate) const RECORD: u64 = 68;

/// Bytes of a segment of so many records.
pub(crate) const fn bytes(records: u64) -> u64 {
    32 + records * RECORD
}

/// A segment, as bytes.
#[derive(Clone)]
pub(crate) struct SegmentBytes {
    pub(crate) bytes: Vec<u8>,
    pub(crate) version: WriteVersion<SegmentHeader>,
    pub(crate) next: u64,
}

const LEVELS: FeatureLevels<'_> = FeatureLevels::new(&[("generation_start", 1)]);

/// A segment of version 3 with so many records.
pub(crate) fn segment(base_offset: u64, records: u64) -> SegmentBytes {
    SegmentBytes::new(3, base_offset).records(records)
}

impl SegmentBytes {
    pub(crate) fn new(version: u32, base_offset: u64) -> Self {
        let version = SegmentHeader::write_at(version, &LEVELS).expect("a version that is written");
        let mut bytes = Vec::new();
        let header = SegmentHeader {
            base_offset,
            created_at_micros: 1,
        };
        header.encode(version, &mut bytes).expect("a header");
        Self {
            bytes,
            version,
            next: base_offset,
        }
    }

    pub(crate) fn records(mut self, count: u64) -> Self {
        for _ in 0..count {
            let payload = format!("order {:05} abcdefghijklmnopqrstuvwxyzab", self.next);
            self = self.payload(payload.as_bytes());
        }
        self
    }

    pub(crate) fn payload(self, payload: &[u8]) -> Self {
        self.record(RecordKind::Ordinary, None, payload)
    }

    pub(crate) fn opens(self, producer_id: u64, sequence: u64, len: u32) -> Self {
        self.record(
            RecordKind::Opens,
            Some(ProducerTag {
                producer_id,
                sequence,
                len,
            }),
            b"opens",
        )
    }

    pub(crate) fn continues(self) -> Self {
        self.record(RecordKind::Continues, None, b"continues")
    }

    pub(crate) fn generation_start(self, generation: u64) -> Self {
        self.record(RecordKind::GenerationStart, None, &generation.to_be_bytes())
    }

    fn record(mut self, kind: RecordKind, tag: Option<ProducerTag>, payload: &[u8]) -> Self {
        let record = Record {
            kind,
            offset: self.next,
            timestamp_micros: self.next,
            tag,
            payload,
        };
        record
            .encode(self.version, &mut self.bytes)
            .expect("a record");
        self.next += 1;
        self
    }

    /// Leaves an offset out.
    pub(crate) fn skip_offset(mut self) -> Self {
        self.next += 1;
        self
    }

    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(crate) fn zeros(self, count: usize) -> Self {
        self.raw(&vec![0; count])
    }

    /// Cuts so many bytes off the end.
    pub(crate) fn short_by(mut self, count: usize) -> Self {
        self.bytes.truncate(self.bytes.len() - count);
        self
    }

    /// Flips a bit.
    pub(crate) fn rot(mut self, position: u64) -> Self {
        self.bytes[usize::try_from(position).expect("a position in memory")] ^= 1;
        self
    }

    /// Zeroes from a position up to the end.
    pub(crate) fn zeroed_from(mut self, position: u64) -> Self {
        self.bytes[usize::try_from(position).expect("a position in memory")..].fill(0);
        self
    }
}

/// A shard directory in memory.
pub(crate) struct Dir(pub(crate) Arc<MemoryDirectory>);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(Arc::new(MemoryDirectory::new("shard")))
    }

    /// Puts a segment there, with an index that has its first record.
    pub(crate) fn with(self, id: u64, segment: &SegmentBytes) -> Self {
        self.with_bytes(id, &segment.bytes).indexed(id, segment)
    }

    pub(crate) fn with_bytes(self, id: u64, bytes: &[u8]) -> Self {
        self.0
            .put(&SegmentFile::Log { id }.to_string(), MemoryFile::of(bytes));
        self
    }

    fn indexed(self, id: u64, segment: &SegmentBytes) -> Self {
        let Ok(header) = SegmentHeader::view(&segment.bytes[..32.min(segment.bytes.len())]) else {
            return self;
        };
        let offset = header.base_offset();
        let entries = (segment.bytes.len() > 32).then_some(IndexEntry {
            offset,
            position: 32,
        });
        self.with_index(id, offset, &entries.into_iter().collect::<Vec<_>>())
    }

    pub(crate) fn with_index(self, id: u64, base_offset: u64, entries: &[IndexEntry]) -> Self {
        let mut bytes = Vec::new();
        let index = Index {
            base_offset,
            entries: entries.to_vec(),
        };
        index
            .encode(Index::write_version(&FeatureLevels::NONE), &mut bytes)
            .expect("an index");
        self.0.put(
            &SegmentFile::Index { id }.to_string(),
            MemoryFile::of(&bytes),
        );
        self
    }

    pub(crate) fn without_index(self, id: u64) -> Self {
        self.0.remove(&SegmentFile::Index { id }.to_string());
        self
    }

    pub(crate) fn with_temporary(self, id: u64, bytes: &[u8]) -> Self {
        self.0.put(
            &SegmentFile::Temporary { id }.to_string(),
            MemoryFile::of(bytes),
        );
        self
    }

    pub(crate) fn mark(self, segment: u64, synced_bytes: u64) -> Self {
        let mut bytes = Vec::new();
        let mark = DurableMark {
            segment,
            synced_bytes,
        };
        mark.encode(DurableMark::write_version(&FeatureLevels::NONE), &mut bytes)
            .expect("a mark");
        self.sidecar(Sidecar::DurableMark, &bytes)
    }

    /// A manifest with an entry (id, base, last, size) each.
    pub(crate) fn manifest(self, entries: &[(u64, u64, u64, u64)]) -> Self {
        let entry = |&(segment, base_offset, last_offset, size)| ManifestEntry {
            segment,
            base_offset,
            last_offset,
            size,
            oldest_micros: 0,
            newest_micros: 0,
            checksum: 0,
            key: format!("node/shard/{base_offset}"),
        };
        let mut bytes = Vec::new();
        let manifest = Manifest {
            entries: entries.iter().map(entry).collect(),
        };
        manifest
            .encode(Manifest::write_version(&FeatureLevels::NONE), &mut bytes)
            .expect("a manifest");
        self.sidecar(Sidecar::Manifest, &bytes)
    }

    pub(crate) fn sidecar(self, sidecar: Sidecar, bytes: &[u8]) -> Self {
        self.0.put(sidecar.file_name(), MemoryFile::of(bytes));
        self
    }

    pub(crate) fn look(&self) -> Shard {
        let directory: Arc<MemoryDirectory> = Arc::clone(&self.0);
        Shard::look(directory, Some("acme/default/orders/0".to_owned())).expect("it lists")
    }

    pub(crate) fn open(&self, kind: LogKind, settings: &Settings) -> Opening {
        let shard = self.look();
        let jobs = NonZeroUsize::new(2).expect("not zero");
        let scans = Scans::new(
            &shard,
            Access {
                jobs,
                ..Access::default()
            },
        );
        let sidecars = Sidecars::load(&shard).expect("the sidecars can be read");
        open(&scans, &sidecars, kind, settings).expect("it can be read")
    }

    pub(crate) fn plan(&self, settings: &Settings) -> Plan {
        self.open(LogKind::Stream, settings).plan.expect("a plan")
    }

    /// What an open with default settings comes to.
    pub(crate) fn comes_to(&self) -> String {
        self.plan(&Settings::default()).category().to_string()
    }
}

/// The reports in words, without those of indexes.
pub(crate) fn reports(plan: &Plan) -> Vec<String> {
    let indexes = |report: &&Report| !matches!(report, Report::IndexRebuilt { .. });
    plan.reports
        .iter()
        .filter(indexes)
        .map(ToString::to_string)
        .collect()
}

/// The steps in words, without those of indexes.
pub(crate) fn steps(plan: &Plan) -> Vec<String> {
    let text: Vec<String> = plan.steps.iter().map(ToString::to_string).collect();
    text.into_iter()
        .filter(|step| !step.contains("index"))
        .collect()
}
