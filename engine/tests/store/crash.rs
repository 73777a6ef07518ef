//! A delete and a change of the incarnation that are cut off or fail anywhere: what comes after converges.

use ondisk::felix::StreamMarker;
use ondisk::felix::name::Store::{Caches, Groups, Streams};
use ondisk_engine::disk::simulated::{Fault, Model};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Entry;
use ondisk_engine::felix::store::{Root, Store};

use crate::faults::{Act, BROKEN, SEEDS, at_every_operation, open_on, other, prepared};
use crate::world::*;

/// The other stream and the cache are what they were.
fn others_are_there(store: &Store, what: &str) {
    let other = store.shard(&other()).expect("it opens");
    assert_eq!(payloads(&other), [b"other"], "{what}");
    store.shard_in(Caches, &order(0)).expect("it opens");
    assert!(store.started().foreign.is_empty(), "{what}");
    assert!(store.started().damaged_markers.is_empty(), "{what}");
}

#[test]
fn a_delete() {
    let act: Act = |disk| {
        let config = config();
        let background = config.environment.background.clone();
        let store = open_on(disk, config)?;
        // With a log that is open.
        store.open_incarnation(Streams, &order(0), 5)?;
        store.delete_stream(&orders(), 5)?;
        background.run_ready();
        Ok(())
    };
    at_every_operation(prepared, act, |disk, done, what| {
        let root = disk.root();
        let config = config();
        let background = config.environment.background.clone();
        let store = open_on(disk, config).expect(what);
        for delete in &store.started().deletes {
            assert!(delete.moved.is_ok(), "{what}");
        }
        let held = marker(&root, &orders());
        let is_deleted = held
            .as_ref()
            .is_some_and(|marker| marker.deleted_through.is_some());
        assert!(is_deleted || !done, "{what}");
        assert!(
            held.as_ref().is_some_and(|marker| !marker.deleting),
            "{what}"
        );
        let mine = |path: &String| path.contains("orders") && !path.starts_with("caches/");
        let left = shard_paths(&root).iter().filter(|path| mine(path)).count();
        // All of it is there, or nothing is.
        assert_eq!(left, if is_deleted { 0 } else { 3 }, "{what}");
        if !is_deleted {
            let log = store
                .open_incarnation(Streams, &order(0), 5)
                .expect("it opens");
            assert_eq!(payloads(&log), [b"five"], "{what}");
        }
        others_are_there(&store, what);
        store.delete_stream(&orders(), 5).expect(what);
        let finished = StreamMarker {
            incarnation: None,
            deleting: false,
            deleted_through: Some(5),
        };
        assert_eq!(marker(&root, &orders()), Some(finished), "{what}");
        assert!(is_not_found(store.open_incarnation(Streams, &order(0), 5)));
        background.run_ready();
        assert!(in_bins(&root).is_empty(), "{what}");
        let next = store
            .open_incarnation(Streams, &order(0), 6)
            .expect("it opens");
        assert_eq!(next.tail(), 0, "{what}");
        store.shutdown().expect(what);
    });
}

#[test]
fn another_incarnation() {
    let act: Act = |disk| {
        let config = config();
        let background = config.environment.background.clone();
        let store = open_on(disk, config)?;
        store.open_incarnation(Streams, &order(1), 5)?;
        let log = store.open_incarnation(Streams, &order(0), 6)?;
        log.append(&[Entry::new(b"six")])?
            .wait()
            .map_err(|_| StorageError::SyncFailed)?;
        background.run_ready();
        Ok(())
    };
    at_every_operation(prepared, act, |disk, done, what| {
        let root = disk.root();
        let config = config();
        let background = config.environment.background.clone();
        let store = open_on(disk, config).expect(what);
        let held = marker(&root, &orders()).and_then(|marker| marker.incarnation);
        assert!(held == Some(6) || (held == Some(5) && !done), "{what}");
        if held == Some(6) {
            assert!(is_not_found(store.open_incarnation(Streams, &order(0), 5)));
        }
        others_are_there(&store, what);
        let log = store
            .open_incarnation(Streams, &order(0), 6)
            .expect("it opens");
        let there = payloads(&log);
        assert!(there == [b"six"] || (there.is_empty() && !done), "{what}");
        let left: Vec<_> = shard_paths(&root)
            .into_iter()
            .filter(|path| path.contains("orders") && !path.starts_with("caches/"))
            .collect();
        assert_eq!(left, [order(0).directory_name(6)], "{what}");
        background.run_ready();
        assert!(in_bins(&root).is_empty(), "{what}");
        store.shutdown().expect(what);
    });
}

