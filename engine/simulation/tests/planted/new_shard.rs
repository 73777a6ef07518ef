//! A data directory that gets its first shard, whose directory is a new one.

use std::sync::Arc;

use ondisk::felix::name::StreamKey;
use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Entry, Environment, FsyncMode, Log};
use ondisk_engine::felix::store::{Store, StoreConfig};
use ondisk_simulation::explore::{Stage, Subject, Trail};
use ondisk_simulation::promise::{Promise, Violation};

/// Opens a store, creates a shard, and appends to it. What is owed is how many records it has.
pub struct NewShard;

impl Subject for NewShard {
    type Expectation = u64;

    fn name(&self) -> &str {
        "a new shard"
    }

    fn run(&self, disk: SimulatedDisk) -> Result<Vec<Trail<u64>>, Violation> {
        let fails =
            |error: StorageError| Violation::new(Promise::FailsForAReason, error.to_string());
        disk.record();
        let (store, log) = open(&disk).map_err(fails)?;
        let opened = disk.operations();
        append(&log).map_err(fails)?;
        let appended = disk.operations();
        store.shutdown().map_err(fails)?;
        let stage = |first, during, after| Stage {
            first,
            during,
            after,
        };
        let stages = vec![stage(0, 0, 0), stage(opened, 0, 1), stage(appended, 1, 1)];
        Ok(vec![Trail {
            moments: disk.moments(),
            end: disk,
            stages,
        }])
    }

    fn recover(&self, disk: &SimulatedDisk) {
        drop(open(disk));
    }

    fn check(&self, disk: &SimulatedDisk, owed: &u64, _seed: u64) -> Result<(), Violation> {
        let refused = |error: StorageError| Violation::new(Promise::Opens, error.to_string());
        let (_store, log) = open(disk).map_err(refused)?;
        match log.tail() {
            tail if tail < *owed => {
                let what = format!("the log ends at {tail}, {owed} records are owed");
                Err(Violation::new(Promise::KeepsAcknowledged, what))
            }
            _ => Ok(()),
        }
    }

    fn survives(&self, disk: &SimulatedDisk, owed: &u64) -> Result<(), Violation> {
        // Disks keep what they were given here.
        self.check(disk, owed, 0)
    }
}

fn open(disk: &SimulatedDisk) -> Result<(Store, Log), StorageError> {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(1_000_000));
    let config = StoreConfig {
        log: Config {
            fsync: FsyncMode::OnCommit,
            ..Config::default()
        },
        environment: Environment {
            background: Background::manual(Arc::clone(&clock)),
            clock,
            ..Environment::default()
        },
        ..StoreConfig::default()
    };
    let store = Store::open_in(disk.root(), config)?;
    let log = store.shard(&StreamKey::new("tenant", "space", "orders").shard(0))?;
    Ok((store, log))
}

fn append(log: &Log) -> Result<(), StorageError> {
    let commit = log.append(&[Entry::new(b"acknowledged")])?;
    commit.wait().map_err(|_| StorageError::SyncFailed)
}
