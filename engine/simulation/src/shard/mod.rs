//! One log: scripts, the ledger of what it owes, and the oracle that holds it against that.

mod append;
mod check;
mod cut;
mod expectation;
mod found;
mod generation;
mod hostile;
mod ledger;
mod offload;
mod op;
mod perform;
mod poison;
mod producers;
mod run;
mod script;
mod scripts;
mod subject;

pub use check::check;
pub use expectation::Expectation;
pub use found::{Found, Payload};
pub use hostile::survives;
pub use ledger::Ledger;
pub use op::Op;
pub use run::Run;
pub use script::{INTERVAL, Script, Settings};
pub(crate) use scripts::parsed;
pub use scripts::scripts;

use std::sync::Arc;

use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Environment, Log};

/// When scripts begin, in microseconds since the epoch.
const START_MICROS: u64 = 1_000_000_000;

/// A clock that stands still until a step moves it, and no thread: whatever runs does so when a step lets it.
pub(crate) fn environment() -> (Environment, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(START_MICROS));
    let shared: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
    let environment = Environment {
        background: Background::manual(Arc::clone(&shared)),
        clock: shared,
        ..Environment::default()
    };
    (environment, clock)
}

fn open(
    disk: &SimulatedDisk,
    settings: &Settings,
    environment: &Environment,
) -> Result<Log, StorageError> {
    Log::open_in(disk.root(), settings.config(), environment)
}
