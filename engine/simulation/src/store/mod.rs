//! A data directory: scripts, the ledger of what it owes, and the oracle that holds it against that.

mod check;
mod faults;
mod found;
mod identity;
mod ledger;
mod op;
mod perform;
mod run;
mod script;
mod stream;
mod subject;
mod survives;

pub use faults::fail_everywhere;
pub use found::Found;
pub use ledger::Ledger;
pub use op::Op;
pub use script::{Script, scripts};

use std::sync::Arc;

use ondisk::felix::feature;
use ondisk::felix::name::StreamKey;
use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Environment, FsyncMode};
use ondisk_engine::felix::store::{Store, StoreConfig};

/// When scripts begin, in microseconds since the epoch.
const START_MICROS: u64 = 1_000_000_000;

/// The stream of this name.
fn stream_key(name: &str) -> StreamKey {
    StreamKey::new("acme", "default", name)
}

/// No thread: whatever runs in the background does so when a step lets it.
fn background() -> Background {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(START_MICROS));
    Background::manual(clock)
}

/// Starts on a disk. Every feature is finalized; `early` acknowledges ahead of the flush.
fn start(
    disk: &SimulatedDisk,
    early: bool,
    background: &Background,
) -> Result<Store, StorageError> {
    let mut log = Config {
        fsync: match early {
            true => FsyncMode::None,
            false => FsyncMode::OnCommit,
        },
        segment_size_bytes: 4096,
        ..Config::default()
    };
    for feature in [
        feature::GENERATION_START,
        feature::STREAM_INCARNATIONS,
        feature::CACHE_INCARNATIONS,
    ] {
        log = log.with_feature(feature.name, feature.level);
    }
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(START_MICROS));
    let config = StoreConfig {
        log,
        environment: Environment {
            background: background.clone(),
            clock,
            ..Environment::default()
        },
        ..StoreConfig::default()
    };
    Store::open_in(disk.root(), config)
}
