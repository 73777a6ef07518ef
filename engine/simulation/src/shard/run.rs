//! Running a script, and keeping the ledger on the way.

use std::collections::BTreeMap;
use std::sync::Arc;

use ondisk_engine::clock::ManualClock;
use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Commit, Environment, Log};

use super::expectation::Expectation;
use super::found::{Found, Payload};
use super::ledger::Ledger;
use super::perform::During;
use super::{Op, Script, environment, open};
use crate::explore::{Stage, Trail};
use crate::promise::{Promise, Violation};

/// A script on its way.
pub struct Run<'s> {
    pub(super) script: &'s Script,
    pub(super) disk: SimulatedDisk,
    pub(super) environment: Environment,
    pub(super) clock: Arc<ManualClock>,
    pub(super) log: Option<Log>,
    pub(super) expected: Expectation,
    /// Appends that nobody has waited for.
    pub(super) waiting: Vec<Commit>,
    /// The newest batch of each producer.
    pub(super) sent: BTreeMap<u8, Sent>,
    /// How payloads are told apart.
    pub(super) number: u64,
    /// The disk may let calls fail.
    pub(super) armed: bool,
    trails: Vec<Trail<Expectation>>,
    stages: Vec<Stage<Expectation>>,
}

/// A batch as its producer sent it.
#[derive(Clone)]
pub(super) struct Sent {
    pub(super) sequence: u64,
    pub(super) len: u32,
    pub(super) payloads: Vec<Payload>,
}

impl<'s> Run<'s> {
    /// A run of `script` on an empty disk.
    #[must_use]
    pub fn new(script: &'s Script, disk: SimulatedDisk) -> Self {
        let (environment, clock) = environment();
        let disk = match script.settings.mapped {
            true => disk.with_mappings(),
            false => disk,
        };
        Self {
            script,
            disk,
            environment,
            clock,
            log: None,
            expected: Expectation::default(),
            waiting: Vec::new(),
            sent: BTreeMap::new(),
            number: 0,
            armed: false,
            trails: Vec::new(),
            stages: Vec::new(),
        }
    }

    /// Runs to the end. Returns what happened on each of its disks.
    ///
    /// # Errors
    /// The first promise that is broken while nothing was cut off, or by what was found after a `cut` of the script.
    pub fn go(mut self) -> Result<Vec<Trail<Expectation>>, Violation> {
        self.disk.record();
        self.disk.arm(self.script.fault);
        self.armed = self.script.fault.is_some();
        self.open()?;
        for (number, op) in self.script.ops.iter().enumerate() {
            self.step(op)
                .map_err(|violation| violation.within(format!("step {number} ({op})")))?;
        }
        self.heal();
        self.step(&Op::Close)
            .map_err(|violation| violation.within("the close at the end"))?;
        self.end_trail();
        Ok(self.trails)
    }

    fn step(&mut self, op: &Op) -> Result<(), Violation> {
        match op {
            Op::Cut(seed) => self.cut(*seed),
            Op::Drop => self.open(),
            Op::Close => {
                self.stage(|run| run.close().map(|()| None))?;
                self.open()
            }
            Op::Offload => {
                self.stage(|run| run.close().map(|()| None))?;
                self.stage(|run| run.offload().map(|()| None))?;
                self.open()
            }
            _ => {
                self.stage(|run| run.perform(op))?;
                if self.log.as_ref().is_some_and(|log| log.metrics().poisoned) {
                    self.stays_poisoned()?;
                    return self.open();
                }
                Ok(())
            }
        }
    }

    /// Does something, and notes what may be found meanwhile and afterwards.
    fn stage(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<During, Violation>,
    ) -> Result<(), Violation> {
        let first = self.disk.operations();
        let before = self.expected.clone();
        let during = act(self)?;
        self.settle();
        let during = during.unwrap_or_else(|| before.between(&self.expected));
        self.stages.push(Stage {
            first,
            during,
            after: self.expected.clone(),
        });
        Ok(())
    }

    /// Nothing fails any more.
    fn heal(&mut self) {
        self.disk.arm(None);
        self.armed = false;
    }

    /// What the log says is flushed must be there from now on; of one that is poisoned it is said where it was waited for.
    fn settle(&mut self) {
        if let Some(log) = &self.log
            && !log.metrics().poisoned
        {
            self.expected.ledger_mut().flushed(log.durable());
        }
    }

    /// Opens the log, which may be open or not, and holds what it shows against what is expected.
    pub(super) fn open(&mut self) -> Result<(), Violation> {
        self.log = None;
        self.waiting.clear();
        let first = self.disk.operations();
        let log = loop {
            match open(&self.disk, &self.script.settings, &self.environment) {
                Ok(log) => break log,
                // Once more on a disk that works: there it must open.
                Err(_) if self.armed => self.heal(),
                Err(error) => return Err(Violation::new(Promise::Opens, error.to_string())),
            }
        };
        let found = self.look(&log)?;
        if self.armed {
            // A history that cannot be read counts as none (Felix 11.2), until it can.
            self.expected.each(|ledger| ledger.epochs.push(Vec::new()));
        }
        self.expected.accept(&found)?;
        if found.durable != found.tail {
            let what = format!("durable to {}, the tail is {}", found.durable, found.tail);
            return Err(Violation::new(Promise::ShowsOnlyWhatLasts, what));
        }
        let during = std::mem::take(&mut self.expected);
        let mut shown = Ledger::of(&found).after(during.ledger());
        if self.armed {
            shown.epochs.extend(during.ledger().epochs.iter().cloned());
        }
        self.expected = shown.into();
        self.log = Some(log);
        self.stages.push(Stage {
            first,
            during,
            after: self.expected.clone(),
        });
        Ok(())
    }

    fn look(&mut self, log: &Log) -> Result<Found, Violation> {
        loop {
            match Found::of(log) {
                Ok(found) => return Ok(found),
                Err(_) if self.armed => self.heal(),
                Err(error) => {
                    let what = format!("reading what the log shows: {error}");
                    return Err(Violation::new(Promise::KeepsAcknowledged, what));
                }
            }
        }
    }

    /// The process is gone with the power; another one finds a disk.
    fn cut(&mut self, seed: u64) -> Result<(), Violation> {
        let next = self.disk.after(Model::PowerCut, seed);
        // Nothing of this process gets to the disk any more, not even by its end.
        let at = self.disk.operations();
        self.disk.arm(Some(Fault::PowerCut { at }));
        self.log = None;
        self.end_trail();
        self.disk = next;
        self.disk.record();
        self.armed = false;
        let (environment, clock) = environment();
        (self.environment, self.clock) = (environment, clock);
        self.open()
    }

    fn end_trail(&mut self) {
        self.trails.push(Trail {
            moments: self.disk.moments(),
            end: self.disk.clone(),
            stages: std::mem::take(&mut self.stages),
        });
    }

    /// A call failed: something must have, on the disk.
    pub(super) fn failed(&self, error: &StorageError) -> Result<(), Violation> {
        match self.armed {
            true => Ok(()),
            false => Err(Violation::new(Promise::FailsForAReason, error.to_string())),
        }
    }
}
