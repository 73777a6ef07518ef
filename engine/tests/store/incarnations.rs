//! Streams that are deleted and created again under one name (Felix 2.4, 11.10).

use std::sync::Arc;

use ondisk::felix::StreamMarker;
use ondisk::felix::name::Store::{Caches, Counters, DeadLetters, Groups, Streams};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::store::StoreConfig;

use crate::world::*;

fn held(incarnation: u64) -> Option<StreamMarker> {
    Some(StreamMarker {
        incarnation: Some(incarnation),
        deleting: false,
        deleted_through: None,
    })
}

#[test]
fn an_old_stream_needs_no_marker() {
    let root = memory();
    let store = open(&root, config());
    store.shard(&order(0)).expect("it opens");
    assert_eq!(marker(&(root as _), &orders()), None);
}

#[test]
fn a_higher_one_takes_the_place_of_what_is_held() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let config = config();
    let background = config.environment.background.clone();
    let store = open(&root, config);
    let old = store.shard(&order(0)).expect("it opens");
    append(&old, b"old");
    store.shard_in(Groups, &order(0)).expect("it opens");
    store.shard_in(Caches, &order(0)).expect("it opens");

    let first = store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it opens");
    assert_eq!(first.tail(), 0);
    append(&first, b"five");
    assert!(is_closed(old.sync()));
    assert_eq!(marker(&directory, &orders()), held(5));
    let name = order(0).directory_name(0);
    assert_eq!(
        in_bins(&directory),
        [format!("groups.{name}.0"), format!("streams.{name}.0")]
    );
    // Lower ones are refused, the same one is the same log.
    assert!(is_not_found(store.shard(&order(0))));
    assert!(is_not_found(store.shard_in(DeadLetters, &order(0))));
    assert!(is_not_found(store.open_incarnation(Streams, &order(1), 4)));
    let same = store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it is open");
    assert_eq!(payloads(&same), [b"five"]);

    // The next one, by way of a group; its shard goes as well.
    store
        .open_incarnation(Groups, &order(7), 6)
        .expect("it opens");
    assert!(is_closed(first.sync()));
    assert_eq!(marker(&directory, &orders()), held(6));
    let mut shards = shard_paths(&directory);
    shards.sort();
    assert_eq!(
        shards,
        [
            format!("caches/{name}"),
            format!("groups/{}", order(7).directory_name(6))
        ]
    );
    assert_eq!(in_bins(&directory).len(), 3);
    background.run_ready();
    assert!(in_bins(&directory).is_empty());
    store.shutdown().expect("a clean end");
}

#[test]
fn a_refusal_says_which_one_is_held() {
    let root = memory();
    let store = open(&root, config());
    let refusal = |incarnation| {
        let refused = store.open_incarnation(Streams, &order(0), incarnation);
        let refused = refused.expect_err("it is refused");
        assert!(matches!(refused, StorageError::NotFound { .. }));
        refused.to_string()
    };
    store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it opens");
    assert_eq!(
        refusal(4),
        "incarnation 4 of acme/default/orders (5 is held) is not there"
    );
    store.delete_stream(&orders(), 5).expect("it goes");
    assert_eq!(
        refusal(5),
        "incarnation 5 of acme/default/orders (deleted through 5, none is held) is not there"
    );
    store
        .open_incarnation(Streams, &order(0), 8)
        .expect("it opens");
    assert_eq!(
        refusal(5),
        "incarnation 5 of acme/default/orders (deleted through 5, 8 is held) is not there"
    );
    assert_eq!(
        refusal(7),
        "incarnation 7 of acme/default/orders (8 is held) is not there"
    );
}

#[test]
fn caches_have_their_own() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let store = open(&root, config());
    store.shard(&order(0)).expect("it opens");
    store
        .open_incarnation(Counters, &order(0), 8)
        .expect("it opens");
    assert!(is_not_found(store.open_incarnation(Caches, &order(0), 7)));
    store
        .open_incarnation(Caches, &order(0), 8)
        .expect("it opens");
    assert_eq!(marker(&directory, &orders()), None);
    let caches = directory.directory("caches").expect("it is there");
    assert_eq!(marker(&caches, &orders()), held(8));
    store.shard(&order(0)).expect("the stream is another thing");
}

#[test]
fn what_is_held_is_known_after_a_start() {
    let root = memory();
    let store = open(&root, config());
    store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it opens");
    store.shutdown().expect("a clean end");
    let store = open(&root, config());
    assert!(is_not_found(store.open_incarnation(Streams, &order(0), 4)));
    store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it opens");
}

#[test]
fn new_ones_wait_for_their_feature() {
    let root = memory();
    let without = || StoreConfig {
        environment: environment(),
        ..StoreConfig::default()
    };
    let store = open(&root, without());
    assert!(is_unsupported(store.open_incarnation(
        Streams,
        &order(0),
        5
    )));
    assert!(is_unsupported(store.open_incarnation(Caches, &order(0), 5)));
    assert!(shard_paths(&(root.clone() as _)).is_empty());
    store.shutdown().expect("a clean end");
    let store = open(&root, config());
    store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it opens");
    store.shutdown().expect("a clean end");
    // What is on the disk already opens, and that the level lies behind it is reported.
    let store = open(&root, without());
    assert_eq!(store.started().feature_behind, ["stream_incarnations"]);
    store
        .open_incarnation(Streams, &order(0), 5)
        .expect("it opens");
    assert!(is_unsupported(store.open_incarnation(
        Streams,
        &order(0),
        6
    )));
}
