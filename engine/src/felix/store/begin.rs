//! The start of a data directory (Felix 11.8).

use std::sync::Arc;

use ondisk::felix::name::{MarkerName, ShardDirectory};
use ondisk::felix::{RunPhase, StreamMarker, feature};

use super::adopt::adopt;
use super::config::StoreConfig;
use super::directories::{Directories, sync};
use super::family::Family;
use super::identity::{FileState, Identity};
use super::root::{Marker, Root};
use super::start::{StartCategory, StorageIdAtStart};
use super::started::{Adopted, NewStorageId, ResumedDelete, Started};
use super::{bin, keep};
use crate::disk::{Directory, EntryKind, Irregular};
use crate::felix::error::{SidecarDamage, StorageError};

/// Looks at a data directory that is locked, and writes what a start writes. No shard is opened.
pub(super) fn begin(
    directories: &Directories,
    config: &StoreConfig,
) -> Result<Started, StorageError> {
    let root = &directories.root;
    let found = Root::look(Arc::clone(root))?;
    let category = found.category(config.node_id_is_read);
    let read_only = match category {
        StartCategory::OpenOk => None,
        StartCategory::ReadOnly(_) if config.adopt => None,
        StartCategory::ReadOnly(file) => Some(file),
        StartCategory::Refused(file) => return Err(refused(&found, file)),
        StartCategory::Unreadable(file) => {
            let wanted = EntryKind::File;
            return Err(StorageError::io(root.path().join(file), "open")(
                Irregular { wanted }.into(),
            ));
        }
    };
    let run_state_id_differs = found.run_state_id_differs();
    let mut started = Started {
        storage_id: found.identity.storage_id.sound().map(|file| file.id),
        new_storage_id: None,
        run_state_id_differs,
        registration: found
            .identity
            .registration
            .sound()
            .map(|file| file.incarnation),
        read_only,
        adopted: Vec::new(),
        deletes: Vec::new(),
        damaged_markers: damaged(&found.markers),
        in_bins: 0,
        feature_behind: Vec::new(),
        run_state: FileState::Absent,
        leftovers: Vec::new(),
        shards: Vec::new(),
        foreign: Vec::new(),
    };
    if started.read_only.is_some() {
        started.take(found, config);
        return Ok(started);
    }
    sync_all(directories, &found)?;
    started.adopted = adopt(directories, &found, config)?;
    started.new_storage_id = why_new(&found, config);
    let id = match (started.new_storage_id, started.storage_id) {
        (None, Some(kept)) => kept,
        _ => keep::new_storage_id(&**root)?,
    };
    started.storage_id = Some(id);
    let early = config.log.fsync.acknowledges_early();
    keep::run_state(&**root, RunPhase::Running, early, id)?;
    started.deletes = resume(directories, &found.markers);
    let mut now = found;
    if !started.deletes.is_empty() {
        let after = Root::look(Arc::clone(root))?;
        // The files of identity as they were found, not as they were written just now.
        let identity = std::mem::replace(&mut now, after).identity;
        now.identity = identity;
    }
    started.take(now, config);
    Ok(started)
}

impl Started {
    fn take(&mut self, found: Root, config: &StoreConfig) {
        self.in_bins = found.bins.iter().map(|bin| bin.names.len()).sum();
        self.feature_behind = [feature::STREAM_INCARNATIONS, feature::CACHE_INCARNATIONS]
            .into_iter()
            .filter(|&feature| !config.log.allows(feature))
            .filter(|feature| {
                found.shards.iter().any(|shard| {
                    Family::of(shard.store).feature().name == feature.name
                        && ShardDirectory::parse(&shard.name)
                            .is_some_and(|name| name.incarnation() != 0)
                })
            })
            .map(|feature| feature.name)
            .collect();
        self.run_state = found.identity.run_state;
        self.shards = found.shards;
        self.leftovers = found.leftovers;
        self.foreign = found.foreign;
    }

