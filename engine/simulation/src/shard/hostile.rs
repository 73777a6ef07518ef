//! A disk that lies: what may be lost on it, and what may not go unsaid.

use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Log};
use ondisk_engine::felix::recovery::Report;

use super::expectation::Expectation;
use super::found::Payload;
use super::{Settings, environment, open};
use crate::promise::{Promise, Violation};

/// Opens a log on a disk that shows stale blocks, garbage or rot. It may be refused, as damaged; a reader may be told that a
/// record is. What is read is what was once appended there, and what is missing is reported by name.
///
/// # Errors
/// The first promise that is broken.
pub fn survives(
    disk: &SimulatedDisk,
    settings: &Settings,
    expected: &Expectation,
) -> Result<(), Violation> {
    let (environment, _) = environment();
    let log = match open(disk, settings, &environment) {
        Ok(log) => log,
        Err(StorageError::Corruption(_) | StorageError::Sidecar { .. }) => return Ok(()),
        Err(error) => return Err(Violation::new(Promise::Opens, error.to_string())),
    };
    let read = read_all(&log, expected)?;
    let rebuilt = |report: &&Report| !matches!(report, Report::IndexRebuilt { .. });
    let told = log
        .recovered()
        .reports
        .iter()
        .any(|report| rebuilt(&report));
    let missing = expected.missing_from(&read.there);
    match missing {
        Some(offset) if !told && !read.failed => {
            let (base, tail) = (log.base(), log.tail());
            let what =
                format!("offset {offset} is gone, the log is {base}..{tail}, and nothing says so");
            Err(Violation::new(Promise::TellsOfLosses, what))
        }
        _ => Ok(()),
    }
}

struct Read {
    there: Vec<u64>,
    /// The reader was told of damage.
    failed: bool,
}

fn read_all(log: &Log, expected: &Expectation) -> Result<Read, Violation> {
    let broken = |promise, what: String| Err(Violation::new(promise, what));
    let mut read = Read {
        there: Vec::new(),
        failed: false,
    };
    let mut records = match log.read(log.base(), Bound::Tail) {
        Ok(records) => records,
        Err(error) => return broken(Promise::GoesOn, error.to_string()),
    };
    loop {
        match records.next() {
            Ok(None) => return Ok(read),
            Ok(Some(record)) => {
                let there = Payload {
                    mark: record.mark(),
                    bytes: record.payload().into(),
                };
                let offset = record.offset();
                if !expected.was_appended(offset, &there) {
                    let what = format!("a record at offset {offset} that was never appended there");
                    return broken(Promise::InventsNothing, what);
                }
                read.there.push(offset);
            }
            Err(StorageError::Corruption(_)) => {
                read.failed = true;
                return Ok(read);
            }
            Err(error) => return broken(Promise::TellsOfLosses, error.to_string()),
        }
    }
}
