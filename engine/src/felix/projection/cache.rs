//! What the keys of a cache are (Felix 13.1, 13.3, 11.7).

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ondisk::felix::{CacheOp, CacheRecord, RecordKind, RecordView};

use crate::felix::error::{Corruption, CorruptionKind, SidecarDamage, StorageError};
use crate::felix::reader::Reader;
use crate::felix::sidecar::Loaded;
use crate::felix::sidecar::keys::KeyIndexFile;

/// The keys of a cache, each with the record that defines it. Expired ones are there until a compaction drops them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    entries: BTreeMap<String, CacheEntry>,
    log_bytes: u64,
    live_bytes: u64,
}

/// The record that defines a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheEntry {
    /// Its offset.
    pub offset: u64,
    /// What a conditional write compares: the offset, unless a compaction carried an older one along.
    pub version: u64,
    /// When it expires, in milliseconds since the epoch; 0 for never.
    pub expires_at_millis: u64,
    /// Length of its payload.
    pub bytes: u32,
}

impl Cache {
    /// The keys, in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&str, CacheEntry)> {
        self.entries
            .iter()
            .map(|(key, &entry)| (key.as_str(), entry))
    }

    /// The record that defines a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<CacheEntry> {
        self.entries.get(key).copied()
    }

    /// Payload bytes of all records, dead ones too.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes
    }

    /// Payload bytes of the records that define a key.
    #[must_use]
    pub fn live_bytes(&self) -> u64 {
        self.live_bytes
    }

    /// Takes in the next record in offset order. Producer marks mean nothing here, generation starts are stepped over.
    ///
    /// # Errors
    /// What is wrong with a payload that is no cache record.
    pub fn apply(&mut self, record: RecordView<'_>) -> Result<(), CorruptionKind> {
        if record.kind() == RecordKind::GenerationStart {
            return Ok(());
        }
        let change =
            CacheRecord::view(record.payload()).map_err(CorruptionKind::of_cache_record)?;
        let bytes = record.payload_len();
        self.log_bytes = self.log_bytes.saturating_add(bytes.into());
        match change.op() {
            CacheOp::Put => {
                let (offset, expires_at_millis) = (record.offset(), change.expires_at_millis());
                let version = change.entry_version().unwrap_or(offset);
                self.define(
                    change.key(),
                    CacheEntry {
                        offset,
                        version,
                        expires_at_millis,
                        bytes,
                    },
                );
            }
            CacheOp::Delete => {
                if let Some(entry) = self.entries.remove(change.key()) {
                    self.live_bytes -= u64::from(entry.bytes);
                }
            }
        }
        Ok(())
    }

    fn define(&mut self, key: &str, entry: CacheEntry) {
        self.live_bytes += u64::from(entry.bytes);
        let replaced = match self.entries.get_mut(key) {
            Some(slot) => Some(std::mem::replace(slot, entry)),
            None => self.entries.insert(key.to_owned(), entry),
        };
        self.live_bytes -= replaced.map_or(0, |replaced| u64::from(replaced.bytes));
    }
}

/// The keys of a cache, and where they came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projected {
    /// The keys.
    pub cache: Cache,
    /// What became of the key index.
    pub keys: KeysUse,
}

/// What became of a key index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysUse {
    /// There is none, or none that can be read.
    Absent,
    /// It was taken, and later records replayed on top of it.
    Used {
        /// The offset of the first record that was replayed.
        covered_through: u64,
    },
    /// It is of no use; everything was replayed.
    Ignored {
        /// What is wrong with it.
        damage: SidecarDamage,
    },
}

/// Projects a log, from its key index if that is one of this log, else from the first record on.
///
/// # Errors
/// [`StorageError::Io`]; the inner error is a record that does not decode, with its site.
pub fn project(
    reader: &Reader<'_>,
    keys: &Loaded<KeyIndexFile>,
) -> Result<Result<Projected, Corruption>, StorageError> {
    let used = match keys {
        Loaded::Sound(file) => start_from(reader, file)?.map(Some),
        Loaded::Damaged(damage) => Err(*damage),
        // One that cannot be read counts as absent (Felix 1.5, 11.1).
        Loaded::Absent | Loaded::Irregular | Loaded::Unreadable(_) => Ok(None),
    };
    let base = reader.log().base;
    let (mut cache, from, keys) = match used {
        Ok(Some((cache, covered_through))) => {
            (cache, covered_through, KeysUse::Used { covered_through })
        }
        Ok(None) => (Cache::default(), base, KeysUse::Absent),
        Err(damage) => (Cache::default(), base, KeysUse::Ignored { damage }),
    };
    let replayed = replay(reader, from, &mut |record| cache.apply(record))?;
    Ok(replayed.map(|()| Projected { cache, keys }))
}

/// Replays records from `from` on until one does not decode.
pub(super) fn replay(
    reader: &Reader<'_>,
    from: u64,
    apply: &mut dyn FnMut(RecordView<'_>) -> Result<(), CorruptionKind>,
) -> Result<Result<(), Corruption>, StorageError> {
    let mut broken = None;
    let read = reader.read(from, &mut |segment, met| match apply(met.record) {
        Ok(()) => ControlFlow::Continue(()),
        Err(kind) => {
            let site = kind.at(segment.id, met.position);
            broken = Some(site.in_shard(reader.scans().shard().label()));
            ControlFlow::Break(())
        }
    })?;
    Ok(broken.map_or(read, Err))
}

/// The keys that a key index gives, held against the log: it must cover a part of it, each entry must point into that
/// part, and its last record must be the one that the log has there. Replication may have cut the log and let it grow to
/// the old length again.
fn start_from(
    reader: &Reader<'_>,
    file: &KeyIndexFile,
) -> Result<Result<(Cache, u64), SidecarDamage>, StorageError> {
    let field = |name| Ok(Err(SidecarDamage::Field { name }));
    let Some(index) = file.view() else {
        return field("entries");
    };
    let log = reader.log();
    let covered_through = index.covered_through();
    if !(log.base..=log.tail).contains(&covered_through) {
        return field("covered_through");
    }
    let mut cache = Cache {
        log_bytes: index.log_bytes(),
        ..Cache::default()
    };
    for entry in index.entries() {
        let (offset, version, bytes) = (entry.offset(), entry.version(), entry.bytes());
        if !(log.base..covered_through).contains(&offset) {
            return field("offset");
        }
        if cache.entries.contains_key(entry.key()) {
            return field("key");
        }
        let expires_at_millis = entry.expires_at_millis();
        cache.define(
            entry.key(),
            CacheEntry {
                offset,
                version,
                expires_at_millis,
                bytes,
            },
        );
    }
    if covered_through > log.base {
        let mut checksum = None;
        let read = reader.read(covered_through - 1, &mut |_, met| {
            checksum = Some(met.record.checksum());
            ControlFlow::Break(())
        })?;
        // A record that does not decode is no confirmation; the replay will name it.
        if read.is_err() || checksum != Some(index.last_checksum()) {
            return field("last_checksum");
        }
    }
    Ok(Ok((cache, covered_through)))
}
