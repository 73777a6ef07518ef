//! Reading a bounded number of records at once (Felix 9).

use std::sync::Arc;

use super::{Bound, KeptRecord, Records, View};
use crate::felix::error::StorageError;

/// The records from `start` on: the first whatever its size, a later one only if its payload fits what is left of
/// `max_bytes`, and at most `max_records`. When a record on the way fails nothing is returned.
pub(in crate::felix::log) fn range(
    log: Arc<dyn View>,
    start: u64,
    bound: Bound,
    max_bytes: u64,
    max_records: usize,
) -> Result<Vec<KeptRecord>, StorageError> {
    let mut records = Records::new(log, start, bound)?;
    let mut read = Vec::new();
    let mut left = max_bytes;
    while read.len() < max_records {
        let Some(record) = records.next()? else { break };
        let bytes = record.payload().len() as u64;
        if bytes > left && !read.is_empty() {
            break;
        }
        left = left.saturating_sub(bytes);
        read.push(record.keep());
    }
    Ok(read)
}
