//! What counters add up to (Felix 13.2, 13.3).

use std::collections::BTreeMap;

use ondisk::felix::{CounterOp, CounterRecord, RecordKind, RecordView};

use super::cache::replay;
use crate::felix::error::{Corruption, CorruptionKind, StorageError};
use crate::felix::reader::Reader;

/// The sums of a counter shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    sums: BTreeMap<String, i64>,
    log_bytes: u64,
}

impl Counters {
    /// The sums by key, in order.
    pub fn sums(&self) -> impl ExactSizeIterator<Item = (&str, i64)> {
        self.sums.iter().map(|(key, &sum)| (key.as_str(), sum))
    }

    /// Payload bytes of all records.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes
    }

    /// Takes in the next record in offset order. A delta saturates, a checkpoint replaces the sum; generation starts are
    /// stepped over.
    ///
    /// # Errors
    /// [`CorruptionKind::CounterRecord`] for a payload that is none.
    pub fn apply(&mut self, record: RecordView<'_>) -> Result<(), CorruptionKind> {
        if record.kind() == RecordKind::GenerationStart {
            return Ok(());
        }
        let change =
            CounterRecord::view(record.payload()).map_err(|_| CorruptionKind::CounterRecord)?;
        self.log_bytes = self.log_bytes.saturating_add(record.payload_len().into());
        let sum = match self.sums.get(change.key()) {
            Some(&sum) if change.op() == CounterOp::Delta => sum.saturating_add(change.value()),
            _ => change.value(),
        };
        match self.sums.get_mut(change.key()) {
            Some(slot) => *slot = sum,
            None => {
                self.sums.insert(change.key().to_owned(), sum);
            }
        }
        Ok(())
    }
}

/// Projects a log from its first record on.
///
/// # Errors
/// [`StorageError::Io`]; the inner error is a record that does not decode, with its site.
pub fn project(reader: &Reader<'_>) -> Result<Result<Counters, Corruption>, StorageError> {
    let mut counters = Counters::default();
    let replayed = replay(reader, reader.log().base, &mut |record| {
        counters.apply(record)
    })?;
    Ok(replayed.map(|()| counters))
}
