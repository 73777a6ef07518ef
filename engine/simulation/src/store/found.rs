//! What a data directory shows when it has started.

use std::collections::BTreeMap;
use std::sync::Arc;

use ondisk::felix::name::{self, StreamKey};
use ondisk::felix::{RunPhase, StreamMarker};
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::store::{
    Family, FileState, FoundShard, NewStorageId, Root, ShardPlace, Store,
};

use super::script::{Script, stream_of};
use super::stream::NOTHING;
use crate::promise::{Promise, Violation};
use crate::shard;

/// A data directory as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What `run-state` said of the run before.
    pub run: Option<RunPhase>,
    /// Why it has another storage id now.
    pub new_id: Option<NewStorageId>,
    /// Its storage id.
    pub id: [u8; 16],
    /// The last registration.
    pub registration: Option<u64>,
    /// The node id.
    pub node: Option<String>,
    /// The streams and caches that scripts know of.
    pub(super) streams: BTreeMap<(Family, StreamKey), Stream>,
}

/// A stream as it was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stream {
    pub(super) marker: StreamMarker,
    /// The shards in their places; with what is in them where that was looked at.
    pub(super) shards: BTreeMap<ShardPlace, Option<shard::Found>>,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            marker: NOTHING,
            shards: BTreeMap::new(),
        }
    }
}

impl Found {
    /// What a start has shown, without a look into shards.
    ///
    /// # Errors
    /// What is there and was not asked for by the script.
    pub fn at_start(
        store: &Store,
        disk: &SimulatedDisk,
        script: &Script,
    ) -> Result<Self, Violation> {
        let started = store.started();
        let root = Root::look(disk.root()).map_err(|error| broken(error.to_string()))?;
        if !started.foreign.is_empty() || !started.damaged_markers.is_empty() {
            let (foreign, damaged) = (&started.foreign, &started.damaged_markers);
            return Err(broken(format!("{foreign:?}, {damaged:?}")));
        }
        let mut found = Self {
            run: value("run-state", &started.run_state)?.map(|run| run.state),
            new_id: started.new_storage_id,
            id: started
                .storage_id
                .ok_or_else(|| broken("no storage id".to_owned()))?,
            registration: started.registration,
            node: value("node-id", &root.identity.node_id)?.map(|file| file.id.clone()),
            streams: BTreeMap::new(),
        };
        for stream in script.streams() {
            found.streams.insert(stream, Stream::default());
        }
        found.take_markers(&root)?;
        found.take_shards(&started.shards, script)?;
        Ok(found)
    }

    /// The same, with all that is in the shards, which are opened.
    ///
    /// # Errors
    /// What is there and was not asked for; a shard that does not open.
    pub fn whole(store: &Store, disk: &SimulatedDisk, script: &Script) -> Result<Self, Violation> {
        let mut found = Self::at_start(store, disk, script)?;
        found.look_into_shards(store)?;
        Ok(found)
    }

    /// Looks into all shards, which are opened.
    ///
    /// # Errors
    /// Those that do not open, or cannot be read.
    pub fn look_into_shards(&mut self, store: &Store) -> Result<(), Violation> {
        for (place, log) in self
            .streams
            .values_mut()
            .flat_map(|stream| &mut stream.shards)
        {
            let refused = |error: StorageError| {
                Violation::new(Promise::Opens, error.to_string()).within(super::op::spelled(place))
            };
            let opened = store.open_shard(place).map_err(refused)?;
            let found = shard::Found::of(&opened).map_err(|error| {
                Violation::new(Promise::KeepsAcknowledged, error.to_string())
                    .within(super::op::spelled(place))
            })?;
            *log = Some(found);
        }
        Ok(())
    }

    /// A stream, which may be one that nobody asked for.
    pub(super) fn stream(&self, stream: &(Family, StreamKey)) -> Stream {
        self.streams.get(stream).cloned().unwrap_or_default()
    }

    /// The shards that are there.
    pub(super) fn places(&self) -> impl Iterator<Item = &ShardPlace> {
        let streams = self.streams.values();
        streams.flat_map(|stream| stream.shards.keys())
    }

    fn take_markers(&mut self, root: &Root) -> Result<(), Violation> {
        for marker in &root.markers {
            let is_its = |family: Family, key: &StreamKey| {
                let below = family.stores()[0].markers();
                marker.path == format!("{below}/{}", key.marker_name())
            };
            let mut streams = self.streams.iter_mut();
            let stream = streams.find(|((family, key), _)| is_its(*family, key));
            match (stream, marker.state.sound()) {
                (Some((_, stream)), Some(says)) => stream.marker = says.clone(),
                _ => return Err(broken(format!("{marker:?}"))),
            }
        }
        Ok(())
    }

    fn take_shards(&mut self, shards: &[FoundShard], script: &Script) -> Result<(), Violation> {
        let places = script.places();
        for shard in shards {
            let is_its = |place: &&ShardPlace| {
                place.store == shard.store && place.directory_name() == shard.name
            };
            let Some(place) = places.iter().find(is_its) else {
                return Err(broken(format!("{} is nobody's", shard.path)));
            };
            if let Some(stream) = self.streams.get_mut(&stream_of(place)) {
                stream.shards.insert(place.clone(), None);
            }
        }
        Ok(())
    }
}

/// The names that wait in the bins of a disk.
pub(super) fn in_bins(disk: &SimulatedDisk) -> Result<Vec<String>, Violation> {
    let root = Root::look(Arc::clone(&disk.root())).map_err(|error| broken(error.to_string()))?;
    Ok(root.bins.into_iter().flat_map(|bin| bin.names).collect())
}

/// Whether records of a store are anybody's bytes.
pub(super) const fn takes_anything(store: name::Store) -> bool {
    matches!(
        store,
        name::Store::Streams | name::Store::Groups | name::Store::DeadLetters
    )
}

fn value<'f, T: std::fmt::Debug>(
    name: &str,
    state: &'f FileState<T>,
) -> Result<Option<&'f T>, Violation> {
    match state {
        FileState::Absent => Ok(None),
        FileState::Sound(value) => Ok(Some(value)),
        _ => Err(broken(format!("{name}: {state:?}"))),
    }
}

pub(super) fn broken(what: String) -> Violation {
    Violation::new(Promise::KeepsTheStore, what)
}
