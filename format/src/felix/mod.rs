//! The kinds of Felix durable storage, version 4: segments with their records and indexes, the sidecars of a shard, the
//! identity of a data directory. Sections are those of the Felix durable storage specification.

mod ballot;
mod cache;
mod counter;
mod epochs;
mod index;
mod key_index;
mod manifest;
mod mark;
pub mod name;
mod node_id;
mod producers;
mod record;
mod registration;
mod replica;
mod run_state;
mod segment;
mod storage_id;
mod stream_marker;

pub use ballot::{Ballot, BallotView};
pub use cache::{CacheOp, CacheRecord, CacheRecordView};
pub use counter::{CounterOp, CounterRecord, CounterRecordView};
pub use epochs::{EpochEntry, EpochEntryView, Epochs, EpochsView};
pub use index::{Index, IndexEntry, IndexEntryView, IndexView};
pub use key_index::{KeyEntry, KeyEntryView, KeyIndex, KeyIndexView};
pub use manifest::{Manifest, ManifestEntry, ManifestEntryView, ManifestView};
pub use mark::{DurableMark, DurableMarkView};
pub use node_id::{NodeId, NodeIdView};
pub use producers::{
    Batch, BatchView, OpenBatch, OpenBatchView, Producer, ProducerView, Producers, ProducersView,
};
pub use record::{
    MAX_PAYLOAD_BYTES, ProducerTag, ProducerTagView, Record, RecordKind, RecordLayout, RecordView,
};
pub use registration::{Registration, RegistrationView};
pub use replica::{Replica, ReplicaView};
pub use run_state::{RunPhase, RunState, RunStateView};
pub use segment::{SegmentHeader, SegmentHeaderLayout, SegmentHeaderView};
pub use storage_id::{StorageId, StorageIdView};
pub use stream_marker::{StreamMarker, StreamMarkerView};

/// Fleet-wide features and the levels that gate writing (Felix 15.2).
pub mod feature {
    use crate::Feature;

    /// Generation-start records, and with them segments of version 4.
    pub const GENERATION_START: Feature = Feature::new("generation_start", 1);
    /// Incarnations as a suffix of stream directories.
    pub const STREAM_INCARNATIONS: Feature = Feature::new("stream_incarnations", 1);
    /// Incarnations as a suffix of cache and counter directories.
    pub const CACHE_INCARNATIONS: Feature = Feature::new("cache_incarnations", 1);
}

crate::registry! {
    /// Every kind of Felix durable storage.
    pub static KINDS: [
        SegmentHeader, ProducerTag, Record<'static>, IndexEntry, Index, DurableMark, EpochEntry, Epochs, Replica, Ballot,
        Batch, OpenBatch, Producer, Producers, ManifestEntry, Manifest, KeyEntry, KeyIndex, StorageId, RunState,
        Registration, NodeId, StreamMarker, CacheRecord<'static>, CounterRecord<'static>,
    ];
}
