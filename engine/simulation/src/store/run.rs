//! Running a script, and keeping the ledger on the way.

use std::collections::BTreeMap;
use std::fmt;

use ondisk::felix::RunPhase;
use ondisk_engine::background::Background;
use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Log;
use ondisk_engine::felix::store::{ShardPlace, Store};

use super::found::Found;
use super::{Ledger, Op, Script, background, start};
use crate::explore::{Stage, Trail};
use crate::promise::{Promise, Violation};

/// A script on its way.
pub(super) struct Run<'s> {
    pub(super) script: &'s Script,
    pub(super) disk: SimulatedDisk,
    pub(super) background: Background,
    pub(super) store: Option<Store>,
    /// The newest handle of each shard.
    pub(super) logs: BTreeMap<ShardPlace, Log>,
    pub(super) expected: Ledger,
    /// What may be found while a step is under way.
    meanwhile: Ledger,
    /// How payloads are told apart.
    pub(super) number: u64,
    /// The disk may let calls fail.
    pub(super) armed: bool,
    trails: Vec<Trail<Ledger>>,
    stages: Vec<Stage<Ledger>>,
}

/// Why a step is not done.
pub(super) enum Stopped {
    /// The store says an error.
    Failed(String),
    /// It breaks a promise.
    Broken(Violation),
}

impl From<Violation> for Stopped {
    fn from(violation: Violation) -> Self {
        Self::Broken(violation)
    }
}

/// For what the store says.
pub(super) fn failed(error: impl fmt::Display) -> Stopped {
    Stopped::Failed(error.to_string())
}

impl<'s> Run<'s> {
    /// A run of `script` on an empty disk.
    pub(super) fn new(script: &'s Script, disk: SimulatedDisk) -> Self {
        Self {
            script,
            disk,
            background: background(),
            store: None,
            logs: BTreeMap::new(),
            expected: Ledger::default(),
            meanwhile: Ledger::default(),
            number: 0,
            armed: false,
            trails: Vec::new(),
            stages: Vec::new(),
        }
    }

    /// Runs to the end. Returns what happened on each of its disks.
    pub(super) fn go(mut self) -> Result<Vec<Trail<Ledger>>, Violation> {
        self.disk.record();
        self.disk.arm(self.script.fault);
        self.armed = self.script.fault.is_some();
        self.started()
            .map_err(|violation| violation.within("the first start"))?;
        for (number, op) in self.script.ops.iter().enumerate() {
            let within = |violation: Violation| violation.within(format!("step {number} ({op})"));
            match op {
                Op::Cut(seed) => self.cut(*seed),
                _ => self.until_done(|run| run.perform(op)),
            }
            .map_err(within)?;
        }
        self.heal();
        self.until_done(|run| run.stage(Self::shutdown))
            .map_err(|violation| violation.within("the end"))?;
        self.end_trail();
        Ok(self.trails)
    }

    /// Tries again after a failure, on a disk that works by then: there it must be done.
    fn until_done(
        &mut self,
        act: impl Fn(&mut Self) -> Result<(), Stopped>,
    ) -> Result<(), Violation> {
        loop {
            match act(self) {
                Ok(()) => return Ok(()),
                Err(Stopped::Broken(violation)) => return Err(violation),
                Err(Stopped::Failed(what)) if !self.armed => {
                    return Err(Violation::new(Promise::FailsForAReason, what));
                }
                Err(Stopped::Failed(_)) => self.heal(),
            }
            if self.script.restarts || self.store.is_none() {
                self.started()?;
            } else {
                self.close_poisoned();
            }
        }
    }

    /// Nothing fails any more.
    fn heal(&mut self) {
        self.disk.arm(None);
        self.armed = false;
    }

    /// A log whose sync failed is closed by whoever has it, so that it can be opened anew.
    fn close_poisoned(&mut self) {
        self.logs.retain(|_, log| {
            let poisoned = log.metrics().poisoned;
            if poisoned {
                // It says what is known already.
                let _ = log.close();
            }
            !poisoned
        });
    }

