//! What a copy that was cut off has left.

use std::io;

use ondisk::felix::name::Sidecar;
use ondisk_engine::disk::simulated::{Model, SimulatedDisk};
use ondisk_engine::felix::copy::CopyError;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::mark;
use ondisk_engine::felix::store::Root;

use super::originals::looked_at;
use super::{Copying, Original, SOURCE, TARGET, directory};
use crate::promise::{Promise, Violation};
use crate::repair::contents;
use crate::shard::Found;

/// The original is what it was. A copy that was made, or that says so, is whole, and stays it. Nothing is built on another
/// one, and whatever it shows is of the original.
pub(super) fn check(
    copying: &Copying,
    disk: &SimulatedDisk,
    original: &Original,
    done: bool,
    seed: u64,
) -> Result<(), Violation> {
    is_untouched(disk, original)?;
    if done || says_that_it_is_whole(disk, copying.is_root)? {
        is_whole(disk, original, copying.is_root)?;
        // What was opened is written; a cut of that changes nothing.
        let next = disk.after(Model::PowerCut, seed);
        return is_whole(&next, original, copying.is_root);
    }
    let left = || directory(disk, TARGET).and_then(|target| contents(&target));
    let before = left().map_err(|error| broken(error.to_string()))?;
    match copying.copy(disk) {
        Ok(()) if before.is_empty() => {
            let next = disk.after(Model::PowerCut, seed);
            is_whole(&next, original, copying.is_root)
        }
        Err(CopyError::Storage(StorageError::Io { source, .. }))
            if source.kind() == io::ErrorKind::AlreadyExists && !before.is_empty() =>
        {
            let after = left().map_err(|error| broken(error.to_string()))?;
            if after != before {
                return Err(broken(
                    "a copy that was refused changed what is there".to_owned(),
                ));
            }
            invents_nothing(disk, original, copying.is_root)
        }
        copied => {
            let there: Vec<_> = before.keys().collect();
            Err(broken(format!("a copy onto {there:?} says {copied:?}")))
        }
    }?;
    is_untouched(disk, original)
}

fn broken(what: String) -> Violation {
    Violation::new(Promise::CopiesWhole, what)
}

fn is_untouched(disk: &SimulatedDisk, original: &Original) -> Result<(), Violation> {
    let there = directory(disk, SOURCE).and_then(|source| contents(&source));
    match there.map_err(|error| broken(error.to_string()))? == original.files {
        true => Ok(()),
        false => Err(broken("the original is another one".to_owned())),
    }
}

/// A shard has its mark last, and a data directory its storage id.
fn says_that_it_is_whole(disk: &SimulatedDisk, is_root: bool) -> Result<bool, Violation> {
    let look = || -> Result<bool, StorageError> {
        let target = directory(disk, TARGET).map_err(|source| StorageError::Io {
            source,
            path: TARGET.into(),
            operation: "open",
        })?;
        if is_root {
            let root = Root::look(target)?;
            return Ok(root.identity.storage_id.sound().is_some());
        }
        let shard = Shard::look(target, None)?;
        Ok(shard.sidecar(Sidecar::DurableMark).is_some() && mark::load(&shard).sound().is_some())
    };
    look().map_err(|error| broken(error.to_string()))
}

/// Everything is there as it was in the original, and sound; a data directory has an id of its own.
fn is_whole(disk: &SimulatedDisk, original: &Original, is_root: bool) -> Result<(), Violation> {
    let copy = looked_at(disk, TARGET, is_root);
    let (logs, markers, id) = copy.map_err(|error| broken(format!("the copy: {error}")))?;
    let wanted: Vec<_> = original.logs.keys().collect();
    if logs.keys().collect::<Vec<_>>() != wanted || markers != original.markers {
        let there: Vec<_> = logs.keys().collect();
        return Err(broken(format!("{there:?} and {markers:?}, not {wanted:?}")));
    }
    for (path, (found, is_sound)) in &logs {
        let owed = original.logs.get(path);
        if !is_sound || owed != Some(found) {
            let sound = if *is_sound { "" } else { "not sound, " };
            let told = owed.map(|owed| differences(found, owed));
            return Err(broken(format!("{path:?}: {sound}{told:?}")));
        }
    }
    if is_root && (id.is_none() || id == original.id) {
        return Err(broken(format!("its storage id is {id:x?}")));
    }
    Ok(())
}

/// In what a log differs from the original.
fn differences(found: &Found, owed: &Found) -> String {
    let offsets = |found: &Found| (found.base, found.tail);
    let records = found.records == owed.records;
    let rest = |found: &Found| {
        let (epochs, vote, commit) = (&found.epochs, &found.vote, found.commit);
        let (manifest, producers) = (&found.manifest, &found.producers);
        format!("{epochs:?} {vote:?} {commit} {manifest:?} {producers:?}")
    };
    let (there, its) = (offsets(found), offsets(owed));
    let (now, then) = (rest(found), rest(owed));
    format!("{there:?} of {its:?}, same records: {records}; {now}, not {then}")
}

/// What is there of a copy that was cut off opens or does not, but shows no other record.
fn invents_nothing(
    disk: &SimulatedDisk,
    original: &Original,
    is_root: bool,
) -> Result<(), Violation> {
    let Ok((logs, ..)) = looked_at(disk, TARGET, is_root) else {
        return Ok(());
    };
    for (path, (found, _)) in &logs {
        let owed = original.logs.get(path);
        let is_theirs =
            |(offset, record)| owed.is_some_and(|owed| owed.records.get(offset) == Some(record));
        if !found.records.iter().all(is_theirs) {
            let what = format!("{path:?} shows {:?}", found.records);
            return Err(Violation::new(Promise::InventsNothing, what));
        }
    }
    Ok(())
}
