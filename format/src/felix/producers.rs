//! The producer snapshot (Felix 11.5, version 2 in 17).

use alloc::vec::Vec;

use crate::{Fault, Format, format};

/// A batch that waits for records.
#[derive(Format, Clone, Debug, PartialEq, Eq)]
#[format(version_of = Producers, arbitrary = settle_open)]
pub struct OpenBatch {
    /// The producer.
    pub producer_id: u64,
    /// Sequence number of the batch.
    pub sequence: u64,
    /// Records in the batch.
    pub len: u32,
    /// Offset of its first record.
    pub first: u64,
    /// Records held: at least 1, fewer than `len`.
    #[format(min = 1)]
    pub held: u32,
    /// CRC-64 chain over the records held.
    #[format(since = 2, tag = fixed)]
    pub digest: Option<u64>,
}

/// A batch that is held whole.
#[derive(Format, Clone, Debug, PartialEq, Eq)]
#[format(version_of = Producers, arbitrary = settle_batch)]
pub struct Batch {
    /// Offset of its first record.
    pub first: u64,
    /// Records in it.
    #[format(min = 1)]
    pub len: u32,
    /// CRC-64 chain over its records.
    #[format(since = 2, tag = fixed)]
    pub digest: Option<u64>,
}

/// What is known of a producer.
#[format(version_of = Producers)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    /// The producer.
    pub id: u64,
    /// Sequence number of its newest batch.
    pub last_sequence: u64,
    /// At most 64 are kept.
    #[format(count(batches))]
    batch_count: u16,
    /// Oldest first.
    pub batches: Vec<Batch>,
}

/// The state of idempotent producers as of an offset: what an open need not replay.
#[format(reads = 1..=2, writes = 1, file = "producers", derived, check = batches_end_by_as_of, arbitrary = settle)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producers {
    /// `FLPS`.
    #[format(magic = b"FLPS")]
    magic: [u8; 4],
    /// 2 has digests, and is read only.
    #[format(version)]
    version: u16,
    /// Not read.
    #[format(reserved)]
    reserved: u16,
    /// The state covers every record below; outside the checksum.
    pub as_of: u64,
    /// At most 4096 are kept; outside the checksum.
    #[format(count(producers))]
    producer_count: u32,
    /// Over what follows.
    #[format(crc32(open..))]
    body_crc: u32,
    /// A batch that waits for records.
    #[format(tag)]
    pub open: Option<OpenBatch>,
    /// In no defined order.
    pub producers: Vec<Producer>,
}

fn batches_end_by_as_of(view: &ProducersView<'_>) -> Result<(), Fault> {
    let refuse = |rule, found| Err(Fault::Refused { rule, found });
    if let Some(open) = view.open() {
        if open.held() >= open.len() {
            return refuse(
                "an open batch holds fewer records than it has",
                open.held().into(),
            );
        }
        if open.first().checked_add(open.len().into()).is_none() {
            return refuse("a batch ends below 2^64", open.first());
        }
        if open.first() + u64::from(open.held()) > view.as_of() {
            return refuse("no held record lies past as_of", open.first());
        }
    }
    for batch in view
        .producers()
        .iter()
        .flat_map(|producer| producer.batches().iter())
    {
        match batch.first().checked_add(batch.len().into()) {
            None => return refuse("a batch ends below 2^64", batch.first()),
            Some(end) if end > view.as_of() => return refuse("no batch ends past as_of", end),
            Some(_) => {}
        }
    }
    Ok(())
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle_open(mut open: OpenBatch) -> OpenBatch {
    open.held = open.held.clamp(1, u32::MAX - 1);
    open.len = open.len.max(open.held + 1);
    open.first = open.first.min(u64::MAX / 2);
    open
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle_batch(mut batch: Batch) -> Batch {
    batch.first = batch.first.min(u64::MAX / 2);
    batch
}

#[allow(dead_code, reason = "only arbitrary values need it")]
fn settle(mut producers: Producers) -> Producers {
    producers.as_of = producers.as_of.max(u64::MAX / 2 + u64::from(u32::MAX));
    producers
}