    /// Does something, and notes what may be found meanwhile and afterwards.
    pub(super) fn stage(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let first = self.disk.operations();
        self.meanwhile = self.expected.clone();
        let done = act(self);
        self.settle();
        self.stages.push(Stage {
            first,
            during: self.meanwhile.between(&self.expected),
            after: self.expected.clone(),
        });
        done
    }

    /// Something is about to be done: until it is, any of this may be found.
    pub(super) fn about_to(&mut self, meanwhile: Ledger) {
        self.meanwhile = self.meanwhile.between(&meanwhile);
        self.expected = meanwhile;
    }

    /// What a log says is flushed must be there from now on.
    fn settle(&mut self) {
        for (place, log) in &self.logs {
            if !log.metrics().poisoned {
                for owed in self.expected.logs(place) {
                    owed.each(|ledger| ledger.flushed(log.durable()));
                }
            }
        }
    }

    /// Starts, whatever there was before.
    pub(super) fn started(&mut self) -> Result<(), Violation> {
        loop {
            match self.stage(Self::start) {
                Ok(()) => return Ok(()),
                Err(Stopped::Failed(_)) if self.armed => self.heal(),
                Err(Stopped::Failed(what)) => return Err(Violation::new(Promise::Opens, what)),
                Err(Stopped::Broken(violation)) => return Err(violation),
            }
        }
    }

    fn start(&mut self) -> Result<(), Stopped> {
        self.store = None;
        self.logs.clear();
        let mut meanwhile = self.expected.clone();
        let runs = &mut meanwhile.identity.runs;
        runs.push(Some(RunPhase::Running));
        meanwhile.identity.any_id |= self.armed;
        self.about_to(meanwhile);
        let store = start(&self.disk, self.script.early, &self.background).map_err(failed)?;
        let unfinished = store
            .started()
            .deletes
            .iter()
            .find(|delete| delete.moved.is_err());
        if let Some(delete) = unfinished {
            return Err(Stopped::Failed(format!("{delete:?}")));
        }
        let found = Found::at_start(&store, &self.disk.copy(), self.script)?;
        self.expected.accept(&found, self.script.early)?;
        self.expected = self.expected.settled(&found);
        self.store = Some(store);
        Ok(())
    }

    /// Ends the run; whatever it says, the store is gone.
    pub(super) fn shutdown(&mut self) -> Result<(), Stopped> {
        let Some(store) = self.store.take() else {
            return Ok(());
        };
        let logs = std::mem::take(&mut self.logs);
        let mut meanwhile = self.expected.clone();
        meanwhile.identity.runs.push(Some(RunPhase::Stopped));
        self.about_to(meanwhile);
        match store.shutdown() {
            Ok(()) => {
                for (place, log) in &logs {
                    for owed in self.expected.logs(place) {
                        owed.each(|ledger| ledger.flushed(log.tail()));
                    }
                }
                self.expected.identity.runs = vec![Some(RunPhase::Stopped)];
                Ok(())
            }
            // A log lost something in this run, and was opened anew.
            Err(StorageError::SyncFailed) if self.disk.struck() > 0 => {
                self.expected.identity.runs = vec![Some(RunPhase::Running)];
                Ok(())
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// The process is gone with the power; another one finds a disk.
    fn cut(&mut self, seed: u64) -> Result<(), Violation> {
        let next = self.disk.after(Model::PowerCut, seed);
        // Nothing of this process gets to the disk any more, not even by its end.
        let at = self.disk.operations();
        self.disk.arm(Some(Fault::PowerCut { at }));
        self.store = None;
        self.logs.clear();
        self.end_trail();
        self.disk = next;
        self.disk.record();
        self.armed = false;
        self.background = background();
        self.started()
    }

    fn end_trail(&mut self) {
        self.trails.push(Trail {
            moments: self.disk.moments(),
            end: self.disk.clone(),
            stages: std::mem::take(&mut self.stages),
        });
    }
}
