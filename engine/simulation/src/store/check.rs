//! Starting on what is on a disk, and holding it against what is owed.

use ondisk::felix::RunPhase;
use ondisk_engine::background::Background;
use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Entry;
use ondisk_engine::felix::store::Store;

use super::found::{Found, broken, in_bins, takes_anything};
use super::op::spelled;
use super::script::stream_of;
use super::stream::{Standing, standing};
use super::{Ledger, Script, background, start};
use crate::promise::{Promise, Violation};

/// A registration that no script has.
const REGISTRATION: u64 = 1_000_000;

/// Starts after a power cut, and sees that all is as expected, that what it shows survives another cut, that the store goes
/// on, and that after a clean end a start finds nothing to do.
pub(super) fn check(
    disk: &SimulatedDisk,
    script: &Script,
    expected: &Ledger,
    seed: u64,
) -> Result<(), Violation> {
    let (store, background) = started(disk, script)?;
    let found = Found::whole(&store, disk, script)?;
    expected.accept(&found, script.early)?;
    keeps_out_what_is_gone(&store, script, &found)?;
    empties_the_bins(disk, &background)?;
    let next = disk.after(Model::PowerCut, seed);
    shows_only_what_lasts(&next, script, &found)?;
    let found = goes_on(&store, found)?;
    let next = disk.after(Model::PowerCut, seed.wrapping_add(1));
    drop(store);
    ends_cleanly(&next, script, &found)
}

fn started(disk: &SimulatedDisk, script: &Script) -> Result<(Store, Background), Violation> {
    let background = background();
    let refused = |error: StorageError| Violation::new(Promise::Opens, error.to_string());
    let store = start(disk, script.early, &background).map_err(refused)?;
    let unfinished = store
        .started()
        .deletes
        .iter()
        .find(|delete| delete.moved.is_err());
    match unfinished {
        None => Ok((store, background)),
        Some(delete) => Err(broken(format!("{delete:?}"))),
    }
}

/// What was deleted, and what is older than what is held, does not open.
fn keeps_out_what_is_gone(store: &Store, script: &Script, found: &Found) -> Result<(), Violation> {
    for place in script.places() {
        let marker = found.stream(&stream_of(&place)).marker;
        if standing(&marker, place.incarnation) != Standing::Gone {
            continue;
        }
        match store.open_shard(&place) {
            Err(StorageError::NotFound { .. }) => {}
            opened => {
                let (place, opened) = (spelled(&place), opened.map(drop));
                return Err(broken(format!(
                    "{place} is gone, and its open says {opened:?}"
                )));
            }
        }
    }
    Ok(())
}

fn empties_the_bins(disk: &SimulatedDisk, background: &Background) -> Result<(), Violation> {
    background.run_ready();
    let left = in_bins(disk)?;
    match left.is_empty() {
        true => Ok(()),
        false => Err(broken(format!("{left:?} is left in the bins"))),
    }
}

/// What a start has shown is there after a cut that follows at once.
fn shows_only_what_lasts(
    disk: &SimulatedDisk,
    script: &Script,
    shown: &Found,
) -> Result<(), Violation> {
    let again = || {
        let (store, _background) = started(disk, script)?;
        let found = Found::whole(&store, disk, script)?;
        Ledger::of(shown).accept(&found, script.early)
    };
    again().map_err(|violation| Violation::new(Promise::ShowsOnlyWhatLasts, violation.to_string()))
}

/// The broker registers, and a record is appended to each shard and made durable. Returns what is there now.
fn goes_on(store: &Store, mut found: Found) -> Result<Found, Violation> {
    let failed = |error: StorageError| Violation::new(Promise::GoesOn, error.to_string());
    store.register(REGISTRATION).map_err(failed)?;
    found.registration = Some(REGISTRATION);
    let told = store.node_id().map_err(failed)?;
    if found.node.as_ref().is_some_and(|known| *known != told) {
        return Err(broken(format!(
            "the node id {:?} becomes {told}",
            found.node
        )));
    }
    found.node = Some(told);
    for place in found.places().filter(|place| takes_anything(place.store)) {
        let append = || {
            let log = store.open_shard(place)?;
            let commit = log.append(&[Entry::new(b"goes on").at(1)])?;
            commit.wait().map_err(|_| StorageError::SyncFailed)?;
            log.sync().map(drop)
        };
        append().map_err(|error| failed(error).within(spelled(place)))?;
    }
    found.look_into_shards(store)?;
    Ok(found)
}

/// After a cut what was acknowledged is there, and no delete is finished once more; the run ends, and then there is nothing to
/// do.
fn ends_cleanly(disk: &SimulatedDisk, script: &Script, expected: &Found) -> Result<(), Violation> {
    let (store, background) = started(disk, script)?;
    let changes = |what: String| Err(Violation::new(Promise::Converges, what));
    let again = &store.started().deletes;
    if !again.is_empty() {
        return changes(format!("the second start finishes {again:?}"));
    }
    let mut found = Found::whole(&store, disk, script)?;
    Ledger::of(expected).accept(&found, script.early)?;
    background.run_ready();
    store
        .shutdown()
        .map_err(|error| Violation::new(Promise::GoesOn, format!("the end: {error}")))?;
    let (again, _background) = started(disk, script)?;
    let last = Found::whole(&again, disk, script)?;
    let started = again.started();
    if !started.deletes.is_empty() || started.in_bins > 0 || started.run_state_id_differs {
        return changes(format!("after a clean end: {started:?}"));
    }
    for place in last.places() {
        let log = again
            .open_shard(place)
            .map_err(|error| Violation::new(Promise::Opens, error.to_string()))?;
        let reports = &log.recovered().reports;
        if !reports.is_empty() {
            return changes(format!(
                "{}, after a clean end: {reports:?}",
                spelled(place)
            ));
        }
    }
    found.run = Some(RunPhase::Stopped);
    found.new_id = None;
    match last == found {
        true => Ok(()),
        false => changes(format!("{last:?}, not {found:?}")),
    }
}
