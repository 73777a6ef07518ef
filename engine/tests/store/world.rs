//! What the tests share.

use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::name::{ShardKey, StreamKey};
use ondisk::felix::{Registration, RunPhase, RunState, StorageId, StreamMarker, feature};
use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::{self, Directory, EntryKind};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, Environment, FsyncMode, Log};
use ondisk_engine::felix::store::{Root, Store, StoreConfig};

pub const ID: [u8; 16] = [7; 16];

/// A clock that stands still, and no thread.
pub fn environment() -> Environment {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(1_000_000));
    Environment {
        background: Background::manual(Arc::clone(&clock)),
        clock,
        ..Environment::default()
    }
}

/// Every feature is finalized, nothing is acknowledged early.
pub fn config() -> StoreConfig {
    let mut log = Config {
        fsync: FsyncMode::OnCommit,
        preallocate: false,
        ..Config::default()
    };
    for feature in [
        feature::GENERATION_START,
        feature::STREAM_INCARNATIONS,
        feature::CACHE_INCARNATIONS,
    ] {
        log = log.with_feature(feature.name, feature.level);
    }
    StoreConfig {
        log,
        environment: environment(),
        ..StoreConfig::default()
    }
}

/// The same, acknowledging ahead of the flush.
pub fn early() -> StoreConfig {
    let mut config = config();
    config.log.fsync = FsyncMode::None;
    config
}

pub fn memory() -> Arc<MemoryDirectory> {
    Arc::new(MemoryDirectory::new("root"))
}

pub fn open(root: &Arc<MemoryDirectory>, config: StoreConfig) -> Store {
    Store::open_in(Arc::clone(root) as Arc<dyn Directory>, config).expect("the store opens")
}

pub fn orders() -> StreamKey {
    StreamKey::new("acme", "default", "orders")
}

pub fn order(shard: u32) -> ShardKey {
    orders().shard(shard)
}

pub fn append(log: &Log, payload: &[u8]) {
    log.append(&[Entry::new(payload)])
        .expect("an append")
        .wait()
        .expect("a flush");
}

pub fn payloads(log: &Log) -> Vec<Vec<u8>> {
    let mut records = log.read(log.base(), Bound::Tail).expect("a read");
    let mut payloads = Vec::new();
    while let Some(record) = records.next().expect("a record") {
        payloads.push(record.payload().to_vec());
    }
    payloads
}

pub fn storage_id(id: [u8; 16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    StorageId { id }
        .encode(StorageId::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("an id");
    bytes
}

pub fn run_state(state: RunPhase, flags: u8, id: [u8; 16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    RunState { state, flags, id }
        .encode(RunState::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("a run state");
    bytes
}

pub fn registration(incarnation: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    Registration { incarnation }
        .encode(
            Registration::write_version(&FeatureLevels::NONE),
            &mut bytes,
        )
        .expect("a registration");
    bytes
}

pub fn marker_bytes(marker: &StreamMarker) -> Vec<u8> {
    let mut bytes = Vec::new();
    marker
        .encode(
            StreamMarker::write_version(&FeatureLevels::NONE),
            &mut bytes,
        )
        .expect("a marker");
    bytes
}

/// The marker of a stream as it lies on the disk.
pub fn marker(root: &Arc<dyn Directory>, key: &StreamKey) -> Option<StreamMarker> {
    let markers = root.directory(".streams").ok()?;
    let bytes = bytes(&*markers, &key.marker_name())?;
    Some(StreamMarker::view(&bytes).expect("a marker").to_value())
}

/// What `run-state` says.
pub fn run(root: &dyn Directory) -> RunState {
    let bytes = bytes(root, "run-state").expect("a run state");
    RunState::view(&bytes).expect("a run state").to_value()
}

pub fn bytes(directory: &dyn Directory, name: &str) -> Option<Vec<u8>> {
    let file = directory.file(name).ok()?;
    let len = file.stat().expect("its length").len;
    let mut bytes = vec![0; usize::try_from(len).expect("a small file")];
    disk::read_exact_at(&*file, &mut bytes, 0).expect("its bytes");
    Some(bytes)
}

/// All paths below a directory, those of directories with a slash, sorted.
pub fn tree(directory: &Arc<dyn Directory>) -> Vec<String> {
    let mut paths = Vec::new();
    walk(directory, "", &mut paths);
    paths.sort();
    paths
}

fn walk(directory: &Arc<dyn Directory>, below: &str, paths: &mut Vec<String>) {
    for entry in directory.entries().expect("it lists") {
        let name = entry.name.to_str().expect("UTF-8");
        if entry.kind == EntryKind::Directory {
            paths.push(format!("{below}{name}/"));
            let inner = directory.directory(name).expect("it opens");
            walk(&inner, &format!("{below}{name}/"), paths);
        } else {
            paths.push(format!("{below}{name}"));
        }
    }
}

/// The paths of the shards that are in their places.
pub fn shard_paths(root: &Arc<dyn Directory>) -> Vec<String> {
    let root = Root::look(Arc::clone(root)).expect("it lists");
    root.shards.into_iter().map(|shard| shard.path).collect()
}

/// The names in both bins.
pub fn in_bins(root: &Arc<dyn Directory>) -> Vec<String> {
    let root = Root::look(Arc::clone(root)).expect("it lists");
    root.bins.into_iter().flat_map(|bin| bin.names).collect()
}

pub fn is_not_found<T>(result: Result<T, StorageError>) -> bool {
    matches!(result, Err(StorageError::NotFound { .. }))
}

pub fn is_unsupported<T>(result: Result<T, StorageError>) -> bool {
    matches!(result, Err(StorageError::Unsupported { .. }))
}

pub fn is_closed<T>(result: Result<T, StorageError>) -> bool {
    matches!(result, Err(StorageError::Closed { .. }))
}
