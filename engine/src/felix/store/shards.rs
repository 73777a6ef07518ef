//! Opening shards, in the incarnation that is held (Felix 2.4, 11.10).

use std::fmt::Display;

use ondisk::felix::StreamMarker;
use ondisk::felix::name::{self, MarkerName, StreamKey};

use super::directories::{create, entered};
use super::family::Family;
use super::layout::log_kind;
use super::place::ShardPlace;
use super::shared::Shared;
use super::streams::{Held, end, is_closed};
use super::{bin, leftovers, marker};
use crate::felix::error::StorageError;
use crate::felix::log::{Config, Log, ReadOnlyLog};

impl Shared {
    /// Opens a shard and creates it if need be; the log that is open already, if one is.
    pub(super) fn open_shard(
        &self,
        place: &ShardPlace,
        config: Config,
    ) -> Result<Log, StorageError> {
        let _running = self.writable()?;
        if config.fsync.acknowledges_early() && !self.config.fsync.acknowledges_early() {
            // What the run state says holds for every shard.
            return Err(StorageError::InvalidConfig { setting: "fsync" });
        }
        let family = Family::of(place.store);
        let key = place.key.stream_key();
        let name = key.marker_name();
        let stream = self.streams.stream(family, &name);
        loop {
            let held = stream.read();
            if held.holds(&key, place.incarnation)? {
                return self.open_held(&held, place, config);
            }
            drop(held);
            self.hold(&mut stream.write(), family, &key, place.incarnation)?;
        }
    }

    /// Opens a shard of the incarnation that is held.
    fn open_held(
        &self,
        held: &Held,
        place: &ShardPlace,
        mut config: Config,
    ) -> Result<Log, StorageError> {
        let name = place.directory_name();
        let slot = held.slot(place.store, name.clone());
        let mut slot = slot.lock();
        if let Some(log) = &*slot {
            if !is_closed(log) {
                return Ok(log.clone());
            }
            // The one that closed it was told of it; here it only counts.
            let _ = self.note(end(log));
        }
        let store = self
            .directories
            .make(place.store.directory().unwrap_or_default())?;
        if matches!(place.store, name::Store::Caches | name::Store::Counters) {
            leftovers::clear(&store, &name)?;
        }
        let directory = match entered(&store, &name)? {
            Some(directory) => directory,
            None => create(&*store, &name)?,
        };
        config.key = Some(place.key.clone());
        config.kind = log_kind(place.store);
        let log = Log::open_in(directory, config, &self.environment)?;
        *slot = Some(log.clone());
        Ok(log)
    }

    /// Opens a shard for reading alone. Nothing is created, recovered or locked.
    pub(super) fn look_at(
        &self,
        place: &ShardPlace,
        mut config: Config,
    ) -> Result<ReadOnlyLog, StorageError> {
        let _running = self.running()?;
        let store = self
            .directories
            .find(place.store.directory().unwrap_or_default())?;
        let directory = match &store {
            Some(store) => entered(store, &place.directory_name())?,
            None => None,
        };
        let directory = directory.ok_or_else(|| StorageError::NotFound {
            what: format!("shard {place}"),
        })?;
        config.key = Some(place.key.clone());
        config.kind = log_kind(place.store);
        ReadOnlyLog::open_in(directory, &config, &self.environment)
    }

    /// Makes `incarnation` the one that is held, if it may be.
    fn hold(
        &self,
        held: &mut Held,
        family: Family,
        key: &StreamKey,
        incarnation: u64,
    ) -> Result<(), StorageError> {
        let name = key.marker_name();
        let owner = parsed(&name, key)?;
        self.load(held, family, owner, key)?;
        if held.holds(key, incarnation)? {
            return Ok(());
        }
        let before = held.marker.clone().unwrap_or(marker::NOTHING);
        if !self.config.allows(family.feature()) {
            let what = "an incarnation before its feature is finalized";
            return Err(StorageError::Unsupported { what });
        }
        held.close_logs(|older| older < incarnation);
        // Until the new one is on the disk it is not known what is.
        held.forget_marker();
        let moved = bin::throw_away(&self.directories, family, owner, |older| {
            older < incarnation
        })?;
        let now = StreamMarker {
            incarnation: Some(incarnation),
            ..before
        };
        marker::save(&self.directories, family, owner, &now)?;
        held.keep_marker(now);
        tracing::info!(stream = %key, incarnation, moved, "another incarnation is held");
        if moved > 0 {
            self.remover.wake();
        }
        Ok(())
    }

