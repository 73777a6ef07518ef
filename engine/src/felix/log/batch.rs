//! What is appended: records with their marks, encoded into one buffer (Felix 4, 8.2).

use ondisk::encode::Encode;
use ondisk::felix::{MAX_PAYLOAD_BYTES, ProducerTag, Record, RecordKind, feature};

use super::Config;
use crate::felix::error::StorageError;

/// A record to append.
///
/// ```
/// use ondisk_engine::felix::log::{Entry, Mark};
/// use ondisk::felix::ProducerTag;
///
/// let tag = ProducerTag { producer_id: 7, sequence: 0, len: 2 };
/// let batch = [
///     Entry::new(b"first of a batch").at(1_700_000_000_000_000).marked(Mark::Opens(tag)),
///     Entry::new(b"second").marked(Mark::Continues),
/// ];
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Publish time in microseconds since the epoch; the clock's, if none is given. Need not ascend.
    pub timestamp_micros: Option<u64>,
    /// What the record is for.
    pub mark: Mark,
    /// The payload, at most 64 MiB.
    pub payload: &'a [u8],
}

/// What a record is for (Felix 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Belongs to no batch.
    #[default]
    Ordinary,
    /// Opens the batch of an idempotent producer.
    Opens(ProducerTag),
    /// Continues the batch of the record before.
    Continues,
    /// What a leader appends first at a new generation; the payload is the generation, 8 bytes big-endian. Written only
    /// once `generation_start` is finalized.
    GenerationStart,
}

impl<'a> Entry<'a> {
    /// An ordinary record with this payload, at the time of its append.
    #[must_use]
    pub const fn new(payload: &'a [u8]) -> Self {
        Self {
            timestamp_micros: None,
            mark: Mark::Ordinary,
            payload,
        }
    }

    /// The same, published at `micros` since the epoch.
    #[must_use]
    pub const fn at(mut self, micros: u64) -> Self {
        self.timestamp_micros = Some(micros);
        self
    }

    /// The same with a mark.
    #[must_use]
    pub const fn marked(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }

    fn tag(&self) -> Option<ProducerTag> {
        match self.mark {
            Mark::Opens(tag) => Some(tag),
            Mark::Ordinary | Mark::Continues | Mark::GenerationStart => None,
        }
    }

    /// Bytes that the record takes on disk.
    pub(super) fn disk_bytes(&self) -> u64 {
        let tag = match self.mark {
            Mark::Opens(_) => ProducerTag::MIN as u64,
            _ => 0,
        };
        Record::MIN as u64 + tag + self.payload.len() as u64
    }

    /// The lowest version of a segment that may hold it.
    pub(super) fn version(&self) -> u32 {
        match self.mark {
            Mark::Ordinary => 2,
            Mark::Opens(_) | Mark::Continues => 3,
            Mark::GenerationStart => 4,
        }
    }

    /// Appends the record at `offset` to `buffer`.
    pub(super) fn encode(
        &self,
        offset: u64,
        now_micros: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<(), StorageError> {
        let record = Record {
            kind: match self.mark {
                Mark::Ordinary => RecordKind::Ordinary,
                Mark::Opens(_) => RecordKind::Opens,
                Mark::Continues => RecordKind::Continues,
                Mark::GenerationStart => RecordKind::GenerationStart,
            },
            offset,
            timestamp_micros: self.timestamp_micros.unwrap_or(now_micros),
            tag: self.tag(),
            payload: self.payload,
        };
        // A record has the same bytes in every version that may hold it; the gate was asked in `refuse`.
        let written = record.encode_at(self.version(), buffer);
        written.map_err(|_| StorageError::Unsupported {
            what: "a record that its own definition refuses",
        })
    }
}

/// The part of the check order of Felix 8.2 that needs no log.
pub(super) fn refuse(entries: &[Entry<'_>], config: &Config) -> Result<(), StorageError> {
    let unsupported = |what| Err(StorageError::Unsupported { what });
    if entries.is_empty() {
        return Err(StorageError::InvalidRange);
    }
    let mut bytes = 0_u64;
    let mut odd_tag = false;
    let mut gated = None;
    for entry in entries {
        if entry.payload.len() as u64 > u64::from(MAX_PAYLOAD_BYTES) {
            return unsupported("a payload longer than 64 MiB");
        }
        bytes = bytes.saturating_add(entry.disk_bytes());
        match entry.mark {
            Mark::Opens(tag) => odd_tag |= tag.len == 0,
            Mark::GenerationStart if !config.allows(feature::GENERATION_START) => {
                gated = Some("a generation start before its feature is finalized");
            }
            Mark::GenerationStart if entry.payload.len() != 8 => {
                gated = gated.or(Some("a generation start that is not 8 bytes"));
            }
            Mark::Ordinary | Mark::Continues | Mark::GenerationStart => {}
        }
    }
    match gated {
        Some(what) => unsupported(what),
        None if odd_tag => unsupported("a producer batch of no records"),
        None if bytes > config.max_batch_bytes => {
            unsupported("a batch longer than max_batch_bytes")
        }
        None => Ok(()),
    }
}