/// What is in the bin is emptied, so a shard that were in its place as well would be emptied there.
#[test]
fn no_shard_is_in_its_place_and_in_the_bin() {
    let act: Act = |disk| {
        let store = open_on(disk, config())?;
        store.open_incarnation(Streams, &order(0), 6)?;
        Ok(())
    };
    at_every_operation(prepared, act, |disk, _, what| {
        let root = disk.root();
        let bins = in_bins(&root);
        for path in shard_paths(&root) {
            let (store, name) = path.split_once('/').unwrap_or(("streams", &path));
            let moved = format!("{store}.{name}.");
            assert!(
                !bins.iter().any(|bin| bin.starts_with(&moved)),
                "{what}: {path}"
            );
        }
    });
}

#[test]
fn a_delete_that_failed_is_finished_by_the_same_store() {
    let (first, end) = {
        let disk = prepared();
        let store = open_on(&disk, config()).expect("it opens");
        let first = disk.calls();
        store.delete_stream(&orders(), 5).expect("a delete");
        (first, disk.calls())
    };
    for at in first..end {
        let disk = prepared();
        let store = open_on(&disk, config()).expect("it opens");
        disk.arm(Some(Fault::Fails {
            at,
            errno: BROKEN,
            for_good: false,
        }));
        let failed = store.delete_stream(&orders(), 5);
        disk.arm(None);
        assert!(failed.is_err(), "operation {at}");
        store.delete_stream(&orders(), 5).expect("it goes on");
        let root = disk.root();
        let held = marker(&root, &orders()).expect("a marker");
        assert_eq!((held.deleting, held.incarnation), (false, None));
        assert_eq!(shard_paths(&root).len(), 2, "operation {at}");
        // And it is durable.
        for seed in 0..SEEDS {
            let after = disk.after(Model::PowerCut, seed).root();
            assert_eq!(shard_paths(&after).len(), 2, "operation {at}");
        }
        store.shutdown().expect("a clean end");
    }
}

/// Whatever the failure left that readers see, the next open makes it last.
#[test]
fn an_incarnation_whose_open_failed_is_durable_once_it_opens() {
    let place = order(3);
    let (first, end) = {
        let disk = prepared();
        let store = open_on(&disk, config()).expect("it opens");
        let first = disk.calls();
        store.open_incarnation(Groups, &place, 6).expect("it opens");
        (first, disk.calls())
    };
    let path = format!("groups/{}", place.directory_name(6));
    for at in first..end {
        let disk = prepared();
        let store = open_on(&disk, config()).expect("it opens");
        disk.arm(Some(Fault::Fails {
            at,
            errno: BROKEN,
            for_good: false,
        }));
        let _may_fail = store.open_incarnation(Groups, &place, 6);
        disk.arm(None);
        store.open_incarnation(Groups, &place, 6).expect("it opens");
        for seed in 0..SEEDS {
            let after = disk.after(Model::PowerCut, seed).root();
            assert!(shard_paths(&after).contains(&path), "call {at}");
            let held = marker(&after, &orders()).expect("a marker");
            assert_eq!(held.incarnation, Some(6), "call {at}");
        }
    }
}

#[test]
fn a_node_id_that_was_told_is_durable() {
    let told = |at: Option<u64>| {
        let disk = prepared();
        let store = open_on(&disk, config()).expect("it opens");
        let first = disk.calls();
        disk.arm(at.map(|at| Fault::Fails {
            at: first + at,
            errno: BROKEN,
            for_good: false,
        }));
        let asked = store.node_id();
        let calls = disk.calls() - first;
        disk.arm(None);
        let id = asked.or_else(|_| store.node_id()).expect("it is told");
        for seed in 0..SEEDS {
            let root = Root::look(disk.after(Model::PowerCut, seed).root()).expect("it lists");
            let kept = root.identity.node_id.sound().map(|file| file.id.clone());
            assert_eq!(kept.as_ref(), Some(&id), "call {at:?} fails, seed {seed}");
        }
        calls
    };
    for at in 0..told(None) {
        told(Some(at));
    }
}

#[test]
fn a_delete_that_returned_is_durable() {
    let disk = prepared();
    let store = open_on(&disk, config()).expect("it opens");
    assert_eq!(store.delete_stream(&orders(), 5).expect("a delete"), 3);
    for seed in 0..SEEDS {
        let root = disk.after(Model::PowerCut, seed).root();
        assert_eq!(shard_paths(&root).len(), 2, "seed {seed}");
        assert_eq!(in_bins(&root).len(), 3, "seed {seed}");
        assert_eq!(marker(&root, &orders()), marker(&disk.root(), &orders()));
    }
}
