//! What a repair comes to that nothing cuts short.

use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::recovery::Report;
use ondisk_engine::felix::store::Root;

use super::{act, contents, directory, open};
use crate::promise::{Promise, Violation};
use crate::shard;

/// The end of a repair.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// The log.
    pub(super) log: shard::Found,
    /// Records that were acknowledged may be lost.
    pub(super) lost: bool,
    /// The storage id that the directory had.
    pub(super) id: Option<[u8; 16]>,
    /// What was cut off, each piece for itself, and what side files held before.
    pub(super) kept: Vec<Vec<u8>>,
    /// An open keeps that as well: all but the end of a record that was not finished.
    pub(super) is_kept_by_opens: bool,
}

impl End {
    /// That of the repair of a shard, which `report` tells of.
    pub(super) fn of(
        damaged: &SimulatedDisk,
        opts_in: bool,
        report: &str,
    ) -> Result<Self, Violation> {
        let disk = damaged.copy();
        let opening = act::look(&disk, opts_in).map_err(unsound)?;
        if !opening
            .reports()
            .iter()
            .map(Report::name)
            .any(|name| name == report)
        {
            return Err(unsound(format!("{:?}, not {report}", opening.reports())));
        }
        let id = storage_id(&disk)?;
        act::repair(&disk, opts_in).map_err(unsound)?;
        let there = directory(&disk).and_then(|shard| contents(&shard));
        let kept = there.map_err(unsound)?.into_iter();
        let log = open(&disk, opts_in).map_err(unsound)?;
        let reports = &log.recovered().reports;
        if !reports.is_empty() {
            return Err(unsound(format!("after the repair: {reports:?}")));
        }
        Ok(Self {
            log: shard::Found::of(&log).map_err(unsound)?,
            lost: act::may_have_lost_acknowledged(&opening),
            id,
            is_kept_by_opens: report != "torn_tail",
            kept: kept
                .filter(|(name, _)| name.contains(".cut-"))
                .map(|(_, bytes)| bytes)
                .collect(),
        })
    }
}

/// The storage id of a data directory.
pub(super) fn storage_id(disk: &SimulatedDisk) -> Result<Option<[u8; 16]>, Violation> {
    let root = Root::look(disk.root()).map_err(unsound)?;
    Ok(root.identity.storage_id.sound().map(|file| file.id))
}

fn unsound(what: impl std::fmt::Display) -> Violation {
    Violation::new(Promise::GoesOn, format!("a repair: {what}"))
}
