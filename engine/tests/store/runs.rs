//! A start, a new storage id and a shutdown that are cut off or fail anywhere.

use ondisk::felix::RunPhase;
use ondisk::felix::name::Store::Groups;
use ondisk_engine::disk::simulated::{Fault, Model, SimulatedDisk};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Entry, Log};
use ondisk_engine::felix::store::{FileState, NewStorageId, Store};

use crate::faults::{Act, BROKEN, SEEDS, at_every_operation, open_on};
use crate::world::*;

#[test]
fn the_first_start_and_the_first_shard() {
    let act: Act = |disk| {
        let store = open_on(disk, early())?;
        let log = store.shard_in(Groups, &order(0))?;
        log.append(&[Entry::new(b"one")])?;
        log.sync()?;
        Ok(())
    };
    at_every_operation(SimulatedDisk::new, act, |disk, done, what| {
        let store = open_on(disk, config()).expect(what);
        let found = &store.started().run_state;
        assert!(
            matches!(found, FileState::Absent | FileState::Sound(_)),
            "{what}"
        );
        let log = store.shard_in(Groups, &order(0)).expect(what);
        assert!(payloads(&log) == [b"one"] || !done, "{what}");
        store.shutdown().expect(what);
    });
}

#[test]
fn an_id_that_must_go_goes() {
    fn prepare() -> SimulatedDisk {
        let disk = SimulatedDisk::new();
        // It acknowledges early, and is gone without a shutdown.
        let store = open_on(&disk, early()).expect("it opens");
        store.register(1).expect("stored");
        disk
    }
    let act: Act = |disk| open_on(disk, config()).map(drop);
    at_every_operation(prepare, act, |disk, done, what| {
        let before = bytes(&*disk.root(), "storage-id").expect("an id");
        let run = run(&*disk.root());
        // Ahead of the run state the id was made new.
        if run.flags == 0 {
            assert_eq!(before, storage_id(run.id), "{what}");
        }
        let store = open_on(disk, config()).expect(what);
        let again = store.started().new_storage_id;
        assert_eq!(
            again == Some(NewStorageId::CutOff),
            run.flags == 1,
            "{what}"
        );
        assert!(!done || again.is_none(), "{what}");
        assert_eq!(
            bytes(&*disk.root(), "storage-id"),
            store.storage_id().map(storage_id),
            "{what}"
        );
    });
}

#[test]
fn a_shutdown() {
    fn prepare() -> SimulatedDisk {
        let disk = SimulatedDisk::new();
        let store = open_on(&disk, early()).expect("it opens");
        store.shard(&order(0)).expect("it opens");
        store.shutdown().expect("a clean end");
        disk
    }
    let act: Act = |disk| {
        let store = open_on(disk, early())?;
        let log = store.shard(&order(0))?;
        log.append(&[Entry::new(b"one")])?;
        store.shutdown()
    };
    at_every_operation(prepare, act, |disk, done, what| {
        let store = open_on(disk, early()).expect(what);
        let started = store.started();
        let cut_off = started.new_storage_id == Some(NewStorageId::CutOff);
        assert!(!cut_off || !done, "{what}");
        let log = store.shard(&order(0)).expect(what);
        assert!(payloads(&log) == [b"one"] || !done, "{what}");
    });
}

#[test]
fn a_log_that_was_not_flushed_keeps_the_run_from_ending_cleanly() {
    type End = fn(&Store, &Log);
    let ends: [(&str, End); 3] = [
        ("left open", |_, _| {}),
        ("closed", |_, log| {
            assert!(matches!(log.close(), Err(StorageError::SyncFailed)));
        }),
        ("closed and opened again", |store, log| {
            assert!(matches!(log.close(), Err(StorageError::SyncFailed)));
            let again = store.shard(&order(0)).expect("it opens again");
            append(&again, b"two");
            again.sync().expect("the disk is sound again");
        }),
    ];
    for (name, end) in ends {
        let disk = SimulatedDisk::new();
        let store = open_on(&disk, early()).expect("it opens");
        let log = store.shard(&order(0)).expect("it opens");
        log.append(&[Entry::new(b"one")]).expect("an append");
        disk.arm(Some(Fault::Fails {
            at: disk.calls(),
            errno: BROKEN,
            for_good: false,
        }));
        assert!(log.sync().is_err(), "{name}");
        disk.arm(None);
        end(&store, &log);
        let shutdown = store.shutdown();
        assert!(matches!(shutdown, Err(StorageError::SyncFailed)), "{name}");
        assert_eq!(run(&*disk.root()).state, RunPhase::Running, "{name}");
        let store = open_on(&disk, early()).expect("it opens");
        let why = store.started().new_storage_id;
        assert_eq!(why, Some(NewStorageId::CutOff), "{name}");
    }
}

#[test]
fn directories_that_a_killed_process_created_are_made_durable() {
    let disk = SimulatedDisk::new();
    {
        let groups = disk.root().create_directory("groups").expect("a directory");
        let name = order(0).directory_name(0);
        groups.create_directory(&name).expect("a directory");
        let name = order(1).directory_name(0);
        disk.root().create_directory(&name).expect("a directory");
    }
    let store = open_on(&disk, config()).expect("it opens");
    append(
        &store.shard_in(Groups, &order(0)).expect("it opens"),
        b"one",
    );
    append(&store.shard(&order(1)).expect("it opens"), b"two");
    for seed in 0..SEEDS {
        let after = disk.after(Model::PowerCut, seed);
        let store = open_on(&after, config()).expect("it opens");
        let log = store.shard_in(Groups, &order(0)).expect("it opens");
        assert_eq!(payloads(&log), [b"one"], "seed {seed}");
        let log = store.shard(&order(1)).expect("it opens");
        assert_eq!(payloads(&log), [b"two"], "seed {seed}");
    }
}
