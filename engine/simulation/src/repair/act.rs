//! A repair in the order of `ondisk repair`: what a cluster must know first, then the plan with everything saved that it
//! cuts, and the mark that tells of the loss last.

use std::fmt::Display;

use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::opening::{LogKind, Opening, Sidecars};
use ondisk_engine::felix::recovery::{
    Report, Scans, Settings, apply, give_up, lower_mark, settle_given_up,
};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::store::new_storage_id;
use ondisk_engine::felix::{error::StorageError, opening};

use super::directory;

/// What an open would make of the shard, everything verified.
pub(super) fn look(disk: &SimulatedDisk, opts_in: bool) -> Result<Opening, StorageError> {
    seen(disk, opts_in, |_, opening| opening)
}

fn seen<R>(
    disk: &SimulatedDisk,
    opts_in: bool,
    then: impl FnOnce(&Shard, Opening) -> R,
) -> Result<R, StorageError> {
    let directory = directory(disk).map_err(|source| StorageError::Io {
        source,
        path: "disk".into(),
        operation: "open",
    })?;
    let shard = Shard::look(directory, None)?;
    let scans = Scans::new(&shard, Access::default());
    let sidecars = Sidecars::load(&shard)?;
    let settings = Settings {
        repair_checksum_tail: opts_in,
        verify_all_on_open: true,
        ..Settings::default()
    };
    let opening = opening::open(&scans, &sidecars, LogKind::Stream, &settings)?;
    Ok(then(&shard, opening))
}

/// Whether records that were acknowledged may be lost.
pub(super) fn may_have_lost_acknowledged(opening: &Opening) -> bool {
    let mut reports = opening.reports().iter();
    reports.any(Report::may_have_lost_acknowledged)
}

/// Repairs the shard; nothing is done to a sound one.
pub(super) fn repair(disk: &SimulatedDisk, opts_in: bool) -> Result<(), String> {
    fn said(error: impl Display) -> String {
        error.to_string()
    }
    let directory = directory(disk).map_err(said)?;
    let _lock = directory.lock().map_err(said)?;
    let (opening, plan) = seen(disk, opts_in, |shard, opening| {
        let plan = opening
            .plan
            .as_ref()
            .map(|plan| plan.saving_everything(shard));
        (opening, plan)
    })
    .map_err(said)?;
    if let Some(refusal) = &opening.refusal {
        return Err(format!("refused: {refusal}"));
    }
    let (false, Some(plan)) = (opening.is_sound(), plan) else {
        return Ok(());
    };
    if may_have_lost_acknowledged(&opening) {
        new_storage_id(&*disk.root()).map_err(said)?;
        match plan.generation_to_give_up(opening.state.accepted.as_ref()) {
            Some(generation) => give_up(&*directory, generation),
            None => settle_given_up(&*directory),
        }
        .map_err(said)?;
    }
    apply(&plan, &directory, 1, None, &mut |_| Ok(())).map_err(said)?;
    if let Some(mark) = plan.mark_to_lower() {
        lower_mark(&*directory, mark).map_err(said)?;
    }
    Ok(())
}
