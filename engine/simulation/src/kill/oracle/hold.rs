//! Holding what is there against what was said.

use ondisk::felix::EpochEntry;

use super::cut::Cut;
use super::{Known, reports};
use crate::kill::batch::{Batch, Expected};
use crate::kill::look::{Found, Look};

/// What a crash takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing: the process was killed, and what it wrote is in the page cache.
    Nothing,
    /// What is not durable, or any part of it.
    Unsynced,
}

/// What was there, and all of it explained.
#[derive(Debug)]
pub struct Held {
    records: Vec<Expected>,
    base: u64,
    tail: u64,
    /// Records that an append had returned for.
    pub known: u64,
    /// Records of appends that had not returned.
    pub in_flight: u64,
}

impl Known {
    /// Holds what lies there against what was said, after a crash that took `lost`; none when there is no directory.
    ///
    /// # Errors
    /// What is not there, or should not be.
    pub fn hold(&self, look: Option<&Look>, lost: Lost) -> Result<Held, String> {
        let Some(look) = look else {
            return self.hold_nothing();
        };
        reports::explained(look, lost)?;
        if self.closed && lost == Lost::Nothing && !look.opening.is_sound() {
            return Err(format!("it was closed, and not sound: {:?}", look.opening));
        }
        let (base, tail) = look.bounds();
        self.hold_sidecars(look, tail)?;
        let cut = self.act.as_ref().and_then(|act| Cut::of(act, self.base));
        let begun_anew = cut.is_some_and(|cut| cut.new_base == Some(base)) && tail == base;
        if !begun_anew {
            self.hold_bounds(look, cut, lost)?;
        }
        self.hold_records(&look.records, base, tail)
    }

    /// A directory that is not there.
    fn hold_nothing(&self) -> Result<Held, String> {
        if !self.records.is_empty() || self.durable > 0 {
            return Err("the directory is gone".to_owned());
        }
        self.hold_records(&[], 0, 0)
    }

    fn hold_bounds(&self, look: &Look, cut: Option<Cut>, lost: Lost) -> Result<(), String> {
        let (base, tail) = look.bounds();
        let least = match (lost, cut) {
            (Lost::Unsynced, _) => self.durable,
            (Lost::Nothing, Some(cut)) => cut.least_tail(self.base).min(self.tail()),
            (Lost::Nothing, None) => self.tail(),
        };
        if tail < least {
            return Err(format!(
                "the log ends at {tail}, records up to {least} are lost"
            ));
        }
        if base < self.base && !self.trims_by_timer {
            return Err(format!(
                "base {base}, and what is below {} was deleted",
                self.base
            ));
        }
        if lost == Lost::Unsynced || cut.is_some() || self.trims_late {
            return Ok(());
        }
        // What retention took: while it did, there was more than it has to leave.
        let taken: Vec<_> = self.records.range(self.base..base.max(self.base)).collect();
        let most: u64 = taken
            .iter()
            .map(|(_, record)| record.payload_bytes() + OVERHEAD)
            .sum();
        if !taken.is_empty() && look.segment_bytes() + most <= self.kept_bytes {
            return Err(format!("the records below {base} are gone"));
        }
        Ok(())
    }

    /// All records, dense, each the one that is at its offset or, where no append has returned, of one that was sent.
    fn hold_records(&self, found: &[Found], base: u64, tail: u64) -> Result<Held, String> {
        let mut held = Held {
            records: Vec::with_capacity(found.len()),
            base,
            tail,
            known: 0,
            in_flight: 0,
        };
        let mut sent: Vec<&Batch> = self.sent.iter().collect();
        let mut rest = found;
        let mut offset = base;
        while let Some(first) = rest.first() {
            let records = match self.records.get(&offset) {
                Some(known) => {
                    held.known += 1;
                    vec![*known]
                }
                None => {
                    let is_it = |batch: &&Batch| {
                        let record = batch.records().next();
                        record.is_some_and(|record| record.is(first.mark, &first.payload))
                    };
                    let at = sent.iter().position(is_it);
                    let at = at.ok_or_else(|| format!("nobody sent what is at {offset}"))?;
                    let batch = sent.swap_remove(at);
                    // Of a write that was cut off the front may be there, and nothing is behind it.
                    let records: Vec<_> = batch.records().take(rest.len()).collect();
                    held.in_flight += records.len() as u64;
                    records
                }
            };
            for (record, found) in records.iter().zip(rest) {
                if found.offset != offset {
                    return Err(format!("offset {} follows {offset}", found.offset));
                }
                if !record.is(found.mark, &found.payload) {
                    return Err(format!("at {offset} is not what was sent: {record:?}"));
                }
                offset += 1;
            }
            rest = &rest[records.len()..];
            held.records.extend(records);
        }
        match offset == tail {
            true => Ok(held),
            false => Err(format!("records end at {offset}, the log at {tail}")),
        }
    }

    fn hold_sidecars(&self, look: &Look, tail: u64) -> Result<(), String> {
        let epochs = look.epochs();
        let is_it = |history: &Vec<EpochEntry>| {
            let kept = history.iter().filter(|entry| entry.start_offset <= tail);
            kept.eq(epochs)
        };
        if !self.epochs.iter().any(is_it) {
            return Err(format!("epochs {epochs:?}, not one of {:?}", self.epochs));
        }
        let accepted = look.accepted();
        let leader = (accepted.generation, accepted.leader, accepted.given_up);
        if !self.leaders.contains(&leader) {
            return Err(format!("leader {leader:?}, not one of {:?}", self.leaders));
        }
        match self.commit.contains(&accepted.commit) {
            true => Ok(()),
            false => Err(format!(
                "commit {}, not in {:?}",
                accepted.commit, self.commit
            )),
        }
    }

    /// Goes on from what was held: that is what is there.
    pub fn settle(&mut self, look: Option<&Look>, held: Held) {
        self.base = held.base;
        self.records = (held.base..).zip(held.records).collect();
        self.sent.clear();
        self.durable = self.durable.min(held.tail);
        self.act = None;
        let Some(look) = look else { return };
        self.epochs = vec![look.epochs().to_vec()];
        let accepted = look.accepted();
        self.commit = accepted.commit..=accepted.commit;
        self.leaders = vec![(accepted.generation, accepted.leader, accepted.given_up)];
    }
}

/// The most that a record takes besides its payload, and a segment besides its records, in bytes.
const OVERHEAD: u64 = 128;
