//! The producer snapshot of a roll (Felix 11.5).

use ondisk::felix::{Batch, OpenBatch, Producer, Producers};

use super::writer::Writer;
use crate::disk::Directory;
use crate::felix::producer::ProducerState;
use crate::felix::sidecar::producers;

/// What was known of producers at the end of a segment, to be stored once that segment is sealed.
#[derive(Debug)]
pub(super) struct Snapshot(Producers);

impl Snapshot {
    /// As of the tail; none when there is nothing to know.
    pub(super) fn of(writer: &Writer) -> Option<Self> {
        let state = &writer.producers;
        let known = state.open().is_some() || state.producers().len() > 0;
        known.then(|| Self(as_of(state, writer.tail)))
    }

    /// Stores it, not flushed. It is derived: one that cannot be stored costs a longer open.
    pub(super) fn store(&self, directory: &dyn Directory) {
        if let Err(error) = producers::store(directory, &self.0) {
            tracing::warn!(%error, "the producer snapshot was not stored");
        }
    }
}

fn as_of(state: &ProducerState, tail: u64) -> Producers {
    Producers {
        as_of: tail,
        open: state.open().map(|open| OpenBatch {
            producer_id: open.producer,
            sequence: open.sequence,
            len: open.len,
            first: open.first,
            held: open.held,
            digest: None,
        }),
        producers: state
            .producers()
            .map(|(id, known)| Producer {
                id,
                last_sequence: known.last(),
                batches: known
                    .window()
                    .map(|batch| Batch {
                        first: batch.first,
                        len: batch.len,
                        digest: None,
                    })
                    .collect(),
            })
            .collect(),
    }
}
