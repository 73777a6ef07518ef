//! The oracle of one shard: what its writer said, and what must therefore be there.

mod cut;
mod hold;
mod reports;

pub use hold::Lost;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use ondisk::felix::EpochEntry;

use self::cut::Cut;
use super::batch::{Batch, Expected};
use super::doing::Doing;
use super::said::{Act, Ends, Said};
use super::settings::Settings;

/// What is known of a shard.
#[derive(Clone, Debug)]
pub struct Known {
    /// Whether retention runs by itself, so that the base rises at any time.
    trims_by_timer: bool,
    /// A pass of retention may be under way that counted what has been cut off since: it still takes the segment that it
    /// was about to take.
    trims_late: bool,
    /// Bytes that retention leaves at least.
    kept_bytes: u64,
    /// The base that was told last. With retention by timer the disk may be behind: its segments are off the list before
    /// they are off the disk.
    base: u64,
    /// What appends returned for, by offset. Below the base it may be gone.
    records: BTreeMap<u64, Expected>,
    /// Sent, and no append has returned for them.
    sent: Vec<Batch>,
    /// Everything below is durable.
    durable: u64,
    /// What was begun and is not done.
    act: Option<Act>,
    /// What `epochs` may hold: one thing, or two while that is being changed.
    epochs: Vec<Vec<EpochEntry>>,
    /// Which leader may be accepted, likewise.
    leaders: Vec<Leader>,
    /// The commit on the disk, which is written behind what was said.
    commit: RangeInclusive<u64>,
    /// It was closed, and nothing was done since.
    closed: bool,
}

/// The accepted generation, its leader, and whether it was given up.
type Leader = (u64, Option<String>, bool);

impl Known {
    /// A shard that is not there yet, and will be opened with `settings`.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            trims_by_timer: settings.trims_by_timer,
            trims_late: false,
            kept_bytes: settings.config.retention.bytes.unwrap_or(u64::MAX),
            base: 0,
            records: BTreeMap::new(),
            sent: Vec::new(),
            durable: 0,
            act: None,
            epochs: vec![Vec::new()],
            leaders: vec![(0, None, false)],
            commit: 0..=0,
            closed: true,
        }
    }

    /// What the writer is at.
    #[must_use]
    pub fn doing(&self) -> Doing {
        let act = self.act.as_ref().map(Act::doing);
        act.or_else(|| self.sent.iter().map(Batch::doing).max())
            .unwrap_or(Doing::Between)
    }

    /// Takes in what the writer says.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn hear(&mut self, said: &Said) -> Result<(), String> {
        match said {
            Said::Begin(act) => {
                self.closed = false;
                self.begin(act);
                self.act = Some(act.clone());
                Ok(())
            }
            Said::Done(ends) => {
                let act = self.act.take().ok_or("done, and nothing was begun")?;
                self.done(&act, *ends)
            }
            Said::Send(batch) => {
                self.closed = false;
                self.sent.push(batch.clone());
                Ok(())
            }
            Said::Have { id, first } => self.have(*id, *first),
            Said::Flushed(end) => {
                self.durable = self.durable.max(*end);
                Ok(())
            }
        }
    }

    fn have(&mut self, id: u64, first: u64) -> Result<(), String> {
        let at = self.sent.iter().position(|batch| batch.id == id);
        let at = at.ok_or("an append returned that nobody began")?;
        let batch = self.sent.swap_remove(at);
        for (offset, record) in (first..).zip(batch.records()) {
            if self.records.insert(offset, record).is_some() {
                return Err(format!("offset {offset} was given to two records"));
            }
        }
        Ok(())
    }

    /// What may be from now on, besides what is.
    fn begin(&mut self, act: &Act) {
        if let Some(cut) = Cut::of(act, self.base) {
            self.trims_late = self.trims_by_timer;
            self.durable = cut.least_tail(self.base).min(self.durable);
            if let [epochs] = &self.epochs[..] {
                let kept = cut.epochs(epochs);
                self.epochs.push(kept);
            }
        }
        match act {
            Act::Restore(to) => self.commit = *self.commit.start().min(to)..=*self.commit.end(),
            Act::Commit(to) => self.commit = *self.commit.start()..=*self.commit.end().max(to),
            Act::Epoch(generation, start_offset) => {
                let mut epochs = self.epochs.last().cloned().unwrap_or_default();
                epochs.push(EpochEntry {
                    generation: *generation,
                    start_offset: *start_offset,
                });
                self.epochs.push(epochs);
            }
            Act::Accept(generation, leader) => {
                self.leaders.push((*generation, leader.clone(), false));
            }
            Act::GiveUp => {
                let generation = self.leaders.last().map_or(0, |leader| leader.0);
                self.leaders.push((generation, None, true));
            }
            _ => {}
        }
    }

    /// What is from now on.
    fn done(&mut self, act: &Act, ends: Ends) -> Result<(), String> {
        if let Some(cut) = Cut::of(act, self.base) {
            let begins_at = cut.new_base;
            self.records.split_off(&cut.to);
            if begins_at.is_some() {
                self.records.clear();
            }
            self.base = begins_at.unwrap_or(self.base);
        }
        // Of what may have been, the newest.
        self.epochs.drain(..self.epochs.len() - 1);
        self.leaders.drain(..self.leaders.len() - 1);
        self.closed = matches!(act, Act::Close);
        // One pass at a time, and none outlives its log.
        self.trims_late &= !matches!(act, Act::Retain | Act::Open);
        if !self.commit.contains(&ends.commit) {
            return Err(format!("commit {}, not in {:?}", ends.commit, self.commit));
        }
        // What is read or written just now is the same on the disk.
        let written = match act {
            Act::Open | Act::Close => ends.commit,
            _ => *self.commit.start(),
        };
        self.commit = written..=ends.commit;
        if ends.base < self.base {
            return Err(format!("base {} fell to {}", self.base, ends.base));
        }
        self.base = ends.base;
        if !self.trims_by_timer {
            self.records = self.records.split_off(&self.base);
        }
        let tail = self.tail();
        if ends.tail != tail {
            return Err(format!("the tail is {tail} and {} was told", ends.tail));
        }
        self.durable = ends.durable;
        Ok(())
    }

    /// One past the newest record that an append returned for.
    fn tail(&self) -> u64 {
        let newest = self.records.keys().next_back();
        newest.map_or(self.base, |newest| (newest + 1).max(self.base))
    }
}
