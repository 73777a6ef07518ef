//! Does the same to a log and to its model, and holds one against the other.

mod appending;
mod comparing;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use ondisk::felix::EpochEntry;
use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::felix::log::{
    Commit, CommitError, Config, Entry, Environment, FsyncMode, Log, Mark,
};

use ondisk_engine::felix::log::read::KeptRecord;

use crate::look::Look;
use crate::model::{Clocks, Model, Record};
use crate::op::{ConfigOf, Op, Place};
use crate::refused::Refused;

/// A log and its model.
pub struct Pair {
    pub directory: Arc<dyn Directory>,
    clock: Arc<ManualClock>,
    environment: Environment,
    log: Option<Log>,
    pub model: Model,
    /// Appends that nobody has waited for, in a log that acknowledges when it has synced.
    waiting: Vec<Commit>,
    /// How the payloads are told apart.
    number: u8,
    /// What readers hold, and what it was when they got it.
    held: VecDeque<(KeptRecord, Record)>,
}

impl Pair {
    pub fn new(config: Config) -> Self {
        let clock = Arc::new(ManualClock::at(1_000_000_000));
        let environment = Environment {
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            background: Background::manual(Arc::clone(&clock) as Arc<dyn Clock>),
            ..Environment::default()
        };
        let directory: Arc<dyn Directory> = Arc::new(MemoryDirectory::new("shard"));
        let log = Log::open_in(Arc::clone(&directory), config.clone(), &environment);
        let now = (clock.wall_micros(), clock.monotonic());
        Self {
            directory,
            clock,
            environment,
            log: Some(log.expect("it opens")),
            model: Model::new(config, now),
            waiting: Vec::new(),
            number: 0,
            held: VecDeque::new(),
        }
    }

    pub fn log(&self) -> &Log {
        self.log.as_ref().expect("it is open")
    }

    fn now(&self) -> Clocks {
        (self.clock.wall_micros(), self.clock.monotonic())
    }

    fn offset(&self, place: Place) -> u64 {
        place.offset(self.model.base(), self.model.tail)
    }

    /// Returns where the log lies once it is closed.
    pub fn run(ops: &[Op], config: Config) -> Arc<dyn Directory> {
        let mut pair = Self::new(config);
        for (number, op) in ops.iter().enumerate() {
            pair.step(op);
            pair.compare_open();
            if number % 3 == 2 {
                pair.compare_read();
            }
            if number % 5 == 4 {
                pair.compare_disk(&Look::at(&pair.directory));
            }
        }
        pair.close();
        pair.compare_disk(&Look::sound(&pair.directory));
        pair.compare_segments();
        pair.directory
    }