    /// Deletes a stream or cache up to an incarnation (Felix 11.11). Returns how many directories went to the bin.
    pub(super) fn delete(
        &self,
        family: Family,
        key: &StreamKey,
        through: u64,
    ) -> Result<usize, StorageError> {
        let _running = self.writable()?;
        let name = key.marker_name();
        let owner = parsed(&name, key)?;
        let stream = self.streams.stream(family, &name);
        let mut held = stream.write();
        self.load(&mut held, family, owner, key)?;
        let before = held.marker.clone().unwrap_or(marker::NOTHING);
        if before.deleted_through.is_some_and(|gone| gone >= through) {
            return Ok(0);
        }
        let unfinished = StreamMarker {
            // An old stream needed no marker until now.
            incarnation: match before {
                marker::NOTHING => Some(0),
                _ => before.incarnation,
            },
            deleting: true,
            deleted_through: Some(through),
        };
        held.forget_marker();
        marker::save(&self.directories, family, owner, &unfinished)?;
        held.keep_marker(unfinished);
        self.finish(&mut held, family, owner, key)
    }

    /// Reads the marker unless it is known, and finishes the delete that it may tell of.
    fn load(
        &self,
        held: &mut Held,
        family: Family,
        owner: MarkerName<'_>,
        label: &dyn Display,
    ) -> Result<(), StorageError> {
        if held.marker.is_none() {
            let loaded = marker::load(&self.directories, family, owner.as_str(), label)?;
            // What is not there was never synced either.
            if held.is_in_doubt && loaded != marker::NOTHING {
                marker::save(&self.directories, family, owner, &loaded)?;
            }
            held.keep_marker(loaded);
        }
        if held.marker.as_ref().is_some_and(|marker| marker.deleting) {
            self.finish(held, family, owner, label)?;
        }
        Ok(())
    }

    /// Finishes the delete that the marker tells of.
    fn finish(
        &self,
        held: &mut Held,
        family: Family,
        owner: MarkerName<'_>,
        label: &dyn Display,
    ) -> Result<usize, StorageError> {
        let Some(unfinished) = held.marker.take() else {
            return Ok(0);
        };
        held.is_in_doubt = true;
        let through = unfinished.deleted_through;
        held.close_logs(|incarnation| through.is_some_and(|through| incarnation <= through));
        let (finished, moved) = bin::finish(&self.directories, family, owner, &unfinished)?;
        held.keep_marker(finished);
        tracing::info!(stream = %label, through, moved, "deleted");
        if moved > 0 {
            self.remover.wake();
        }
        Ok(moved)
    }
}

impl Held {
    /// Whether `incarnation` is the one that is held; an error when it can be that no more.
    fn holds(&self, key: &StreamKey, incarnation: u64) -> Result<bool, StorageError> {
        let Some(marker) = self.marker.as_ref().filter(|marker| !marker.deleting) else {
            return Ok(false);
        };
        let gone = |why: String| StorageError::NotFound {
            what: format!("incarnation {incarnation} of {key} ({why})"),
        };
        match (marker.deleted_through, marker.incarnation) {
            (Some(through), None) if incarnation <= through => {
                Err(gone(format!("deleted through {through}, none is held")))
            }
            (Some(through), Some(held)) if incarnation <= through => {
                Err(gone(format!("deleted through {through}, {held} is held")))
            }
            (_, Some(held)) if incarnation < held => Err(gone(format!("{held} is held"))),
            (_, Some(held)) => Ok(incarnation == held),
            // An old stream needs no marker.
            (_, None) => Ok(incarnation == 0),
        }
    }
}

/// The name of a key's marker always is one.
fn parsed<'a>(name: &'a str, key: &StreamKey) -> Result<MarkerName<'a>, StorageError> {
    MarkerName::parse(name).ok_or_else(|| StorageError::NotFound {
        what: format!("a marker name for {key}"),
    })
}
