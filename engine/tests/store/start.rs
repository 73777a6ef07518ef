//! The table of a start, row by row (Felix 11.8).

use ondisk::felix::RunPhase;
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::disk::{Directory, EntryKind};
use ondisk_engine::felix::error::{SidecarDamage, StorageError};
use ondisk_engine::felix::store::{FileState, NewStorageId, Store};

use crate::world::*;

#[test]
fn the_first_start_makes_an_id_and_says_that_it_runs() {
    let root = memory();
    let store = open(&root, early());
    assert_eq!(store.started().new_storage_id, Some(NewStorageId::Absent));
    assert_eq!(store.started().run_state, FileState::Absent);
    let id = store.storage_id().expect("an id");
    assert_eq!(bytes(&*root, "storage-id"), Some(storage_id(id)));
    assert_eq!(
        bytes(&*root, "run-state"),
        Some(run_state(RunPhase::Running, 1, id))
    );
    store.shutdown().expect("a clean end");
    assert_eq!(
        bytes(&*root, "run-state"),
        Some(run_state(RunPhase::Stopped, 1, id))
    );
    let again = open(&root, config());
    assert_eq!(again.started().new_storage_id, None);
    assert_eq!(again.storage_id(), Some(id));
    assert_eq!(
        bytes(&*root, "run-state"),
        Some(run_state(RunPhase::Running, 0, id))
    );
}

#[test]
fn what_the_last_run_left_decides_on_the_id() {
    let flipped = |mut bytes: Vec<u8>, at: usize| {
        bytes[at] ^= 1;
        bytes
    };
    let stopped = run_state(RunPhase::Stopped, 1, ID);
    for (name, run, why) in [
        ("absent", None, None),
        ("stopped, early", Some(stopped.clone()), None),
        ("stopped", Some(run_state(RunPhase::Stopped, 0, ID)), None),
        (
            "running, nothing unsynced",
            Some(run_state(RunPhase::Running, 0, ID)),
            None,
        ),
        (
            "running, early",
            Some(run_state(RunPhase::Running, 1, ID)),
            Some(NewStorageId::CutOff),
        ),
        (
            "short",
            Some(stopped[..27].to_vec()),
            Some(NewStorageId::RunStateDamaged),
        ),
        (
            "empty",
            Some(Vec::new()),
            Some(NewStorageId::RunStateDamaged),
        ),
        (
            "longer",
            Some([stopped.clone(), vec![0]].concat()),
            Some(NewStorageId::RunStateDamaged),
        ),
        (
            "another magic",
            Some(flipped(stopped.clone(), 0)),
            Some(NewStorageId::RunStateDamaged),
        ),
        (
            "a bit flipped",
            Some(flipped(stopped.clone(), 20)),
            Some(NewStorageId::RunStateDamaged),
        ),
        (
            "of another id",
            Some(run_state(RunPhase::Stopped, 0, [8; 16])),
            None,
        ),
    ] {
        let root = memory();
        root.put("storage-id", MemoryFile::of(&storage_id(ID)));
        if let Some(run) = &run {
            root.put("run-state", MemoryFile::of(run));
        }
        let store = open(&root, early());
        let started = store.started();
        assert_eq!(started.new_storage_id, why, "{name}");
        assert_eq!(started.storage_id == Some(ID), why.is_none(), "{name}");
        assert_eq!(
            started.run_state_id_differs,
            name == "of another id",
            "{name}"
        );
        let id = store.storage_id().expect("an id");
        assert_eq!(bytes(&*root, "storage-id"), Some(storage_id(id)), "{name}");
        assert_eq!(
            bytes(&*root, "run-state"),
            Some(run_state(RunPhase::Running, 1, id)),
            "{name}"
        );
    }
}

