//! A disk that lies: what may be lost on it, and what may not be made up.

use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Log};
use ondisk_engine::felix::store::ShardPlace;

use super::op::spelled;
use super::{Ledger, Script, background, start};
use crate::promise::{Promise, Violation};
use crate::shard::Payload;

/// Starts on a disk that shows stale blocks, garbage or rot. The start may be refused, as damaged, or be for reading alone,
/// and a shard may be refused. What is read is what was once appended there.
pub(super) fn survives(
    disk: &SimulatedDisk,
    script: &Script,
    expected: &Ledger,
) -> Result<(), Violation> {
    let store = match start(disk, script.early, &background()) {
        Ok(store) => store,
        Err(error) => return is_damage(&error),
    };
    if store.started().read_only.is_some() {
        return Ok(());
    }
    let there = |place: &ShardPlace| {
        let mut found = store.started().shards.iter();
        found.any(|found| found.store == place.store && found.name == place.directory_name())
    };
    for place in script.places().into_iter().filter(there) {
        match store.open_shard(&place) {
            Ok(log) => invents_nothing(&log, &place, expected)
                .map_err(|violation| violation.within(spelled(&place)))?,
            // Its marker may say something else by now.
            Err(StorageError::NotFound { .. }) => {}
            Err(error) => is_damage(&error)?,
        }
    }
    Ok(())
}

fn is_damage(error: &StorageError) -> Result<(), Violation> {
    match error {
        StorageError::Corruption(_) | StorageError::Sidecar { .. } => Ok(()),
        _ => Err(Violation::new(Promise::Opens, error.to_string())),
    }
}

fn invents_nothing(log: &Log, place: &ShardPlace, expected: &Ledger) -> Result<(), Violation> {
    let unread = |error: StorageError| Violation::new(Promise::GoesOn, error.to_string());
    let mut records = log.read(log.base(), Bound::Tail).map_err(unread)?;
    let mut expected = expected.clone();
    loop {
        let record = match records.next() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(()),
            Err(error) => return is_damage(&error),
        };
        let offset = record.offset();
        let there = Payload {
            mark: record.mark(),
            bytes: record.payload().into(),
        };
        if !expected
            .logs(place)
            .any(|owed| owed.was_appended(offset, &there))
        {
            let what = format!("a record at offset {offset} that was never appended there");
            return Err(Violation::new(Promise::InventsNothing, what));
        }
    }
}
