//! Appends and rolls (section 8).

use ondisk_engine::felix::log::{Entry, Mark};

use super::{Clocks, Model, Record, Segment};
use crate::refused::Refused;

impl Model {
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
        if self.full_enough() {
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

    /// No segment can begin at the end of all offsets.
    fn due(&self) -> bool {
        self.full_enough() && self.tail < u64::MAX
    }

    fn full_enough(&self) -> bool {
        let threshold = u64::from(self.config.rollover_threshold_percent);
        let size = self.config.segment_size_bytes;
        threshold < 100
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
}
