//! A log in memory, as sections 8, 10, 11 and 14 of the specification say it.

mod appending;
mod cutting;
mod generations;

use std::time::Duration;

use ondisk::felix::EpochEntry;
use ondisk_engine::felix::log::{Config, Mark};

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
}
