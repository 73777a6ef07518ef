//! Holding one against the other.

use ondisk_engine::felix::log::Bound;
use ondisk_engine::felix::log::read::KeptRecord;

use super::Pair;
use crate::look::Look;
use crate::model::Record;
use crate::producers::State;

fn kept(record: &KeptRecord) -> Record {
    Record {
        offset: record.offset(),
        timestamp: record.timestamp_micros(),
        payload: record.payload().to_vec(),
        mark: record.mark(),
    }
}

impl Pair {
    pub(super) fn compare_open(&self) {
        let Some(log) = &self.log else { return };
        let model = &self.model;
        assert_eq!((log.base(), log.tail()), (model.base(), model.tail));
        assert!(log.durable() <= log.tail());
        assert_eq!(log.metrics().segments, model.segments.len());
        assert_eq!(log.epochs(), model.epochs);
        for generation in 0..8 {
            let at = model
                .epochs
                .iter()
                .position(|entry| entry.generation == generation);
            let end = at.map(|at| {
                model
                    .epochs
                    .get(at + 1)
                    .map_or(model.tail, |next| next.start_offset)
            });
            assert_eq!(log.end_of_epoch(generation), end);
        }
        let accepted = log.accepted();
        assert_eq!(
            (
                accepted.generation,
                accepted.leader,
                accepted.given_up,
                accepted.commit
            ),
            (
                model.generation,
                model.leader.clone(),
                model.given_up,
                model.commit
            )
        );
        let producers = model.producers();
        assert_eq!(State::told(&log.producers()), producers);
        for (id, known) in &producers.known {
            for sequence in known.last.saturating_sub(4)..known.last + 3 {
                assert_eq!(
                    log.classify(*id, sequence),
                    producers.classify(*id, sequence)
                );
            }
        }
    }

    /// What readers of the open log see, and that what they hold stays as it was.
    pub(super) fn compare_read(&mut self) {
        let log = self.log();
        let read = log.read_range(log.base(), u64::MAX).expect("it is sound");
        let records: Vec<_> = read.iter().map(kept).collect();
        assert!(records.iter().eq(self.model.records()));
        let mut each = log.read(log.base(), Bound::Tail).expect("it is there");
        let mut expected = self.model.records();
        while let Some(record) = each.next().expect("it is sound") {
            let expected = expected.next().expect("no more than there are");
            assert_eq!(record.offset(), expected.offset);
            assert_eq!(record.payload(), expected.payload);
        }
        assert_eq!(expected.next(), None);
        for (held, was) in &self.held {
            assert_eq!(kept(held), *was);
        }
        let ends = [read.first(), read.last()].into_iter().flatten();
        let ends: Vec<_> = ends.map(|end| (end.clone(), kept(end))).collect();
        self.held.extend(ends);
        while self.held.len() > 8 {
            self.held.pop_front();
        }
    }

    pub fn compare_disk(&self, look: &Look) {
        let records: Vec<_> = look
            .records
            .iter()
            .map(|read| Record {
                offset: read.offset,
                timestamp: read.timestamp,
                payload: read.payload.clone(),
                mark: read.mark,
            })
            .collect();
        let expected: Vec<_> = self.model.records().cloned().collect();
        assert_eq!(records, expected);
        if look
            .opening
            .plan
            .as_ref()
            .is_some_and(|plan| plan.log.is_some())
        {
            assert_eq!(look.bounds(), (self.model.base(), self.model.tail));
        }
    }

    pub(super) fn compare_segments(&self) {
        let look = Look::at(&self.directory);
        let found: Vec<_> = look
            .segments
            .iter()
            .map(|&(_, version, base)| (version, base))
            .collect();
        let expected: Vec<_> = self
            .model
            .segments
            .iter()
            .map(|segment| (segment.version, segment.base))
            .collect();
        assert_eq!(found, expected);
    }
}