    pub fn step(&mut self, op: &Op) {
        match op {
            Op::Append(batch, expected) => self.append(batch, *expected),
            Op::GenerationStart(generation) => {
                let payload = generation.to_be_bytes();
                self.append_entries(&[Entry::new(&payload).marked(Mark::GenerationStart)], None);
            }
            Op::Wait => self.wait(),
            Op::Sync => {
                let bound = self.log().sync().expect("it syncs");
                assert_eq!(bound, self.model.tail);
                assert_eq!(self.log().durable(), self.model.tail);
            }
            Op::Roll => {
                self.log()
                    .roll()
                    .map_err(Refused::of)
                    .unwrap_or_else(|refused| {
                        let at_the_end = self.model.tail == u64::MAX;
                        assert!(
                            at_the_end && refused == Refused::InvalidRange,
                            "{refused:?}"
                        );
                    });
                if self.model.tail < u64::MAX {
                    self.model.roll_by_hand();
                }
            }
            Op::RunReady => self.run_ready(),
            Op::RunOne => self.run_one(),
            Op::Truncate(place) => {
                let offset = self.offset(*place);
                let expected = self.model.truncate(offset);
                let done = self.log().truncate(offset).map_err(Refused::of);
                assert_eq!(done, expected, "truncate to {offset}");
            }
            Op::Reset(place) => {
                let base = self.offset(*place);
                let expected = self.model.reset_to(base);
                let done = self.log().reset_to(base).map_err(Refused::of);
                assert_eq!(done, expected, "reset to {base}");
            }
            Op::Restore(place) => {
                let offset = self.offset(*place);
                let expected = self.model.restore_to(offset);
                let done = self.log().restore_to(offset).map_err(Refused::of);
                assert_eq!(done, expected, "restore to {offset}");
            }
            Op::Retain => {
                let expected = self.model.retain(self.now());
                assert_eq!(self.log().retain().map_err(Refused::of), Ok(expected));
            }
            Op::Hold(hold) => {
                self.model.hold(*hold);
                self.log().hold_retention_at_commit(*hold);
            }
            Op::Advance(seconds) => self.clock.advance(Duration::from_secs(*seconds)),
            Op::Jump(seconds) => self.clock.advance_wall(Duration::from_secs(*seconds)),
            Op::Back(seconds) => {
                let back = self.clock.wall_micros().saturating_sub(seconds * 1_000_000);
                self.clock.set_wall(back);
            }
            Op::RecordEpoch(generation, place) => {
                let start = self.offset(*place);
                self.model.record_epoch(*generation, start);
                self.log()
                    .record_epoch(*generation, start)
                    .expect("it is stored");
            }
            Op::LabelEpochs(place, list) => {
                let from = self.offset(*place);
                let list: Vec<_> = list
                    .iter()
                    .map(|&(generation, start)| EpochEntry {
                        generation,
                        start_offset: self.offset(start),
                    })
                    .collect();
                self.model.label_epochs(from, &list);
                self.log().label_epochs(from, &list).expect("it is stored");
            }
            Op::Accept(generation, leader) => {
                let expected = self.model.accept(*generation, *leader);
                let done = self.log().accept(*generation, *leader).map_err(Refused::of);
                assert_eq!(done, expected, "generation {generation} of {leader:?}");
            }
            Op::GiveUp => {
                self.model.give_up();
                self.log().give_up_generation().expect("it is stored");
            }
            Op::Commit(place) => {
                let commit = self.offset(*place);
                self.model.advance_commit(commit);
                self.log().advance_commit(commit).expect("it is open");
            }
            Op::Reopen(clean, config) => self.reopen(*clean, config.map(ConfigOf::config)),
        }
    }

    fn wait(&mut self) {
        for commit in std::mem::take(&mut self.waiting) {
            match commit.wait() {
                Ok(()) => {}
                // Only a truncation or reset takes an append back.
                Err(CommitError::Rewound { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        if self.model.config.fsync == FsyncMode::OnCommit {
            assert!(self.log().durable() <= self.model.tail);
        }
    }

    fn run_ready(&mut self) {
        let before = self.log().metrics().segments;
        self.environment.background.run_ready();
        if self.model.roll_unsure && self.log().metrics().segments == before {
            self.model.forget_roll();
        }
        self.model.run_ready(self.now());
    }

    fn run_one(&mut self) {
        let retention = self.model.config.retention;
        if retention.bytes.is_some() || retention.age.is_some() {
            return self.run_ready();
        }
        let before = self.log().metrics().segments;
        self.environment.background.run_one();
        // Whether it was the roll that ran is for the pool to say.
        if self.log().metrics().segments > before {
            assert!(self.model.wants_roll());
            self.model.roll_in_background();
        } else {
            self.model.ran_another();
        }
    }

    fn reopen(&mut self, clean: bool, config: Option<Config>) {
        let config = config.unwrap_or_else(|| self.model.config.clone());
        if clean {
            self.close();
        } else {
            self.waiting.clear();
            self.log = None;
        }
        let log = Log::open_in(
            Arc::clone(&self.directory),
            config.clone(),
            &self.environment,
        );
        let log = log.expect("it opens");
        for report in &log.recovered().reports {
            let index = report.name() == "index_rebuilt";
            assert!(!report.is_damage() || !clean && index, "{report}");
        }
        let commit = log.accepted().commit;
        match clean {
            true => assert_eq!(commit, self.model.commit),
            // It is written behind its advance.
            false => assert!((self.model.stored_commit..=self.model.commit).contains(&commit)),
        }
        self.model.commit = commit;
        self.model.opened(config, self.now());
        self.log = Some(log);
    }

    fn close(&mut self) {
        let log = self.log.take().expect("it is open");
        log.close().expect("it closes");
        assert_eq!(log.roll().map_err(Refused::of), Err(Refused::Closed));
        self.model.stored_commit = self.model.commit;
        for commit in std::mem::take(&mut self.waiting) {
            let told = commit.wait();
            assert!(
                matches!(told, Ok(()) | Err(CommitError::Rewound { .. })),
                "{told:?}"
            );
        }
    }
}
