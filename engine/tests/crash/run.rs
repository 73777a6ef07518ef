//! Running a script, and knowing what the log must hold at any moment.

use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Acceptance, Entry, Environment, Log};

use crate::scripts::{Op, Script};
use crate::state::{Found, State};
use crate::{environment, shard};

/// A script on its way.
pub struct Run<'s> {
    script: &'s Script,
    disk: SimulatedDisk,
    environment: Environment,
    /// As of the last operation that ended.
    before: State,
    /// As of the one that was under way, if it was done whole.
    after: State,
    trimming: bool,
    /// What is being dropped from here on may be gone in part.
    cutting: Option<u64>,
    next_payload: u64,
}

impl<'s> Run<'s> {
    pub fn new(script: &'s Script, disk: SimulatedDisk) -> Self {
        Self {
            script,
            disk,
            environment: environment(),
            before: State::default(),
            after: State::default(),
            trimming: false,
            cutting: None,
            next_payload: 0,
        }
    }

    /// Runs until the end or the power cut. Whether it came to the end.
    pub fn go(&mut self) -> bool {
        self.steps().is_ok()
    }

    fn steps(&mut self) -> Result<(), StorageError> {
        let mut log = self.open()?;
        for op in &self.script.ops {
            self.step(&mut log, op)?;
            self.before = self.after.clone();
            self.before.durable = log.durable().max(self.before.durable).min(log.tail());
            self.after = self.before.clone();
            self.trimming = false;
            self.cutting = None;
        }
        log.close()
    }

    fn open(&self) -> Result<Log, StorageError> {
        Log::open_in(shard(&self.disk), self.script.config(), &self.environment)
    }

    fn step(&mut self, log: &mut Log, op: &Op) -> Result<(), StorageError> {
        let after = &mut self.after;
        match *op {
            Op::Append { records, bytes } => {
                let mut payloads = Vec::new();
                for _ in 0..records {
                    let mut payload = format!("{}:", self.next_payload).into_bytes();
                    payload.resize(payload.len() + bytes, b'x');
                    self.next_payload += 1;
                    after.records.insert(after.tail, payload.clone());
                    after.tail += 1;
                    payloads.push(payload);
                }
                let entries: Vec<_> = payloads
                    .iter()
                    .map(|payload| Entry::new(payload).at(1))
                    .collect();
                let commit = log.append(&entries)?;
                commit.wait().map_err(|_| StorageError::SyncFailed)?;
            }
            Op::Sync => {
                log.sync()?;
            }
            Op::Roll => log.roll()?,
            Op::Background => {
                self.environment.background.run_ready();
            }
            Op::Truncate(offset) => {
                self.cutting = Some(offset);
                after.cut(offset);
                log.truncate(offset)?;
            }
            Op::Restore(offset) => {
                self.cutting = Some(offset);
                after.cut(offset);
                log.restore_to(offset)?;
            }
            Op::Reset(base) => {
                self.cutting = Some(0);
                after.records.clear();
                after.epochs.clear();
                (after.base, after.tail, after.durable) = (base, base, base);
                log.reset_to(base)?;
            }
            Op::Retain => {
                self.trimming = true;
                log.retain()?;
                after.base = log.base();
                let base = after.base;
                after.records.retain(|&offset, _| offset >= base);
            }
            Op::Epoch(generation) => {
                after.epochs.push((generation, after.tail));
                log.record_epoch(generation, log.tail())?;
            }
            Op::Accept(generation, leader) => {
                after.generation = generation;
                after.leader = Some(leader.to_owned());
                after.given_up = false;
                let accepted = log.accept(generation, Some(leader))?;
                assert_eq!(accepted, Acceptance::Raised, "{}", self.script.name);
            }
            Op::GiveUp => {
                after.leader = None;
                after.given_up = true;
                log.give_up_generation()?;
            }
            Op::Commit(offset) => {
                log.advance_commit(offset)?;
                self.environment.background.run_ready();
            }
            Op::Reopen => {
                log.close()?;
                after.durable = after.tail;
                *log = self.open()?;
            }
        }
        Ok(())
    }

    /// Holds a log that was found against what it may be.
    pub fn check(&self, found: &Found, place: &str) {
        let mut old = self.before.clone();
        if let Some(cut) = self.cutting {
            // Segments go from the newest on, each durably: a cut may stop between two of them.
            old.durable = old.durable.min(cut);
            old.epochs_may_be_gone = true;
        }
        let old = old.refuses(found, self.trimming);
        let mut new = self.after.clone();
        new.durable = new.durable.min(self.before.durable.max(new.base));
        let new = new.refuses(found, self.trimming);
        if let (Some(old), Some(new)) = (old, new) {
            panic!("{place}\n  not the log before: {old}\n  not the log after: {new}");
        }
    }

    /// The disk that `place` speaks of, once more.
    pub fn disk_after(&self, place: &str) -> SimulatedDisk {
        let number = |word: &str| -> u64 {
            let (_, rest) = place.split_once(word).expect("a place names its cut");
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().expect("a number")
        };
        let (at, seed) = (number("cut at "), number("disk "));
        let disk = SimulatedDisk::new();
        let mut run = Run::new(self.script, disk.clone());
        disk.arm(Some(Fault::PowerCut { at }));
        run.go();
        disk.after(Model::PowerCut, seed)
    }
}

impl State {
    fn cut(&mut self, offset: u64) {
        if offset >= self.tail {
            return;
        }
        self.records.retain(|&at, _| at < offset);
        self.epochs.retain(|&(_, start)| start < offset);
        self.tail = offset;
        self.base = self.base.min(offset);
        self.durable = self.durable.min(offset);
    }
}
