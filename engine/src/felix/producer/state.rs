//! Feeding, settling and pruning (Felix 12.1, 12.2).

use std::collections::{BTreeMap, BTreeSet};

use ondisk::felix::{Producers, RecordKind, RecordView};

use super::window::{Batch, Known};

/// Producers remembered in each shard.
pub const PRODUCERS_PER_SHARD: usize = 4096;

/// A batch at the tail that waits for records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenBatch {
    /// Its producer.
    pub producer: u64,
    /// Its sequence.
    pub sequence: u64,
    /// Records that it has.
    pub len: u32,
    /// Offset of its first record.
    pub first: u64,
    /// Records of it that are there, at least 1 and fewer than `len`.
    pub held: u32,
}

impl OpenBatch {
    /// The offset at which it goes on.
    #[must_use]
    pub fn next_offset(self) -> u64 {
        self.first.saturating_add(self.held.into())
    }
}

/// What is known of the producers of a shard.
///
/// ```
/// use ondisk::felix::ProducerTag;
/// use ondisk_engine::felix::log::{Config, Entry, Log, Mark};
/// use ondisk_engine::felix::producer::{Answer, ProducerState};
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let log = Log::open(path, Config::default())?;
/// let tag = ProducerTag { producer_id: 7, sequence: 0, len: 2 };
/// let opens = Entry::new(b"a").marked(Mark::Opens(tag));
/// log.append(&[opens, Entry::new(b"b").marked(Mark::Continues)])?;
/// let state: ProducerState = log.producers();
/// assert_eq!(state.producers().len(), 1);
/// assert_eq!(state.known(7).map(|known| known.last()), Some(0));
/// // The one who did not hear of it sends it again.
/// assert_eq!(state.classify(7, 0), Answer::Held { first: 0, last: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProducerState {
    open: Option<OpenBatch>,
    producers: BTreeMap<u64, Known>,
    /// The producers by where their newest batch ends, so that the one to forget is found at once.
    by_end: BTreeSet<(u64, u64)>,
}

impl ProducerState {
    /// The state that a snapshot gives, cut to the limits where it holds more.
    #[must_use]
    pub fn of(snapshot: &Producers) -> Self {
        let open = snapshot.open.as_ref().map(|open| OpenBatch {
            producer: open.producer_id,
            sequence: open.sequence,
            len: open.len,
            first: open.first,
            held: open.held,
        });
        let mut state = Self {
            open,
            ..Self::default()
        };
        for producer in &snapshot.producers {
            let mut known = Known {
                last: producer.last_sequence,
                ..Known::default()
            };
            for batch in &producer.batches {
                known.push(Batch {
                    first: batch.first,
                    len: batch.len,
                });
            }
            state.put(producer.id, known);
        }
        state
    }

    /// The batch at the tail that waits for records, if there is one.
    #[must_use]
    pub fn open(&self) -> Option<OpenBatch> {
        self.open
    }

    /// The producers that are known, by id.
    pub fn producers(&self) -> impl ExactSizeIterator<Item = (u64, &Known)> {
        self.producers.iter().map(|(&id, known)| (id, known))
    }

    /// What is known of one producer.
    #[must_use]
    pub fn known(&self, producer: u64) -> Option<&Known> {
        self.producers.get(&producer)
    }

    /// Takes in the next record in offset order.
    pub fn feed(&mut self, record: RecordView<'_>) {
        let offset = record.offset();
        match (record.kind(), record.tag()) {
            (RecordKind::Opens, Some(tag)) => {
                let (producer, sequence, len) = (tag.producer_id(), tag.sequence(), tag.len());
                self.advance(OpenBatch {
                    producer,
                    sequence,
                    len,
                    first: offset,
                    held: 1,
                });
            }
            (RecordKind::Continues, _) => {
                match self.open.filter(|open| open.next_offset() == offset) {
                    Some(open) => self.advance(OpenBatch {
                        held: open.held.saturating_add(1),
                        ..open
                    }),
                    None => self.open = None,
                }
            }
            // Nothing else may stand between the records of a batch.
            _ => self.abandon(),
        }
    }

    /// Forgets the batch that waits for records. Any number of unmarked records amounts to this.
    pub fn abandon(&mut self) {
        self.open = None;
    }

    /// Drops the open batch if the log does not end with it.
    pub fn settle(&mut self, tail: u64) {
        self.open = self.open.filter(|open| open.next_offset() >= tail);
    }

    /// Forgets what begins below the base of the log.
    pub fn prune(&mut self, base: u64) {
        self.open = self.open.filter(|open| open.first >= base);
        self.producers.retain(|_, known| {
            while known.window.front().is_some_and(|batch| batch.first < base) {
                known.window.pop_front();
            }
            !known.window.is_empty()
        });
        self.by_end = self
            .producers
            .iter()
            .map(|(&id, known)| (known.newest_end(), id))
            .collect();
    }

    /// Goes on with a batch, which may be complete now.
    fn advance(&mut self, batch: OpenBatch) {
        if batch.held < batch.len {
            self.open = Some(batch);
            return;
        }
        self.open = None;
        let mut known = self.producers.remove(&batch.producer).unwrap_or_default();
        self.by_end.remove(&(known.newest_end(), batch.producer));
        known.complete(
            batch.sequence,
            Batch {
                first: batch.first,
                len: batch.len,
            },
        );
        self.put(batch.producer, known);
    }

    fn put(&mut self, id: u64, known: Known) {
        self.by_end.insert((known.newest_end(), id));
        if let Some(replaced) = self.producers.insert(id, known) {
            let end = (replaced.newest_end(), id);
            // A snapshot may name a producer twice; where both end alike the entry stays.
            if self
                .producers
                .get(&id)
                .is_some_and(|known| known.newest_end() != replaced.newest_end())
            {
                self.by_end.remove(&end);
            }
        }
        if self.producers.len() > PRODUCERS_PER_SHARD
            && let Some((_, forgotten)) = self.by_end.pop_first()
        {
            self.producers.remove(&forgotten);
        }
    }
}
