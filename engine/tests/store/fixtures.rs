//! The fixtures that are whole data directories, opened for writing.

use std::fs;
use std::path::{Path, PathBuf};

use ondisk::felix::name::{self, ShardKey, StreamKey};
use ondisk_engine::felix::store::{ShardPlace, Store, StoreConfig};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::world::*;

fn fixture(name: &str) -> (TempDir, PathBuf, Value) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../golden/fixtures/felix")
        .join(name);
    let text = fs::read_to_string(from.join("expected.json")).expect("an expectation");
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("root");
    copy(&from.join("root"), &path);
    (place, path, serde_json::from_str(&text).expect("JSON"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// Opens a copy, and compares what the start says with what is expected of it.
fn started(path: &Path, expected: &Value, config: StoreConfig) -> Store {
    let store = Store::open(path, config).expect("it opens");
    let started = store.started();
    let identity = &expected["identity"];
    let kept = match started.new_storage_id {
        None => "kept",
        Some(_) => "new",
    };
    assert_eq!(json!(kept), identity["storage_id_at_start"]);
    let id = started.storage_id.expect("an id");
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(json!(id), identity["storage-id"]["value"]["id"]);
    assert_eq!(
        json!(started.run_state_id_differs),
        identity["run_state_id_differs"]
    );
    assert_eq!(
        json!(started.registration),
        identity["registration"]["value"]["incarnation"]
    );
    let foreign: Value = started
        .foreign
        .iter()
        .map(|foreign| json!(foreign.name.to_string_lossy()))
        .collect();
    assert_eq!(foreign, expected["foreign"]);
    let mut shards: Vec<_> = started
        .shards
        .iter()
        .map(|shard| shard.path.as_str())
        .collect();
    shards.sort_unstable();
    let wanted = expected["shards"].as_object().expect("the shards");
    let mut wanted: Vec<_> = wanted.keys().map(String::as_str).collect();
    wanted.sort_unstable();
    assert_eq!(shards, wanted);
    let in_bins: usize = expected["deleted"]
        .as_object()
        .expect("the bins")
        .values()
        .filter_map(Value::as_array)
        .map(Vec::len)
        .sum();
    assert_eq!(started.in_bins, in_bins);
    store
}

/// Where a shard of the fixture lies.
fn place(path: &str, key: &Value) -> ShardPlace {
    let store = path
        .split_once('/')
        .and_then(|(store, _)| name::Store::parse(store))
        .unwrap_or(name::Store::Streams);
    let text = |name: &str| key[name].as_str().expect("a component");
    let number = key["shard"]
        .as_u64()
        .and_then(|shard| shard.try_into().ok());
    let key_of = ShardKey::new(
        text("tenant"),
        text("namespace"),
        text("stream"),
        number.expect("a number"),
    );
    let incarnation = key["incarnation"].as_u64().expect("an incarnation");
    ShardPlace::new(store, key_of).of_incarnation(incarnation)
}

#[test]
fn a_whole_data_directory() {
    let (_guard, path, expected) = fixture("clean/data-root");
    let config = config();
    let background = config.environment.background.clone();
    let store = started(&path, &expected, config);
    assert_eq!(
        json!(store.node_id().expect("an id")),
        expected["identity"]["node-id"]["value"]["node_id"]
    );
    for (path, shard) in expected["shards"].as_object().expect("the shards") {
        let place = place(path, &shard["key"]);
        let log = store.open_shard(&place).expect("it opens");
        assert!(log.recovered().reports.is_empty(), "{path}");
        let found = json!([log.base(), log.tail()]);
        assert_eq!(
            found,
            json!([shard["open"]["base"], shard["open"]["tail"]]),
            "{path}"
        );
        assert_eq!(json!(payloads(&log).len()), shard["open"]["records"]);
    }
    assert_eq!(store.shards().expect("a list"), store.started().shards);
    // What the markers say is gone stays gone.
    let gone = StreamKey::new("acme", "default", "gone").shard(0);
    let through = 1_760_430_000_122_956;
    for incarnation in [0, through - 1, through] {
        let open = store.open_incarnation(name::Store::Streams, &gone, incarnation);
        assert!(is_not_found(open));
    }
    let older = StreamKey::new("acme", "default", "audit log/é").shard(0);
    let open = store.open_incarnation(name::Store::Streams, &older, 1_760_430_000_123_455);
    assert!(is_not_found(open));
    background.run_ready();
    for bin in [".deleted", "caches/.deleted"] {
        assert_eq!(fs::read_dir(path.join(bin)).expect("a bin").count(), 0);
    }
    store.shutdown().expect("a clean end");
}

#[test]
fn the_delete_of_a_stream_whose_name_is_lossy() {
    let (_guard, path, expected) = fixture("clean/data-root");
    let store = started(&path, &expected, config());
    let key = StreamKey::new("acme", "default", "audit log/é");
    assert_eq!(
        store
            .delete_stream(&key, 1_760_430_000_123_456)
            .expect("a delete"),
        2
    );
    let left = store.shards().expect("a list");
    assert_eq!(left.len(), store.started().shards.len() - 2);
}

#[test]
fn a_data_directory_with_strays() {
    let (_guard, path, expected) = fixture("damaged/root-strays");
    let store = started(&path, &expected, config());
    for shard in [0, u32::MAX] {
        let log = store.shard(&order(shard)).expect("it opens");
        let wanted = &expected["shards"][&order(shard).directory_name(0)];
        assert_eq!(json!(log.tail()), wanted["tail"]);
    }
    store.delete_stream(&orders(), 0).expect("a delete");
    store.shutdown().expect("a clean end");
    // Strays are not shards of any stream.
    for name in expected["foreign"].as_array().expect("the strays") {
        assert!(path.join(name.as_str().expect("a name")).is_dir());
    }
    // With offload its node id matters.
    let mut offloading = config();
    offloading.node_id_is_read = true;
    let store = Store::open(&path, offloading).expect("it opens");
    assert_eq!(store.started().read_only.as_deref(), Some("node-id"));
}
