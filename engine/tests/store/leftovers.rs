//! What an old build's compaction left (Felix 2.6).

use std::sync::Arc;

use ondisk::felix::name::Store::{Caches, Counters, Streams};
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::{Directory, EntryKind, Replace};

use crate::world::*;

/// A cache and a counter of one key that hold a base of 10, closed.
fn root() -> (Arc<MemoryDirectory>, String) {
    let root = memory();
    let store = open(&root, config());
    for place in [Caches, Counters] {
        store.shard_in(place, &order(0)).expect("it opens");
    }
    for log in store.logs() {
        log.reset_to(10).expect("a reset");
    }
    store.shutdown().expect("a clean end");
    (root, order(0).directory_name(0))
}

#[test]
fn beside_the_shard_they_are_removed() {
    for place in ["caches", "counters"] {
        let (root, name) = root();
        let inner = root.directory(place).expect("the store");
        for state in ["compacting", "retired"] {
            let left = inner
                .create_directory(&format!("{name}.{state}"))
                .expect("a directory");
            left.create("00000000000000000000.log").expect("a file");
        }
        let store = open(&root, config());
        assert_eq!(
            store.started().leftovers,
            [
                format!("{place}/{name}.compacting"),
                format!("{place}/{name}.retired")
            ]
        );
        let which = if place == "caches" { Caches } else { Counters };
        assert_eq!(store.shard_in(which, &order(0)).expect("it").base(), 10);
        assert_eq!(inner.entries().expect("a list").len(), 1);
    }
}

#[test]
fn the_shard_that_was_set_aside_comes_back() {
    let (root, name) = root();
    let inner = root.directory("caches").expect("the store");
    let aside = format!("{name}.retired");
    inner
        .rename(&name, &*inner, &aside, Replace::No)
        .expect("set aside");
    inner
        .create_directory(&format!("{name}.compacting"))
        .expect("a directory");
    let store = open(&root, config());
    assert_eq!(store.shard_in(Caches, &order(0)).expect("it").base(), 10);
    assert_eq!(inner.entries().expect("a list").len(), 1);
}

#[test]
fn links_under_these_names_are_left_alone() {
    let (root, name) = root();
    let store = open(&root, config());
    store.shutdown().expect("a clean end");
    let caches = root.put_directory("caches");
    caches.put_irregular(&format!("{name}.retired"), EntryKind::Link);
    caches.put(&format!("{name}.compacting"), MemoryFile::of(b"mine"));
    let store = open(&root, config());
    assert_eq!(store.started().foreign.len(), 2);
    assert_eq!(store.shard_in(Caches, &order(0)).expect("it").base(), 0);
    assert_eq!(caches.entries().expect("a list").len(), 3);
}

#[test]
fn a_stream_has_none() {
    let root = memory();
    let name = order(0).directory_name(0);
    root.put_directory(&format!("{name}.retired"));
    let store = open(&root, config());
    assert_eq!(store.started().foreign.len(), 1);
    store.shard_in(Streams, &order(0)).expect("it opens");
    assert!(root.directory(&format!("{name}.retired")).is_ok());
}

#[test]
fn a_delete_takes_them_along() {
    let (root, name) = root();
    let inner = root.directory("caches").expect("the store");
    inner
        .rename(&name, &*inner, &format!("{name}.retired"), Replace::No)
        .expect("set aside");
    let store = open(&root, config());
    assert_eq!(store.delete_cache(&orders(), 0).expect("a delete"), 2);
    assert!(shard_paths(&(root.clone() as _)).is_empty());
    assert_eq!(
        in_bins(&(root as _)),
        [format!("caches.{name}.0"), format!("counters.{name}.0")]
    );
}
