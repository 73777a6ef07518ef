//! A log in memory, as sections 8, 10, 11 and 14 of the specification say it.

use std::time::Duration;

use ondisk::felix::EpochEntry;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Acceptance, Config, Entry, Mark};

use crate::producers::State;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub offset: u64,
    pub timestamp: u64,
    pub payload: Vec<u8>,
    pub mark: Mark,
}

impl Record {
    fn bytes(&self) -> u64 {
        let tag = if matches!(self.mark, Mark::Opens(_)) {
            20
        } else {
            0
        };
        28 + tag + self.payload.len() as u64
    }
}

#[derive(Clone, Debug)]
pub struct Segment {
    pub base: u64,
    pub version: u32,
    pub records: Vec<Record>,
    /// Full, and not sealed yet.
    pub retired: bool,
}

impl Segment {
    fn new(base: u64, version: u32) -> Self {
        Self {
            base,
            version,
            records: Vec::new(),
            retired: false,
        }
    }

    pub fn bytes(&self) -> u64 {
        32 + self.records.iter().map(Record::bytes).sum::<u64>()
    }

    /// The last offset, or the base of an empty one.
    fn last_offset(&self) -> u64 {
        self.records.last().map_or(self.base, |last| last.offset)
    }
}

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    Closed,
    SyncFailed,
    InvalidRange,
    InvalidInput,
    Unsupported,
    BelowCommit { offset: u64, commit: u64 },
    OutsideLog { offset: u64, base: u64, tail: u64 },
    Other(String),
}

impl Refused {
    pub fn of(error: StorageError) -> Self {
        match error {
            StorageError::Closed { .. } => Self::Closed,
            StorageError::SyncFailed => Self::SyncFailed,
            StorageError::InvalidRange => Self::InvalidRange,
            StorageError::Unsupported { .. } => Self::Unsupported,
            StorageError::BelowCommit { offset, commit } => Self::BelowCommit { offset, commit },
            StorageError::OutsideLog { offset, base, tail } => {
                Self::OutsideLog { offset, base, tail }
            }
            StorageError::Io { source, .. }
                if source.kind() == std::io::ErrorKind::InvalidInput =>
            {
                Self::InvalidInput
            }
            other => Self::Other(other.to_string()),
        }
    }
}

/// The clocks at one moment: of the wall in microseconds, and monotonic.
pub type Clocks = (u64, Duration);

#[derive(Clone, Debug)]
pub struct Model {
    pub config: Config,
    pub segments: Vec<Segment>,
    pub tail: u64,
    pub epochs: Vec<EpochEntry>,
    pub generation: u64,
    pub leader: Option<String>,
    pub given_up: bool,
    pub commit: u64,
    /// What `replica` has of it at least.
    pub stored_commit: u64,
    hold: bool,
    last_pass: Clocks,
    next_pass: Duration,
    /// An append asked for a background roll.
    roll_wanted: bool,
    /// Whether it still waits is not known.
    pub roll_unsure: bool,
}

impl Model {
    pub fn new(config: Config, now: Clocks) -> Self {
        let base = config.open_at;
        let mut model = Self {
            config: config.clone(),
            segments: vec![Segment::new(base, 3)],
            tail: base,
            epochs: Vec::new(),
            generation: 0,
            leader: None,
            given_up: false,
            commit: 0,
            stored_commit: 0,
            hold: false,
            last_pass: now,
            next_pass: Duration::ZERO,
            roll_wanted: false,
            roll_unsure: false,
        };
        model.opened(config, now);
        model
    }

    /// The log was opened with another configuration.
    pub fn opened(&mut self, config: Config, now: Clocks) {
        self.next_pass = now.1 + config.retention.interval;
        self.last_pass = now;
        self.config = config;
        self.hold = false;
        self.roll_wanted = false;
        self.roll_unsure = false;
        for segment in &mut self.segments {
            segment.retired = false;
        }
        self.epochs.retain(|entry| entry.start_offset <= self.tail);
    }

