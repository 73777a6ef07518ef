//! Deleting a stream (Felix 11.11).

use std::sync::Arc;

use ondisk::felix::StreamMarker;
use ondisk::felix::name::Store::{Caches, Counters, DeadLetters, Groups, Streams};
use ondisk::felix::name::{ShardKey, StreamKey};
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::disk::{Directory, EntryKind};

use crate::world::*;

fn gone(through: u64) -> Option<StreamMarker> {
    Some(StreamMarker {
        incarnation: None,
        deleting: false,
        deleted_through: Some(through),
    })
}

#[test]
fn its_shards_groups_and_dead_letters_go() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let config = config();
    let background = config.environment.background.clone();
    let store = open(&root, config);
    let mut logs = Vec::new();
    for place in [Streams, Groups, DeadLetters] {
        for shard in [0, 1, u32::MAX] {
            logs.push(
                store
                    .open_incarnation(place, &order(shard), 9)
                    .expect("it opens"),
            );
        }
    }
    let other = store
        .shard(&ShardKey::new("acme", "default", "orders_", 0))
        .expect("it opens");
    append(&other, b"other");
    let cache = store.shard_in(Caches, &order(0)).expect("it opens");

    assert_eq!(store.delete_stream(&orders(), 9).expect("a delete"), 9);
    for log in &logs {
        assert!(is_closed(log.sync()));
    }
    assert_eq!(marker(&directory, &orders()), gone(9));
    assert_eq!(shard_paths(&directory).len(), 2);
    assert_eq!(in_bins(&directory).len(), 9);
    background.run_ready();
    assert!(in_bins(&directory).is_empty());

    for incarnation in [0, 8, 9] {
        assert!(is_not_found(store.open_incarnation(
            Streams,
            &order(0),
            incarnation
        )));
    }
    let next = store
        .open_incarnation(Streams, &order(0), 10)
        .expect("the next one");
    assert_eq!(next.tail(), 0);
    assert_eq!(payloads(&other), [b"other"]);
    cache.sync().expect("the cache is open");
    store.shutdown().expect("a clean end");
}

#[test]
fn deleting_again_does_nothing() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let store = open(&root, config());
    store.shard(&order(0)).expect("it opens");
    assert_eq!(store.delete_stream(&orders(), 0).expect("a delete"), 1);
    assert_eq!(store.delete_stream(&orders(), 0).expect("no delete"), 0);
    assert_eq!(marker(&directory, &orders()), gone(0));
    // One that was never there is noted all the same: it must not come.
    let never = StreamKey::new("acme", "default", "never");
    assert_eq!(store.delete_stream(&never, 4).expect("a delete"), 0);
    assert_eq!(marker(&directory, &never), gone(4));
    assert!(is_not_found(store.open_incarnation(
        Streams,
        &never.shard(0),
        4
    )));
    // A lower one changes nothing.
    assert_eq!(store.delete_stream(&never, 3).expect("no delete"), 0);
    assert_eq!(marker(&directory, &never), gone(4));
}

#[test]
fn what_is_held_above_it_stays_and_stays_open() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let store = open(&root, config());
    let log = store
        .open_incarnation(Streams, &order(0), 9)
        .expect("it opens");
    assert_eq!(store.delete_stream(&orders(), 7).expect("a delete"), 0);
    append(&log, b"nine");
    let says = StreamMarker {
        incarnation: Some(9),
        deleting: false,
        deleted_through: Some(7),
    };
    assert_eq!(marker(&directory, &orders()), Some(says));
    assert!(is_not_found(store.open_incarnation(Streams, &order(0), 8)));
    let same = store
        .open_incarnation(Streams, &order(0), 9)
        .expect("it is open");
    assert_eq!(same.tail(), 1);
}