    /// Says what was decided.
    pub(super) fn tell(&self, root: &dyn Directory) {
        let path = root.path().display();
        if let Some(file) = &self.read_only {
            tracing::warn!(%path, file, "unknown layout: the data directory is read-only unless it is adopted");
        }
        if let Some(damage) = self.run_state.damage() {
            tracing::warn!(%path, %damage, "run-state is damaged");
        }
        if self.run_state_id_differs {
            tracing::warn!(%path, "the last run began with another storage id");
        }
        match self.new_storage_id {
            Some(NewStorageId::Absent) => tracing::info!(%path, "new storage id: there was none"),
            Some(why) => tracing::warn!(%path, %why, "new storage id"),
            None => tracing::info!(%path, "storage id kept"),
        }
        for Adopted { file, kept_as } in &self.adopted {
            tracing::warn!(%path, file, kept_as, "unknown layout: taken over");
        }
        for delete in &self.deletes {
            match &delete.moved {
                Ok(moved) => {
                    tracing::info!(%path, marker = delete.marker, moved, "an unfinished delete was finished");
                }
                Err(error) => {
                    tracing::warn!(%path, marker = delete.marker, error, "a delete stays unfinished");
                }
            }
        }
        for marker in &self.damaged_markers {
            tracing::warn!(%path, marker, "the marker does not decode, its stream does not open");
        }
        for feature in &self.feature_behind {
            tracing::warn!(%path, feature, "feature_behind: its level lies below what is on disk");
        }
        for foreign in &self.foreign {
            tracing::warn!(%path, name = %foreign.name.display(), why = ?foreign.why, "not ours, left alone");
        }
    }
}

/// Why there must be a new storage id; none when the old one is kept.
fn why_new(found: &Root, config: &StoreConfig) -> Option<NewStorageId> {
    let Identity {
        storage_id,
        run_state,
        registration,
        ..
    } = &found.identity;
    match storage_id {
        FileState::Sound(_) => {}
        FileState::Absent => return Some(NewStorageId::Absent),
        _ => return Some(NewStorageId::Adopted),
    }
    if found.storage_id_at_start() == StorageIdAtStart::New {
        return Some(match run_state {
            FileState::Sound(_) => NewStorageId::CutOff,
            _ => NewStorageId::RunStateDamaged,
        });
    }
    let registered = registration.sound().map_or(0, |file| file.incarnation);
    config
        .control_plane_incarnation
        .filter(|&says| says > registered)
        .map(|says| NewStorageId::ControlPlaneAhead { registered, says })
}

/// Makes durable that the directories are there: whoever created one may not have come to that (Felix 1.5).
fn sync_all(directories: &Directories, found: &Root) -> Result<(), StorageError> {
    sync(&*directories.root)?;
    let is_foreign = |path: &str| found.foreign.iter().any(|foreign| foreign.name == *path);
    for family in Family::ALL {
        let stores = family.stores().iter().filter_map(|store| store.directory());
        for path in stores.chain([family.markers(), family.bin()]) {
            let through_foreign = path.split('/').next().is_some_and(is_foreign);
            if through_foreign || is_foreign(path) {
                continue;
            }
            if let Some(directory) = directories.find(path)? {
                sync(&*directory)?;
            }
        }
    }
    Ok(())
}

/// Finishes what deletes are unfinished. One that fails hinders no start.
fn resume(directories: &Directories, markers: &[Marker]) -> Vec<ResumedDelete> {
    let unfinished = |found: &Marker| -> Option<(Family, StreamMarker)> {
        let marker = found.state.sound().filter(|marker| marker.deleting)?;
        Some((named(found)?.0, marker.clone()))
    };
    markers
        .iter()
        .filter_map(|found| Some((found, unfinished(found)?, named(found)?.1)))
        .map(|(found, (family, marker), name)| ResumedDelete {
            marker: found.path.clone(),
            moved: bin::finish(directories, family, name, &marker)
                .map(|(_, moved)| moved)
                .map_err(|error| error.to_string()),
        })
        .collect()
}

/// The family and the name of a marker.
fn named(marker: &Marker) -> Option<(Family, MarkerName<'_>)> {
    let family = Family::ALL.into_iter().find(|family| {
        let below = marker.path.strip_suffix(&marker.name);
        below.and_then(|path| path.strip_suffix('/')) == Some(family.markers())
    })?;
    Some((family, MarkerName::parse(&marker.name)?))
}

fn damaged(markers: &[Marker]) -> Vec<String> {
    markers
        .iter()
        .filter(|marker| matches!(marker.state, FileState::Damaged(_) | FileState::Unreadable))
        .map(|marker| marker.path.clone())
        .collect()
}

/// The error for a file of identity that does not decode.
fn refused(found: &Root, file: &'static str) -> StorageError {
    let identity = &found.identity;
    let damage = [
        ("storage-id", identity.storage_id.damage()),
        ("run-state", identity.run_state.damage()),
        ("registration", identity.registration.damage()),
        ("node-id", identity.node_id.damage()),
    ]
    .into_iter()
    .find_map(|(name, damage)| damage.filter(|_| name == file));
    StorageError::Sidecar {
        file,
        shard: found.path().display().to_string(),
        damage: damage.unwrap_or(SidecarDamage::Field { name: file }),
    }
}
