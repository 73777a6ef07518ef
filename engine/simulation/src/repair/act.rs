//! A repair in the order of `ondisk repair`: what a cluster must know first, then the plan with everything saved that it
//! cuts, and the mark that tells of the loss last.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Ballot, DurableMark};
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::opening::{LogKind, Opening, Sidecars};
use ondisk_engine::felix::recovery::{Plan, Report, Scans, Settings, Step, apply};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::ballot;
use ondisk_engine::felix::sidecar::mark::MarkFile;
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
        let plan = opening.plan.as_ref().map(|plan| saving(plan, shard));
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
        match to_give_up(&opening) {
            Some(generation) => {
                let nobody = Ballot {
                    generation,
                    leader: String::new(),
                };
                ballot::store(&*directory, &nobody).map_err(said)?;
            }
            // An attempt whose sync failed may have left it in the cache alone.
            None => directory.sync().map_err(said)?,
        }
    }
    apply(&plan, &directory, 1, None, &mut |_| Ok(())).map_err(said)?;
    if let Some(mark) = to_lower(&plan) {
        let file = MarkFile::open(&*directory);
        file.write(mark.segment, mark.synced_bytes).map_err(said)?;
        file.sync().map_err(said)?;
    }
    Ok(())
}

fn to_give_up(opening: &Opening) -> Option<u64> {
    let accepted = opening.state.accepted.as_ref()?;
    (accepted.generation != 0 && !accepted.given_up).then_some(accepted.generation)
}

fn to_lower(plan: &Plan) -> Option<DurableMark> {
    let mark = plan.mark.0?;
    let newest = plan.log.as_ref()?.segments.last()?;
    let there = (newest.id, newest.valid_bytes);
    ((mark.segment, mark.synced_bytes) > there).then_some(DurableMark {
        segment: there.0,
        synced_bytes: there.1,
    })
}

/// The plan with a step that saves before each cut which has none.
fn saving(plan: &Plan, shard: &Shard) -> Plan {
    let mut lengths: BTreeMap<SegmentFile, u64> = plan.listed.iter().copied().collect();
    let saves = |step: &Step| match *step {
        Step::Save { to, .. } | Step::Rename { to, .. } => Some(to),
        _ => None,
    };
    let mut taken: BTreeSet<SegmentFile> = plan.steps.iter().filter_map(saves).collect();
    let mut steps: Vec<Step> = Vec::new();
    for step in &plan.steps {
        if let Step::Cut { segment, position } = *step {
            let length = lengths.insert(SegmentFile::Log { id: segment }, position);
            let bytes = length.unwrap_or(position).saturating_sub(position);
            let is_saved = steps.iter().any(|step| {
                matches!(step, Step::Save { segment: id, from, .. } if (*id, *from) == (segment, position))
            });
            if bytes > 0 && !is_saved {
                let mut names = (position..).map(|number| SegmentFile::Cut {
                    id: segment,
                    number,
                });
                let free = names.find(|&name| !shard.has(name) && taken.insert(name));
                steps.extend(free.map(|to| Step::Save {
                    segment,
                    from: position,
                    bytes,
                    to,
                }));
            }
        }
        steps.push(step.clone());
    }
    Plan {
        steps,
        ..plan.clone()
    }
}