#[test]
fn caches_and_counters_go_together() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let store = open(&root, config());
    store.shard_in(Caches, &order(0)).expect("it opens");
    store.shard_in(Counters, &order(0)).expect("it opens");
    let stream = store.shard(&order(0)).expect("it opens");
    assert_eq!(store.delete_cache(&orders(), 0).expect("a delete"), 2);
    let name = order(0).directory_name(0);
    assert_eq!(
        in_bins(&directory),
        [format!("caches.{name}.0"), format!("counters.{name}.0")]
    );
    assert!(directory.directory(".deleted").is_err());
    stream.sync().expect("the stream is open");
    assert!(is_not_found(store.shard_in(Caches, &order(0))));
}

#[test]
fn names_in_the_bin_that_are_taken_are_passed_by() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let config = config();
    let background = config.environment.background.clone();
    let store = open(&root, config);
    store.shard(&order(0)).expect("it opens");
    let name = order(0).directory_name(0);
    let bin = root.put_directory(".deleted");
    bin.put(&format!("streams.{name}.0"), MemoryFile::of(b"mine"));
    bin.put_irregular(&format!("streams.{name}.1"), EntryKind::Link);
    bin.put_directory("mine");
    store.delete_stream(&orders(), 0).expect("a delete");
    assert_eq!(in_bins(&directory), [format!("streams.{name}.2")]);
    background.run_ready();
    let bin = directory.directory(".deleted").expect("the bin");
    assert_eq!(
        tree(&bin),
        [
            "mine/".to_owned(),
            format!("streams.{name}.0"),
            format!("streams.{name}.1")
        ]
    );
}

#[test]
fn one_that_was_cut_off_is_finished_by_the_start() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    {
        let store = open(&root, config());
        store
            .open_incarnation(Streams, &order(0), 5)
            .expect("it opens");
        store
            .open_incarnation(Groups, &order(3), 5)
            .expect("it opens");
        store
            .shard(&ShardKey::new("acme", "default", "other", 0))
            .expect("it opens");
        store.shutdown().expect("a clean end");
    }
    let unfinished = StreamMarker {
        incarnation: Some(5),
        deleting: true,
        deleted_through: Some(5),
    };
    root.put_directory(".streams").put(
        &orders().marker_name(),
        MemoryFile::of(&marker_bytes(&unfinished)),
    );
    let config = config();
    let background = config.environment.background.clone();
    let store = open(&root, config);
    let [delete] = &store.started().deletes[..] else {
        panic!("one delete")
    };
    assert_eq!(
        (delete.marker.as_str(), &delete.moved),
        (
            format!(".streams/{}", orders().marker_name()).as_str(),
            &Ok(2)
        )
    );
    assert_eq!(store.started().in_bins, 2);
    assert_eq!(store.started().shards.len(), 1);
    assert_eq!(marker(&directory, &orders()), gone(5));
    background.run_ready();
    assert!(in_bins(&directory).is_empty());
    assert!(is_not_found(store.open_incarnation(Streams, &order(0), 5)));
}

#[test]
fn the_bin_is_emptied_after_a_start() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let name = order(0).directory_name(0);
    let bin = root.put_directory(".deleted");
    let deleted = bin.put_directory(&format!("streams.{name}.0"));
    deleted.put("00000000000000000000.log", MemoryFile::of(b"anything"));
    deleted
        .put_directory("inner")
        .put_irregular("pipe", EntryKind::Other);
    let config = config();
    let background = config.environment.background.clone();
    let store = open(&root, config);
    assert_eq!(store.started().in_bins, 1);
    background.run_ready();
    assert!(in_bins(&directory).is_empty());
    store.shutdown().expect("a clean end");
}

#[test]
fn a_store_that_stopped_leaves_the_bin_alone() {
    let root = memory();
    let directory: Arc<dyn Directory> = root.clone();
    let config = config();
    let background = config.environment.background.clone();
    let store = open(&root, config);
    store.shard(&order(0)).expect("it opens");
    store.delete_stream(&orders(), 0).expect("a delete");
    store.shutdown().expect("a clean end");
    background.run_ready();
    assert_eq!(in_bins(&directory).len(), 1);
}
