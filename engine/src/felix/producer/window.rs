//! The batches that are remembered of one producer.

use std::collections::VecDeque;

/// Batches remembered of each producer.
pub const WINDOW_BATCHES: usize = 64;

/// A complete batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Offset of its first record.
    pub first: u64,
    /// Number of its records, at least 1.
    pub len: u32,
}

impl Batch {
    /// Offset of its last record.
    #[must_use]
    pub fn last(self) -> u64 {
        self.first
            .saturating_add(u64::from(self.len).saturating_sub(1))
    }
}

/// A producer that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    pub(super) last: u64,
    pub(super) window: VecDeque<Batch>,
}

impl Known {
    /// Sequence of the newest batch.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The newest batches, oldest first; the newest one has the sequence [`last`](Self::last), those before it the
    /// numbers below.
    pub fn window(&self) -> impl ExactSizeIterator<Item = Batch> {
        self.window.iter().copied()
    }

    /// Takes in a complete batch. A gap in the sequence begins the remembered history anew, even a step back does.
    pub(super) fn complete(&mut self, sequence: u64, batch: Batch) {
        if self.window.is_empty() || Some(sequence) != self.last.checked_add(1) {
            self.window.clear();
        }
        self.push(batch);
        self.last = sequence;
    }

    pub(super) fn push(&mut self, batch: Batch) {
        self.window.push_back(batch);
        if self.window.len() > WINDOW_BATCHES {
            self.window.pop_front();
        }
    }

    /// Where its newest batch ends: the producer for which this is lowest is forgotten first.
    pub(super) fn newest_end(&self) -> u64 {
        self.window.back().map_or(0, |batch| batch.last())
    }
}
