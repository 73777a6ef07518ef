//! Ids that change in a run, files of unknown layout, and how a run ends.

use ondisk::felix::name;
use ondisk::felix::{RunPhase, StreamMarker};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::store::{Adopted, NewStorageId, ShardPlace};

use crate::world::*;

#[test]
fn an_id_that_is_asked_for_is_that_of_the_run() {
    let root = memory();
    let store = open(&root, early());
    let first = store.storage_id().expect("an id");
    let second = store.new_storage_id().expect("another");
    assert_ne!(first, second);
    assert_eq!(store.storage_id(), Some(second));
    assert_eq!(bytes(&*root, "storage-id"), Some(storage_id(second)));
    assert_eq!(
        bytes(&*root, "run-state"),
        Some(run_state(RunPhase::Running, 1, second))
    );
    store.shutdown().expect("a clean end");
    assert_eq!(
        bytes(&*root, "run-state"),
        Some(run_state(RunPhase::Stopped, 1, second))
    );
}

#[test]
fn a_registration_is_stored() {
    let root = memory();
    let store = open(&root, config());
    store.register(41).expect("stored");
    store.register(42).expect("stored");
    assert_eq!(bytes(&*root, "registration"), Some(registration(42)));
    store.shutdown().expect("a clean end");
    let mut cluster = config();
    cluster.control_plane_incarnation = Some(42);
    let store = open(&root, cluster);
    assert_eq!(store.started().new_storage_id, None);
    assert_eq!(store.started().registration, Some(42));
}

#[test]
fn a_store_that_goes_without_a_shutdown_is_still_running() {
    let root = memory();
    let store = open(&root, early());
    let id = store.storage_id();
    append(&store.shard(&order(0)).expect("a shard"), b"one");
    drop(store);
    assert_eq!(run(&*root).state, RunPhase::Running);
    let store = open(&root, early());
    assert_eq!(store.started().new_storage_id, Some(NewStorageId::CutOff));
    assert_ne!(store.storage_id(), id);
    assert_eq!(payloads(&store.shard(&order(0)).expect("it")), [b"one"]);
}

#[test]
fn after_the_shutdown_everything_is_closed() {
    let root = memory();
    let store = open(&root, config());
    let log = store.shard(&order(0)).expect("a shard");
    append(&log, b"one");
    store.shutdown().expect("a clean end");
    assert!(is_closed(log.sync()));
    assert!(is_closed(store.shard(&order(0))));
    assert!(is_closed(store.shards()));
    assert!(is_closed(store.register(1)));
    assert!(is_closed(store.new_storage_id()));
    assert!(is_closed(store.node_id()));
    assert!(is_closed(store.delete_stream(&orders(), 0)));
    assert!(is_closed(store.shutdown()));
    assert!(store.logs().is_empty());
    // A handle that is left does not keep the directory locked.
    let again = open(&root, config());
    assert_eq!(payloads(&again.shard(&order(0)).expect("it")), [b"one"]);
    drop(store);
}

#[test]
fn files_of_unknown_layout_make_it_read_only() {
    let marker_name = orders().marker_name();
    for file in ["storage-id", "registration", "node-id", &marker_name] {
        let root = memory();
        {
            let store = open(&root, config());
            append(&store.shard(&order(0)).expect("a shard"), b"one");
            store.shutdown().expect("a clean end");
        }
        let there = bytes(&*root, "run-state");
        if file == marker_name {
            root.put_directory(".streams")
                .put(file, MemoryFile::of(b"held: 7\n"));
        } else {
            root.put(file, MemoryFile::of(b"{ \"id\": \"7\" }"));
        }
        let mut config = config();
        config.node_id_is_read = true;
        let path = if file == marker_name {
            format!(".streams/{file}")
        } else {
            file.to_owned()
        };
        let before = tree(&(root.clone() as _));

        let store = open(&root, config.clone());
        assert_eq!(store.started().read_only.as_ref(), Some(&path));
        assert!(root.lock().is_err(), "it is locked all the same");
        assert!(is_unsupported(store.shard(&order(0))));
        assert!(is_unsupported(store.register(1)));
        assert!(is_unsupported(store.new_storage_id()));
        assert!(is_unsupported(store.delete_stream(&orders(), 0)));
        if file != "node-id" {
            assert!(is_unsupported(store.node_id()));
        }
        let place = ShardPlace::new(name::Store::Streams, order(0));
        assert_eq!(store.look_at(&place).expect("it reads").tail(), 1);
        store.shutdown().expect("a clean end");
        assert_eq!(tree(&(root.clone() as _)), before);
        assert_eq!(bytes(&*root, "run-state"), there);

        config.adopt = true;
        let store = open(&root, config.clone());
        assert_eq!(store.started().read_only, None);
        let kept_as = format!("{path}.adopted-0");
        let adopted = Adopted {
            file: path,
            kept_as,
        };
        assert_eq!(store.started().adopted, [adopted]);
        assert_eq!(
            store.started().new_storage_id,
            (file == "storage-id").then_some(NewStorageId::Adopted)
        );
        assert_eq!(
            payloads(&store.shard(&order(0)).expect("it opens")),
            [b"one"]
        );
        store.shutdown().expect("a clean end");
        config.adopt = false;
        let store = open(&root, config);
        assert_eq!(store.started().read_only, None, "{file}");
    }
}

#[test]
fn a_damaged_marker_hinders_its_stream_alone() {
    let root = memory();
    {
        let store = open(&root, config());
        store.shutdown().expect("a clean end");
    }
    let mut bad = marker_bytes(&StreamMarker {
        incarnation: Some(3),
        deleting: false,
        deleted_through: None,
    });
    bad[40] ^= 1;
    root.put_directory(".streams")
        .put(&orders().marker_name(), MemoryFile::of(&bad));
    let store = open(&root, config());
    assert_eq!(
        store.started().damaged_markers,
        [format!(".streams/{}", orders().marker_name())]
    );
    for refused in [
        store.shard(&order(0)).map(drop),
        store
            .open_incarnation(name::Store::Streams, &order(0), 3)
            .map(drop),
        store.delete_stream(&orders(), 9).map(drop),
    ] {
        assert!(
            matches!(&refused, Err(StorageError::Sidecar { shard, .. }) if shard == "acme/default/orders"),
            "{refused:?}"
        );
    }
    // A cache of the same name has a marker of its own.
    store
        .shard_in(name::Store::Caches, &order(0))
        .expect("it opens");
    let other = name::ShardKey::new("acme", "default", "other", 0);
    store.shard(&other).expect("it opens");
    store.shutdown().expect("a clean end");
}
