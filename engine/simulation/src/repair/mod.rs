//! Repairs, as `ondisk repair` makes them, and what may never be lost on their way.

mod act;
mod check;
mod damages;
mod end;
mod files;

pub(crate) use files::contents;

use std::sync::Arc;

use ondisk::felix::name::ShardKey;
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::simulated::{Fault, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Log};
use ondisk_engine::felix::store::{Store, StoreConfig};

use self::end::End;
use crate::explore::{Stage, Subject, Trail, unwinding};
use crate::faults::Failures;
use crate::promise::{Promise, Violation};
use crate::shard;

/// A damaged shard in a data directory, and its repair.
#[derive(Clone, Copy, Debug)]
pub struct Repair {
    name: &'static str,
    /// The report that it is all about.
    report: &'static str,
    /// A damaged last record that is complete may be cut.
    opts_in: bool,
    damage: fn(&dyn Directory) -> std::io::Result<()>,
}

/// What may be found.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// What a repair comes to that nothing cuts short.
    end: Arc<End>,
    /// The repair has returned.
    done: bool,
    /// A call of it failed. What the next one finds done need not be on the device: there may be something to do again.
    failed: bool,
}

/// All of them.
#[must_use]
pub fn repairs() -> Vec<Repair> {
    damages::ALL.to_vec()
}

/// The shard that is repaired.
fn key() -> ShardKey {
    ShardKey::new("acme", "default", "orders", 0)
}

/// Segments of few records, and indexes with an entry for each.
fn config(opts_in: bool) -> Config {
    Config {
        repair_checksum_tail: opts_in,
        ..shard::Settings::default().config()
    }
}

fn directory(disk: &SimulatedDisk) -> std::io::Result<Arc<dyn Directory>> {
    disk.root().directory(&key().directory_name(0))
}

fn open(disk: &SimulatedDisk, opts_in: bool) -> Result<Log, StorageError> {
    let (environment, _) = shard::environment();
    let directory = directory(disk).map_err(|source| StorageError::Io {
        source,
        path: "disk".into(),
        operation: "open",
    })?;
    Log::open_in(directory, config(opts_in), &environment)
}

impl Repair {
    /// Puts the damaged shard onto an empty disk, synced.
    fn damaged(&self, disk: &SimulatedDisk) -> Result<(), Violation> {
        let prepare = || -> Result<(), StorageError> {
            let store_config = StoreConfig {
                log: config(false),
                environment: shard::environment().0,
                ..StoreConfig::default()
            };
            let store = Store::open_in(disk.root(), store_config)?;
            let log = store.shard(&key())?;
            damages::fill(&log)?;
            store.shutdown()
        };
        prepare().map_err(|error| unprepared(&error))?;
        directory(disk)
            .and_then(|shard| (self.damage)(&*shard))
            .map_err(|error| unprepared(&error))
    }

    /// Lets each call of the repair fail once, with every error. It is made again, and must come to its end.
    ///
    /// # Errors
    /// The first promise that is broken.
    pub fn fail_everywhere(&self) -> Result<Failures, Violation> {
        let damaged = SimulatedDisk::new();
        self.damaged(&damaged)?;
        let expected = Expectation {
            failed: true,
            ..self.expectation(&damaged)?
        };
        let calls = |repaired: &SimulatedDisk| {
            let _done = act::repair(repaired, self.opts_in);
            repaired.calls()
        };
        let (first, end) = (damaged.calls(), calls(&damaged.copy()));
        let mut failures = Failures::default();
        for at in 0..end.saturating_sub(first) {
            for errno in [5, 28] {
                let disk = damaged.copy();
                let fault = Fault::Fails {
                    at: disk.calls() + at,
                    errno,
                    for_good: false,
                };
                disk.arm(Some(fault));
                let _done = act::repair(&disk, self.opts_in);
                failures.runs += 1;
                disk.arm(None);
                let within = |violation: Violation| {
                    violation.within(format!("{}, call {at} fails with {errno}", self.name))
                };
                unwinding(|| self.check(&disk.copy(), &expected, at)).map_err(within)?;
                failures.checks += 1;
            }
        }
        Ok(failures)
    }

    fn expectation(&self, damaged: &SimulatedDisk) -> Result<Expectation, Violation> {
        let end = End::of(damaged, self.opts_in, self.report)?;
        Ok(Expectation {
            end: Arc::new(end),
            done: false,
            failed: false,
        })
    }
}

fn unprepared(error: &dyn std::fmt::Display) -> Violation {
    Violation::new(Promise::FailsForAReason, format!("preparing: {error}"))
}

impl Subject for Repair {
    type Expectation = Expectation;

    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, disk: SimulatedDisk) -> Result<Vec<Trail<Expectation>>, Violation> {
        self.damaged(&disk)?;
        let during = self.expectation(&disk)?;
        let first = disk.operations();
        disk.record();
        act::repair(&disk, self.opts_in)
            .map_err(|what| Violation::new(Promise::FailsForAReason, what))?;
        let after = Expectation {
            done: true,
            ..during.clone()
        };
        Ok(vec![Trail {
            moments: disk.moments(),
            end: disk,
            stages: vec![Stage {
                first,
                during,
                after,
            }],
        }])
    }

    /// A repair that was cut off is made again.
    fn recover(&self, disk: &SimulatedDisk) {
        let _ = act::repair(disk, self.opts_in);
    }

    fn check(
        &self,
        disk: &SimulatedDisk,
        expected: &Expectation,
        seed: u64,
    ) -> Result<(), Violation> {
        check::check(disk, expected, self.opts_in, seed)
    }

    /// A disk that lies may take anything but what the repair saw; that it panics at nothing is seen by whoever calls.
    fn survives(&self, disk: &SimulatedDisk, _expected: &Expectation) -> Result<(), Violation> {
        let _ = act::repair(disk, self.opts_in);
        let _ = open(disk, self.opts_in);
        Ok(())
    }
}
