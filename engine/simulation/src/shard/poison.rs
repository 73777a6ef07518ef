//! A log whose sync failed.

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Entry;

use super::run::Run;
use crate::promise::{Promise, Violation};

impl Run<'_> {
    /// After a failed sync nothing is acknowledged, and nothing is done, whatever succeeds by now.
    pub(super) fn stays_poisoned(&mut self) -> Result<(), Violation> {
        let Some(log) = self.log.clone() else {
            return Ok(());
        };
        let durable = log.durable();
        let refused = |name: &str, done: Result<(), StorageError>| match done {
            Err(StorageError::SyncFailed) => Ok(()),
            Err(error) => Err(broken(format!("{name} says {error}"))),
            Ok(()) => Err(broken(format!("{name} is done"))),
        };
        refused("append", log.append(&[Entry::new(b"never")]).map(drop))?;
        refused("sync", log.sync().map(drop))?;
        refused("roll", log.roll())?;
        refused("truncate", log.truncate(0))?;
        refused("reset", log.reset_to(0))?;
        refused("record_epoch", log.record_epoch(u64::MAX, log.tail()))?;
        refused("accept", log.accept(u64::MAX, None).map(drop))?;
        self.environment.background.run_ready();
        for waiting in self.waiting.drain(..) {
            let end = waiting.offsets().end;
            let early = self.script.settings.fsync.acknowledges_early();
            if waiting.wait().is_ok() && end > durable && !early {
                return Err(broken(format!(
                    "records up to {end} are acknowledged, durable is {durable}"
                )));
            }
        }
        match log.durable() == durable {
            true => Ok(()),
            false => Err(broken(format!(
                "the durable bound goes from {durable} to {}",
                log.durable()
            ))),
        }
    }
}

fn broken(what: String) -> Violation {
    Violation::new(
        Promise::StaysPoisoned,
        format!("after a failed sync {what}"),
    )
}