#[test]
fn another_version_of_the_run_state_fails_the_start() {
    let root = memory();
    let mut newer = run_state(RunPhase::Stopped, 0, ID);
    newer[5] = 2;
    root.put("run-state", MemoryFile::of(&newer));
    let error = Store::open_in(root.clone(), config()).expect_err("it is refused");
    let StorageError::Sidecar {
        file,
        shard,
        damage,
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((file, shard.as_str()), ("run-state", "root"));
    assert_eq!(damage, SidecarDamage::Version { found: 2 });
    // Nothing was written, and the lock is free again.
    assert_eq!(tree(&(root.clone() as _)), ["run-state"]);
    assert_eq!(bytes(&*root, "run-state"), Some(newer));
    drop(root.lock().expect("it is free"));
}

#[test]
fn damaged_files_of_identity_fail_the_start() {
    for (file, mut good) in [
        ("storage-id", storage_id(ID)),
        ("registration", registration(5)),
    ] {
        good[9] ^= 1;
        let root = memory();
        root.put(file, MemoryFile::of(&good));
        let error = Store::open_in(root.clone(), config()).expect_err("it is refused");
        assert!(
            matches!(error, StorageError::Sidecar { file: found, damage: SidecarDamage::Checksum { .. }, .. } if found == file),
            "{error}"
        );
        // Adopting is for other layouts, not for damage.
        let mut adopting = config();
        adopting.adopt = true;
        assert!(Store::open_in(root.clone(), adopting).is_err());
        assert_eq!(bytes(&*root, file), Some(good));
    }
}

#[test]
fn links_under_the_names_of_identity_fail_the_start() {
    for file in ["storage-id", "run-state", "registration"] {
        let root = memory();
        root.put_irregular(file, EntryKind::Link);
        let error = Store::open_in(root, config()).expect_err("it is refused");
        assert!(
            matches!(&error, StorageError::Io { path, .. } if path.ends_with(file)),
            "{error}"
        );
    }
}

#[test]
fn a_control_plane_that_is_ahead_makes_a_new_id() {
    for (registered, says, why) in [
        (None, None, None),
        (Some(5), None, None),
        (Some(5), Some(5), None),
        (Some(5), Some(4), None),
        (Some(5), Some(6), Some((5, 6))),
        (None, Some(1), Some((0, 1))),
        (None, Some(0), None),
    ] {
        let root = memory();
        root.put("storage-id", MemoryFile::of(&storage_id(ID)));
        if let Some(registered) = registered {
            root.put("registration", MemoryFile::of(&registration(registered)));
        }
        let mut config = config();
        config.control_plane_incarnation = says;
        let store = open(&root, config);
        let why =
            why.map(|(registered, says)| NewStorageId::ControlPlaneAhead { registered, says });
        assert_eq!(store.started().new_storage_id, why);
        assert_eq!(store.storage_id() != Some(ID), why.is_some());
        assert_eq!(store.started().registration, registered);
    }
}

#[test]
fn the_config_is_looked_at_first() {
    let root = memory();
    let mut config = config();
    config.log.index_spacing_bytes = 0;
    let refused = Store::open_in(root.clone(), config);
    assert!(matches!(refused, Err(StorageError::InvalidConfig { .. })));
    assert!(tree(&(root as _)).is_empty());
}

#[test]
fn names_that_are_not_ours_are_reported_and_left_alone() {
    let root = memory();
    root.put("notes", MemoryFile::of(b"mine"));
    root.put_directory("lost+found");
    root.put_irregular("counters", EntryKind::Link);
    root.put_directory("acme_default_orders_4294967296-0d3aed4b998d2798");
    let before = tree(&(root.clone() as _));
    let store = open(&root, config());
    let foreign: Vec<_> = store
        .started()
        .foreign
        .iter()
        .map(|foreign| foreign.name.to_string_lossy().into_owned())
        .collect();
    assert_eq!(
        foreign,
        [
            "acme_default_orders_4294967296-0d3aed4b998d2798",
            "counters",
            "lost+found",
            "notes"
        ]
    );
    store.shard(&order(0)).expect("a shard");
    store.shutdown().expect("a clean end");
    let after = tree(&(root as _));
    assert!(before.iter().all(|path| after.contains(path)), "{after:?}");
}
