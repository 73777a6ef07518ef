//! What a log holds, as it says itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use ondisk::felix::{EpochEntry, ManifestEntry};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Log, Mark};

use super::producers::Producers;

/// A record, as far as it was ours to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Its mark.
    pub mark: Mark,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

/// Generation, leader, and whether it was given up.
pub type Vote = (u64, Option<String>, bool);

/// A log as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The oldest offset.
    pub base: u64,
    /// One past the newest.
    pub tail: u64,
    /// What is flushed, by what it says.
    pub durable: u64,
    /// The records that a reader gets, by offset.
    pub records: BTreeMap<u64, Payload>,
    /// Where generations began.
    pub epochs: Vec<EpochEntry>,
    /// The accepted generation.
    pub vote: Vote,
    /// One past the newest record known to be held by a majority.
    pub commit: u64,
    /// The segments that were copied.
    pub manifest: Vec<ManifestEntry>,
    /// What is known of producers.
    pub producers: Producers,
}

impl Found {
    /// Reads all of a log.
    ///
    /// # Errors
    /// What the reader says about the record behind the last one that it returned.
    pub fn of(log: &Log) -> Result<Self, StorageError> {
        let mut records = BTreeMap::new();
        let mut read = log.read(log.base(), Bound::Tail)?;
        while let Some(record) = read.next()? {
            let payload = Payload {
                mark: record.mark(),
                bytes: record.payload().into(),
            };
            records.insert(record.offset(), payload);
        }
        let accepted = log.accepted();
        Ok(Self {
            base: log.base(),
            tail: log.tail(),
            durable: log.durable(),
            records,
            epochs: log.epochs(),
            vote: (accepted.generation, accepted.leader, accepted.given_up),
            commit: accepted.commit,
            manifest: log.offloaded(),
            producers: Producers::told(&log.producers()),
        })
    }
}
