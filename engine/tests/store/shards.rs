//! Shards by their keys: one log each, in the directory that the key names.

use std::sync::Arc;
use std::thread;

use ondisk::felix::name::{self, ShardKey};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, FsyncMode};
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::store::{Family, ShardPlace};

use crate::world::*;

#[test]
fn every_store_has_its_place() {
    let root = memory();
    let store = open(&root, config());
    for place in name::Store::ALL {
        let log = store.shard_in(place, &order(3)).expect("it opens");
        assert_eq!(log.tail(), 0, "each is a log of its own");
        if matches!(place, name::Store::Streams) {
            append(&log, b"one");
        }
    }
    let name = order(3).directory_name(0);
    let shards = store.shards().expect("a list");
    let found: Vec<_> = shards
        .iter()
        .map(|shard| (shard.path.clone(), shard.kind))
        .collect();
    assert_eq!(
        found,
        [
            (name.clone(), LogKind::Stream),
            (format!("groups/{name}"), LogKind::Stream),
            (format!("dead-letters/{name}"), LogKind::Stream),
            (format!("caches/{name}"), LogKind::Cache),
            (format!("counters/{name}"), LogKind::Counter),
        ]
    );
    assert_eq!(store.logs().len(), 5);
    store.shutdown().expect("a clean end");
}

#[test]
fn a_second_call_gives_the_same_log() {
    let root = memory();
    let store = open(&root, config());
    let first = store.shard(&order(0)).expect("it opens");
    let second = store.clone().shard(&order(0)).expect("it is open");
    append(&first, b"one");
    assert_eq!(payloads(&second), [b"one"]);
    // Another incarnation 0, by the long way.
    let third = store
        .open_incarnation(name::Store::Streams, &order(0), 0)
        .expect("it is open");
    assert_eq!(third.tail(), 1);
    assert_eq!(store.logs().len(), 1);
}

#[test]
fn one_that_was_closed_opens_again() {
    let root = memory();
    let store = open(&root, config());
    let first = store.shard(&order(0)).expect("it opens");
    append(&first, b"one");
    first.close().expect("a clean end");
    assert!(store.logs().is_empty());
    let second = store.shard(&order(0)).expect("it opens again");
    append(&second, b"two");
    assert_eq!(payloads(&second), [b"one", b"two"]);
    store.shutdown().expect("a clean end");
}

#[test]
fn many_threads_open_the_same_shards() {
    let root = memory();
    let store = open(&root, config());
    let store = &store;
    thread::scope(|scope| {
        for thread in 0..8_u32 {
            scope.spawn(move || {
                for shard in 0..16 {
                    let log = store
                        .shard(&order((shard + thread) % 16))
                        .expect("it opens");
                    append(&log, &thread.to_be_bytes());
                }
            });
        }
    });
    assert_eq!(store.logs().len(), 16);
    for log in store.logs() {
        assert_eq!(log.tail(), 8);
    }
}

#[test]
fn a_fresh_one_may_begin_anywhere() {
    let root = memory();
    let store = open(&root, config());
    assert_eq!(store.open_at(&order(0), 100).expect("it").base(), 100);
    assert_eq!(store.open_at(&order(0), 7).expect("it").base(), 100);
    store.shutdown().expect("a clean end");
    let store = open(&root, config());
    assert_eq!(store.open_at(&order(0), 7).expect("it").base(), 100);
    // What the store's own settings say of it does not count.
    let mut placed = config();
    placed.log.open_at = 55;
    store.shutdown().expect("a clean end");
    let store = open(&root, placed);
    assert_eq!(store.shard(&order(1)).expect("it").base(), 0);
}

#[test]
fn settings_of_one_shard() {
    let root = memory();
    let store = open(&root, config());
    let place = ShardPlace::new(name::Store::Streams, order(0));
    let early = Config {
        fsync: FsyncMode::None,
        ..Config::default()
    };
    let refused = store.open_shard_with(&place, early.clone());
    assert!(matches!(
        refused,
        Err(StorageError::InvalidConfig { setting: "fsync" })
    ));
    let safe = Config {
        fsync: FsyncMode::OnCommit,
        ..early
    };
    store.open_shard_with(&place, safe).expect("it opens");
}

#[test]
fn errors_name_the_key() {
    let root = memory();
    let store = open(&root, config());
    let log = store.shard(&order(9)).expect("it opens");
    log.close().expect("a clean end");
    let Err(StorageError::Closed { shard }) = log.sync() else {
        panic!("it is closed")
    };
    assert_eq!(shard, "acme/default/orders/9");
}

#[test]
fn keys_that_read_alike_lie_apart() {
    let root = memory();
    let store = open(&root, config());
    let one = store
        .shard(&ShardKey::new("a", "b", "c.d", 0))
        .expect("it opens");
    append(&one, b"one");
    let other = store
        .shard(&ShardKey::new("a", "b", "c/d", 0))
        .expect("it opens");
    assert_eq!(other.tail(), 0);
    assert_eq!(shard_paths(&(Arc::clone(&root) as _)).len(), 2);
}

#[test]
fn families_have_their_stores() {
    for family in Family::ALL {
        for &store in family.stores() {
            assert_eq!(Family::of(store), family);
        }
    }
    let all: usize = Family::ALL.iter().map(|family| family.stores().len()).sum();
    assert_eq!(all, name::Store::ALL.len());
}
