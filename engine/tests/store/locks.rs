//! One store has a data directory, one log a shard.

use std::process;

use ondisk_engine::disk::{self, Directory};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Log};
use ondisk_engine::felix::store::Store;

use crate::world::*;

/// Who has the lock that a call failed for.
fn holder<T: std::fmt::Debug>(result: Result<T, StorageError>) -> u32 {
    let error = result.expect_err("it is refused");
    let text = error.to_string();
    let StorageError::Io {
        source,
        operation: "lock",
        ..
    } = error
    else {
        panic!("{text}")
    };
    assert!(text.contains("locked by this process already"), "{text}");
    let locked = disk::locked(&source).expect("somebody has it");
    locked.holder.expect("a process")
}

#[test]
fn two_stores_on_one_root() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("data");
    let first = Store::open(&path, config()).expect("it opens");
    assert_eq!(holder(Store::open(&path, config())), process::id());
    first.shutdown().expect("a clean end");
    let second = Store::open(&path, config()).expect("it is free");
    drop(first);
    assert_eq!(holder(Store::open(&path, config())), process::id());
    drop(second);
    Store::open(&path, config()).expect("it is free");
}

#[test]
fn a_store_and_a_lone_log() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("data");
    let shard = path.join(order(0).directory_name(0));
    let store = Store::open(&path, config()).expect("it opens");
    let log = store.shard(&order(0)).expect("it opens");
    assert_eq!(holder(Log::open(&shard, Config::default())), process::id());
    log.close().expect("a clean end");
    let lone = Log::open(&shard, Config::default()).expect("it is free");
    assert_eq!(holder(store.shard(&order(0))), process::id());
    // Nor is it moved to the bin under whoever writes it.
    assert_eq!(holder(store.delete_stream(&orders(), 0)), process::id());
    assert!(shard.is_dir());
    lone.close().expect("a clean end");
    // That delete has begun, so that the next call finishes it.
    assert!(is_not_found(store.shard(&order(0))));
    assert!(!shard.exists());
}

#[test]
fn in_memory_too() {
    let root = memory();
    let store = open(&root, config());
    assert_eq!(
        holder(Store::open_in(root.clone(), config())),
        process::id()
    );
    drop(store);
    drop(root.lock().expect("it is free"));
}
