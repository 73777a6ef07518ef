//! Retention, truncation and resets (sections 10 and 14).

use std::time::Duration;

use super::{Clocks, Model, Segment};
use crate::refused::Refused;

impl Model {
    pub fn truncate(&mut self, offset: u64) -> Result<(), Refused> {
        if offset >= self.tail {
            return Ok(());
        }
        self.guard(self.base().max(offset))?;
        self.segments
            .iter_mut()
            .for_each(|segment| segment.retired = false);
        let version = self.active().version;
        self.segments.retain(|segment| segment.base < offset);
        match self.segments.last_mut() {
            Some(last) => last.records.retain(|record| record.offset < offset),
            None => self.segments.push(Segment::new(offset, version.max(3))),
        }
        self.tail = offset;
        self.epochs.retain(|entry| entry.start_offset < offset);
        Ok(())
    }

    pub fn reset_to(&mut self, base: u64) -> Result<(), Refused> {
        if base == u64::MAX {
            return Err(Refused::InvalidRange);
        }
        self.guard(self.base().max(base))?;
        let version = self.active().version.max(3);
        self.segments = vec![Segment::new(base, version)];
        self.tail = base;
        self.epochs.clear();
        Ok(())
    }

    pub fn restore_to(&mut self, offset: u64) -> Result<(), Refused> {
        let (base, tail) = (self.base(), self.tail);
        if !(base..=tail).contains(&offset) {
            return Err(Refused::OutsideLog { offset, base, tail });
        }
        if self.commit > offset {
            self.commit = offset;
            self.stored_commit = offset;
        }
        self.truncate(offset)
    }

    fn guard(&self, lowest: u64) -> Result<(), Refused> {
        if lowest < self.commit.min(self.tail) {
            return Err(Refused::BelowCommit {
                offset: lowest,
                commit: self.commit,
            });
        }
        Ok(())
    }

    pub fn hold(&mut self, hold: bool) {
        self.hold = hold;
    }

    pub fn retain(&mut self, now: Clocks) -> u64 {
        let (wall, passed) = (self.last_pass.0, now.1 - self.last_pass.1);
        let micros = |time: Duration| u64::try_from(time.as_micros()).expect("short");
        let expected = wall
            .saturating_add(micros(passed))
            .saturating_add(micros(self.config.retention.interval));
        let jumped = now.0 > expected;
        self.last_pass = now;
        let mut removed = 0;
        while self.segments.len() > 1 {
            let oldest = &self.segments[0];
            if oldest.retired || self.hold && oldest.last_offset() >= self.commit {
                break;
            }
            let total: u64 = self.segments.iter().map(Segment::bytes).sum();
            let retention = &self.config.retention;
            let too_many = retention.bytes.is_some_and(|most| total > most);
            // One without records has no timestamp, and nothing to keep.
            let last = oldest.records.last().map_or(0, |last| last.timestamp);
            let too_old = retention
                .age
                .is_some_and(|age| !jumped && now.0.saturating_sub(last) > micros(age));
            if !too_many && !too_old {
                break;
            }
            self.segments.remove(0);
            removed += 1;
        }
        removed
    }
}