    pub fn base(&self) -> u64 {
        self.segments[0].base
    }

    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.segments.iter().flat_map(|segment| &segment.records)
    }

    pub fn producers(&self) -> State {
        State::of(self.records(), self.base(), self.tail)
    }

    fn active(&self) -> &Segment {
        self.segments.last().expect("there is one")
    }

    /// The offset that the first record gets, or the tail where a conditional append found it.
    pub fn append(
        &mut self,
        entries: &[Entry<'_>],
        expected: Option<u64>,
        now_micros: u64,
    ) -> Result<Result<u64, u64>, Refused> {
        let starts = || {
            let start = |entry: &&Entry<'_>| entry.mark == Mark::GenerationStart;
            entries.iter().filter(start)
        };
        let finalized = self.config.features.get("generation_start") == Some(&1);
        if entries.is_empty() {
            return Err(Refused::InvalidRange);
        }
        if starts().any(|start| !finalized || start.payload.len() != 8) {
            return Err(Refused::Unsupported);
        }
        let empty = |entry: &Entry<'_>| matches!(entry.mark, Mark::Opens(tag) if tag.len == 0);
        if entries.iter().any(empty) {
            return Err(Refused::Unsupported);
        }
        let Some(tail) = self.tail.checked_add(entries.len() as u64) else {
            return Err(Refused::InvalidRange);
        };
        if expected.is_some_and(|expected| expected != self.tail) {
            return Ok(Err(self.tail));
        }
        let records: Vec<_> = entries
            .iter()
            .zip(self.tail..)
            .map(|(entry, offset)| Record {
                offset,
                timestamp: entry.timestamp_micros.unwrap_or(now_micros),
                payload: entry.payload.to_vec(),
                mark: entry.mark,
            })
            .collect();
        let needs = entries.iter().map(|entry| match entry.mark {
            Mark::Ordinary => 2,
            Mark::Opens(_) | Mark::Continues => 3,
            Mark::GenerationStart => 4,
        });
        let needs = needs.max().unwrap_or(2);
        let bytes: u64 = records.iter().map(Record::bytes).sum();
        let active = self.active();
        let full = !active.records.is_empty() && active.bytes() + bytes > self.most_bytes();
        if full || needs > active.version {
            self.roll(needs, false);
        }
        let first = self.tail;
        self.segments
            .last_mut()
            .expect("one")
            .records
            .extend(records);
        self.tail = tail;
        if self.due() {
            self.roll_wanted = true;
            self.roll_unsure = false;
        }
        Ok(Ok(first))
    }

    fn most_bytes(&self) -> u64 {
        let size = self.config.segment_size_bytes;
        match self.config.rollover_threshold_percent {
            100 => size,
            _ => size + size * u64::from(self.config.max_overshoot_percent) / 100,
        }
    }

    fn due(&self) -> bool {
        let threshold = u64::from(self.config.rollover_threshold_percent);
        let size = self.config.segment_size_bytes;
        threshold < 100
            && self.tail < u64::MAX
            && !self.active().records.is_empty()
            && self.active().bytes() >= size * threshold / 100
    }

    fn roll(&mut self, needs: u32, in_background: bool) {
        let version = self.active().version.max(needs).max(3);
        for segment in &mut self.segments {
            segment.retired = false;
        }
        self.segments.last_mut().expect("one").retired = in_background;
        self.segments.push(Segment::new(self.tail, version));
    }

    pub fn roll_by_hand(&mut self) {
        if !self.active().records.is_empty() {
            self.roll(0, false);
        }
    }

    /// Whether a background roll would do something.
    pub fn wants_roll(&self) -> bool {
        self.roll_wanted && self.due()
    }

    /// Some task ran, and it was no roll that did something.
    pub fn ran_another(&mut self) {
        self.roll_unsure = self.roll_wanted;
    }

    /// The roll was the task that had run.
    pub fn forget_roll(&mut self) {
        self.roll_wanted = false;
    }

    /// A background roll, its seal included.
    pub fn roll_in_background(&mut self) {
        if self.wants_roll() {
            self.roll(0, false);
        }
        self.roll_wanted = false;
        self.roll_unsure = false;
    }

    /// Background work at this time.
    pub fn run_ready(&mut self, now: Clocks) {
        self.roll_in_background();
        let retention = self.config.retention;
        if (retention.bytes.is_some() || retention.age.is_some()) && now.1 >= self.next_pass {
            self.retain(now);
            self.next_pass = now.1 + retention.interval;
        }
    }

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

    /// Ignored unless the generation is above the newest; starts never descend.
    pub fn record_epoch(&mut self, generation: u64, start_offset: u64) {
        let above = self
            .epochs
            .last()
            .is_none_or(|last| generation > last.generation && start_offset >= last.start_offset);
        if above {
            self.epochs.push(EpochEntry {
                generation,
                start_offset,
            });
        }
    }

    pub fn label_epochs(&mut self, from: u64, list: &[EpochEntry]) {
        self.epochs.retain(|entry| entry.start_offset < from);
        for entry in list {
            self.record_epoch(entry.generation, entry.start_offset.max(from));
        }
    }

    pub fn accept(&mut self, generation: u64, leader: Option<&str>) -> Result<Acceptance, Refused> {
        if leader.is_some_and(|leader| leader.is_empty() || leader.len() > 1024) {
            return Err(Refused::InvalidInput);
        }
        if generation < self.generation {
            let accepted = self.generation;
            return Ok(Acceptance::Superseded { accepted });
        }
        let leader = leader.map(str::to_owned);
        if generation > self.generation {
            self.generation = generation;
            self.leader = leader;
            self.given_up = false;
            self.stored_commit = self.commit;
            return Ok(Acceptance::Raised);
        }
        Ok(match (self.given_up, self.leader.clone(), leader) {
            (true, ..) => Acceptance::GivenUp,
            (false, Some(recorded), Some(leader)) if recorded != leader => {
                Acceptance::Promised { recorded }
            }
            (false, None, named) => {
                self.leader = named;
                Acceptance::Current
            }
            (false, Some(_), _) => Acceptance::Current,
        })
    }

    pub fn give_up(&mut self) {
        if self.generation > 0 {
            self.given_up = true;
            self.leader = None;
        }
    }

    pub fn advance_commit(&mut self, commit: u64) {
        self.commit = self.commit.max(commit);
    }
}
