//! What is copied.

use std::sync::Arc;

use ondisk::felix::feature;
use ondisk::felix::name::{Store as Stores, StreamKey};
use ondisk_engine::disk::simulated::SimulatedDisk;
use ondisk_engine::disk::{self, Directory};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log};
use ondisk_engine::felix::store::{Root, Store, StoreConfig};

use super::{Copying, Original, SOURCE, directory, unprepared};
use crate::promise::Violation;
use crate::repair::contents;
use crate::shard::{self, Found};

pub(super) const ALL: [Copying; 5] = [
    Copying {
        name: "copy of a shard",
        is_root: false,
        original: |directory| said(whole_log(directory)),
    },
    Copying {
        name: "copy of an empty shard",
        is_root: false,
        original: |directory| said(opened(directory).and_then(|log| log.close())),
    },
    Copying {
        name: "copy of a shard with a record that was not finished",
        is_root: false,
        original: |directory| {
            said(whole_log(directory))?;
            let torn = || {
                let newest = directory.edit("00000000000000000002.log")?;
                let end = newest.stat()?.len;
                disk::write_all_at(&*newest, &[0, 0, 0, 40, 1, 2, 3], end)
            };
            torn().map_err(|error| error.to_string())
        },
    },
    Copying {
        name: "copy of a shard without a mark",
        is_root: false,
        original: |directory| {
            said(whole_log(directory))?;
            let unlinked = directory.unlink("durable.mark");
            unlinked.map_err(|error| error.to_string())
        },
    },
    Copying {
        name: "copy of a data directory",
        is_root: true,
        original: |directory| said(whole_store(directory)),
    },
];

fn said(done: Result<(), StorageError>) -> Result<(), String> {
    done.map_err(|error| error.to_string())
}

fn config() -> Config {
    let mut config = Config {
        fsync: FsyncMode::OnCommit,
        ..shard::Settings::default().config()
    };
    for feature in [feature::STREAM_INCARNATIONS, feature::CACHE_INCARNATIONS] {
        config = config.with_feature(feature.name, feature.level);
    }
    config
}

fn opened(directory: &Arc<dyn Directory>) -> Result<Log, StorageError> {
    Log::open_in(Arc::clone(directory), config(), &shard::environment().0)
}

/// Three segments, a history, a vote, a commit and a producer.
fn whole_log(directory: &Arc<dyn Directory>) -> Result<(), StorageError> {
    let log = opened(directory)?;
    log.accept(3, Some("a"))?;
    append(&log, 4)?;
    log.roll()?;
    log.record_epoch(3, log.tail())?;
    append(&log, 4)?;
    log.roll()?;
    append(&log, 2)?;
    log.advance_commit(5)?;
    log.close()
}

fn append(log: &Log, records: u64) -> Result<(), StorageError> {
    for _ in 0..records {
        let payload = format!("record {:<30}", log.tail());
        let commit = log.append(&[Entry::new(payload.as_bytes()).at(1)])?;
        commit.wait().map_err(|_| StorageError::SyncFailed)?;
    }
    Ok(())
}

/// Streams with and without incarnations, a group, a cache, and one that is deleted.
fn whole_store(directory: &Arc<dyn Directory>) -> Result<(), StorageError> {
    let environment = shard::environment().0;
    let background = environment.background.clone();
    let store_config = StoreConfig {
        log: config(),
        environment,
        ..StoreConfig::default()
    };
    let store = Store::open_in(Arc::clone(directory), store_config)?;
    let key = |name: &str| StreamKey::new("acme", "default", name);
    append(&store.shard(&key("events").shard(0))?, 2)?;
    for place in [Stores::Streams, Stores::Groups] {
        let log = store.open_incarnation(place, &key("orders").shard(1), 5)?;
        append(&log, 2)?;
    }
    store.shard_in(Stores::Caches, &key("sessions").shard(0))?;
    store.shard(&key("gone").shard(0))?;
    store.delete_stream(&key("gone"), 0)?;
    background.run_ready();
    store.register(3)?;
    store.node_id()?;
    store.shutdown()
}

impl Original {
    /// That on a disk.
    pub(super) fn of(disk: &SimulatedDisk, is_root: bool) -> Result<Self, Violation> {
        let source = directory(disk, SOURCE).map_err(|error| unprepared(&error))?;
        let files = contents(&source).map_err(|error| unprepared(&error))?;
        // Opening it may change it.
        let twin = disk.copy();
        let (logs, markers, id) =
            looked_at(&twin, SOURCE, is_root).map_err(|error| unprepared(&error))?;
        Ok(Self {
            files,
            logs: logs
                .into_iter()
                .map(|(path, (found, _))| (path, found))
                .collect(),
            markers,
            id,
        })
    }
}

/// Logs by path, each with whether its open had nothing to report; markers; the storage id.
pub(super) type Looked = (
    std::collections::BTreeMap<String, (Found, bool)>,
    Vec<ondisk_engine::felix::store::Marker>,
    Option<[u8; 16]>,
);

/// Opens every log of a shard or a data directory.
pub(super) fn looked_at(
    disk: &SimulatedDisk,
    name: &str,
    is_root: bool,
) -> Result<Looked, StorageError> {
    let io = |source| StorageError::Io {
        source,
        path: name.into(),
        operation: "open",
    };
    let directory = directory(disk, name).map_err(io)?;
    let found = |directory: &Arc<dyn Directory>| -> Result<(Found, bool), StorageError> {
        let log = opened(directory)?;
        let is_sound = log.recovered().reports.is_empty();
        let found = Found {
            durable: 0,
            ..Found::of(&log)?
        };
        Ok((found, is_sound))
    };
    if !is_root {
        let logs = [(String::new(), found(&directory)?)].into();
        return Ok((logs, Vec::new(), None));
    }
    let root = Root::look(directory)?;
    let mut logs = std::collections::BTreeMap::new();
    for shard in &root.shards {
        logs.insert(shard.path.clone(), found(&root.open_shard(shard)?)?);
    }
    let id = root.identity.storage_id.sound().map(|file| file.id);
    Ok((logs, root.markers, id))
}
