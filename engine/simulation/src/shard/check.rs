//! Opening what is on a disk, and holding it against what is owed.

use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::felix::log::{Entry, Log};

use super::expectation::Expectation;
use super::found::Found;
use super::{Settings, environment, open};
use crate::promise::{Promise, Violation};

/// Opens a log after a power cut, and sees that it is as expected, that what it shows survives another cut, that it takes
/// an append, and that a second open finds nothing to do.
///
/// # Errors
/// The first promise that is broken.
pub fn check(
    disk: &SimulatedDisk,
    settings: &Settings,
    expected: &Expectation,
    seed: u64,
) -> Result<(), Violation> {
    let (environment, _) = environment();
    let refused = |error| Violation::new(Promise::Opens, format!("{error}"));
    let log = open(disk, settings, &environment).map_err(refused)?;
    let found = look(&log)?;
    expected.accept(&found)?;
    if log.recovered().may_have_lost_acknowledged() {
        // A power cut takes nothing that the mark vouches for.
        let what = format!("a false alarm: {:?}", log.recovered().reports);
        return Err(Violation::new(Promise::TellsOfLosses, what));
    }
    let shown = Expectation::from(super::Ledger::of(&found));
    let next = disk.after(Model::PowerCut, seed);
    shows_only_what_lasts(&next, settings, &shown)?;
    goes_on(&log, &found)?;
    let expected = look(&log)?;
    let next = disk.after(Model::PowerCut, seed.wrapping_add(1));
    drop(log);
    ends_cleanly(&next, settings, &expected)
}

fn look(log: &Log) -> Result<Found, Violation> {
    Found::of(log).map_err(|error| {
        let what = format!("reading what the log shows: {error}");
        Violation::new(Promise::KeepsAcknowledged, what)
    })
}

/// The log that an open has shown is there after a cut that follows at once.
fn shows_only_what_lasts(
    disk: &SimulatedDisk,
    settings: &Settings,
    shown: &Expectation,
) -> Result<(), Violation> {
    let (environment, _) = environment();
    let broken = |what: String| Violation::new(Promise::ShowsOnlyWhatLasts, what);
    let log = open(disk, settings, &environment).map_err(|error| broken(error.to_string()))?;
    let found = look(&log)?;
    shown
        .accept(&found)
        .map_err(|violation| broken(violation.to_string()))
}

/// A record is appended and made durable.
fn goes_on(log: &Log, found: &Found) -> Result<(), Violation> {
    let broken = |what: String| Violation::new(Promise::GoesOn, what);
    if found.durable != found.tail {
        let what = format!("durable to {}, the tail is {}", found.durable, found.tail);
        return Err(Violation::new(Promise::ShowsOnlyWhatLasts, what));
    }
    let commit = log
        .append(&[Entry::new(b"goes on").at(1)])
        .map_err(|error| broken(error.to_string()))?;
    if commit.offsets() != (found.tail..found.tail + 1) {
        let what = format!("offsets {:?} at tail {}", commit.offsets(), found.tail);
        return Err(broken(what));
    }
    commit.wait().map_err(|error| broken(error.to_string()))?;
    log.sync().map_err(|error| broken(error.to_string()))?;
    Ok(())
}

/// After a cut what was acknowledged is there; the log is closed, and then there is nothing to repair.
fn ends_cleanly(
    disk: &SimulatedDisk,
    settings: &Settings,
    expected: &Found,
) -> Result<(), Violation> {
    let (environment, _) = environment();
    let broken = |promise, what: String| Violation::new(promise, what);
    let log = open(disk, settings, &environment)
        .map_err(|error| broken(Promise::Opens, format!("the second time: {error}")))?;
    let found = look(&log)?;
    if found.records != expected.records {
        let what = format!(
            "{}..{} became {}..{} over a cut",
            expected.base, expected.tail, found.base, found.tail
        );
        return Err(broken(Promise::KeepsAcknowledged, what));
    }
    log.close()
        .map_err(|error| broken(Promise::GoesOn, format!("the close: {error}")))?;
    let again = open(disk, settings, &environment)
        .map_err(|error| broken(Promise::Converges, error.to_string()))?;
    let reports = &again.recovered().reports;
    if !reports.is_empty() {
        let what = format!("after a clean end: {reports:?}");
        return Err(broken(Promise::Converges, what));
    }
    let last = look(&again)?;
    let same = Found {
        durable: last.durable,
        ..found
    };
    match last == same {
        true => Ok(()),
        false => Err(broken(
            Promise::Converges,
            format!("{last:?}, not {same:?}"),
        )),
    }
}
