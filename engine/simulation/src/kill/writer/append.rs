//! Appends, by one thread and by several.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

use ondisk::felix::ProducerTag;
use ondisk_engine::felix::log::{Commit, CommitError, Entry, FsyncMode};

use super::{Answer, Shard};
use crate::kill::batch::{Batch, Kind, SHORTEST};
use crate::kill::said::Said;
use crate::random::Random;

/// Appends that are in flight at most.
const MOST_WAITING: usize = 8;

impl Shard<'_> {
    /// One batch. It is waited for now or later.
    pub(super) fn append(&mut self, random: &mut Random, next: &mut u64) -> Answer {
        let batch = self.batch(random, next);
        let commit = self.send(&batch)?;
        self.waiting.push_back(commit);
        if self.waiting.len() >= MOST_WAITING || random.one_in(2) {
            self.wait()?;
        }
        Ok(())
    }

    /// Waits for all that were appended.
    pub(super) fn wait(&mut self) -> Answer {
        self.waiting
            .drain(..)
            .collect::<Vec<_>>()
            .iter()
            .try_for_each(|commit| self.wait_for(commit))
    }

    /// From a few threads at once, so that one flush covers several.
    pub(super) fn append_from_threads(&mut self, random: &mut Random, next: &mut u64) -> Answer {
        let plans: Vec<Vec<Batch>> = (0..random.from(2, 3))
            .map(|_| {
                let batches = random.from(1, 4);
                (0..batches)
                    .map(|_| plain(self.settings.payload_bits, random, next))
                    .collect()
            })
            .collect();
        let failed = Mutex::new(None);
        let shard = &*self;
        thread::scope(|scope| {
            for batches in &plans {
                let failed = &failed;
                scope.spawn(move || {
                    let done = batches.iter().try_for_each(|batch| {
                        let commit = shard.send(batch)?;
                        shard.wait_for(&commit)
                    });
                    if let Err(why) = done {
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                    }
                });
            }
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), Err)
    }

    fn batch(&self, random: &mut Random, next: &mut u64) -> Batch {
        let bits = self.settings.payload_bits;
        match random.below(10) {
            0 => Batch {
                kind: Kind::GenerationStart,
                sizes: vec![8],
                ..plain(bits, random, next)
            },
            1..4 => self.of_producer(plain(bits, random, next), random),
            // So much that a kill can come in between two of its pages.
            4 => Batch {
                sizes: vec![u32::try_from(random.from(10_000, 60_000)).unwrap_or(SHORTEST); 4],
                ..plain(bits, random, next)
            },
            _ => plain(bits, random, next),
        }
    }

    /// The same as the next batch of a producer, all of it or the front.
    fn of_producer(&self, batch: Batch, random: &mut Random) -> Batch {
        let producer_id = random.below(3);
        let producers = self.log.producers();
        let sequence = producers
            .known(producer_id)
            .map_or(0, |known| known.last() + 1);
        let missing = if random.one_in(4) { 2 } else { 0 };
        let len = u32::try_from(batch.len()).unwrap_or(u32::MAX) + missing;
        let tag = ProducerTag {
            producer_id,
            sequence,
            len,
        };
        Batch {
            kind: Kind::Producer(tag),
            ..batch
        }
    }

    fn send(&self, batch: &Batch) -> Answer<Commit> {
        self.pipe.of(self.place, Said::Send(batch.clone()));
        let records: Vec<_> = batch
            .records()
            .map(|record| (record.mark(), record.payload()))
            .collect();
        let entries: Vec<_> = records
            .iter()
            .map(|(mark, payload)| Entry::new(payload).marked(*mark))
            .collect();
        let appended = self.log.append(&entries);
        let commit = appended.map_err(|error| format!("append: {error}"))?;
        let (id, first) = (batch.id, commit.first());
        self.pipe.of(self.place, Said::Have { id, first });
        Ok(commit)
    }

    fn wait_for(&self, commit: &Commit) -> Answer {
        match commit.wait() {
            Ok(()) => {}
            // Cut off before it was waited for.
            Err(CommitError::Rewound { .. }) => return Ok(()),
            Err(error) => return Err(format!("wait: {error}")),
        }
        if self.settings.config.fsync == FsyncMode::OnCommit {
            let end = commit.offsets().end;
            self.pipe.of(self.place, Said::Flushed(end));
        }
        Ok(())
    }
}

/// A few records of any sizes.
fn plain(bits: u64, random: &mut Random, next: &mut u64) -> Batch {
    *next += 1;
    let records = random.any_length(4);
    let size = |random: &mut Random| {
        u32::try_from(random.any_length(bits)).map_or(SHORTEST, |size| size.max(SHORTEST))
    };
    Batch {
        id: *next,
        kind: Kind::Plain,
        sizes: (0..records).map(|_| size(random)).collect(),
    }
}
