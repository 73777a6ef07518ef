//! Data directories: states of their files, what a start makes of them, names that are not ours (Felix 2.1, 11.8 to 11.11).

use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::{Registration, RunPhase, RunState, StorageId, StreamMarker};
use ondisk_engine::disk::EntryKind;
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::felix::error::SidecarDamage;
use ondisk_engine::felix::opening::LogKind;
use ondisk_engine::felix::store::{FileState, Root, StorageIdAtStart};

const ID: [u8; 16] = [7; 16];

fn storage_id() -> Vec<u8> {
    let mut bytes = Vec::new();
    StorageId { id: ID }
        .encode(StorageId::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("an id");
    bytes
}

fn run_state(state: RunPhase, flags: u8, id: [u8; 16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let version = RunState::write_version(&FeatureLevels::NONE);
    RunState { state, flags, id }
        .encode(version, &mut bytes)
        .expect("a run state");
    bytes
}

fn registration() -> Vec<u8> {
    let mut bytes = Vec::new();
    let version = Registration::write_version(&FeatureLevels::NONE);
    Registration { incarnation: 5 }
        .encode(version, &mut bytes)
        .expect("a registration");
    bytes
}

fn marker() -> Vec<u8> {
    let mut bytes = Vec::new();
    let marker = StreamMarker {
        incarnation: Some(1),
        deleting: false,
        deleted_through: None,
    };
    marker
        .encode(
            StreamMarker::write_version(&FeatureLevels::NONE),
            &mut bytes,
        )
        .expect("a marker");
    bytes
}

fn root(files: &[(&str, &[u8])]) -> Root {
    let directory = Arc::new(MemoryDirectory::new("root"));
    for (name, bytes) in files {
        directory.put(name, MemoryFile::of(bytes));
    }
    Root::look(directory).expect("it lists")
}

fn changed(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes[at] ^= 1;
    bytes
}

#[test]
fn the_storage_id() {
    for (name, bytes, state, category) in [
        ("sound", storage_id(), "sound", "open_ok"),
        (
            "a bit flipped",
            changed(storage_id(), 9),
            "damaged",
            "refused(Sidecar:storage-id)",
        ),
        (
            "another version",
            changed(storage_id(), 5),
            "damaged",
            "refused(Sidecar:storage-id)",
        ),
        (
            "another magic",
            changed(storage_id(), 0),
            "unknown layout",
            "read_only(storage-id)",
        ),
        (
            "a byte more",
            [storage_id(), vec![0]].concat(),
            "unknown layout",
            "read_only(storage-id)",
        ),
        (
            "a text",
            b"b3f1".to_vec(),
            "unknown layout",
            "read_only(storage-id)",
        ),
        (
            "empty",
            Vec::new(),
            "unknown layout",
            "read_only(storage-id)",
        ),
        (
            "huge",
            vec![0; 1 << 17],
            "unknown layout",
            "read_only(storage-id)",
        ),
    ] {
        let root = root(&[("storage-id", &bytes)]);
        assert_eq!(root.identity.storage_id.name(), state, "{name}");
        assert_eq!(root.category(false).to_string(), category, "{name}");
    }
}

#[test]
fn what_becomes_of_the_storage_id() {
    use StorageIdAtStart::{Kept, New};
    let other = [8; 16];
    let short = run_state(RunPhase::Running, 0, ID)[..27].to_vec();
    for (name, run, expected, differs, category) in [
        ("first start", None, Kept, false, "open_ok"),
        (
            "stopped",
            Some(run_state(RunPhase::Stopped, 1, ID)),
            Kept,
            false,
            "open_ok",
        ),
        (
            "running, nothing unsynced",
            Some(run_state(RunPhase::Running, 0, ID)),
            Kept,
            false,
            "open_ok",
        ),
        (
            "running, acknowledged early",
            Some(run_state(RunPhase::Running, 1, ID)),
            New,
            false,
            "open_ok",
        ),
        ("short", Some(short), New, false, "open_ok"),
        (
            "damaged",
            Some(changed(run_state(RunPhase::Stopped, 0, ID), 20)),
            New,
            false,
            "open_ok",
        ),
        (
            "another magic",
            Some(changed(run_state(RunPhase::Stopped, 0, ID), 0)),
            New,
            false,
            "open_ok",
        ),
        (
            "another version",
            Some(changed(run_state(RunPhase::Stopped, 0, ID), 5)),
            New,
            false,
            "refused(Sidecar:run-state)",
        ),
        (
            "of another id",
            Some(run_state(RunPhase::Stopped, 0, other)),
            Kept,
            true,
            "open_ok",
        ),
    ] {
        let id = storage_id();
        let mut files = vec![("storage-id", id.as_slice())];
        files.extend(run.as_ref().map(|run| ("run-state", run.as_slice())));
        let root = root(&files);
        assert_eq!(root.storage_id_at_start(), expected, "{name}");
        assert_eq!(root.run_state_id_differs(), differs, "{name}");
        assert_eq!(root.category(false).to_string(), category, "{name}");
    }
    assert_eq!(root(&[]).storage_id_at_start(), New, "there is none");
}

#[test]
fn the_other_files_of_identity() {
    let bad = changed(registration(), 9);
    for (name, files, offload, category) in [
        (
            "registration",
            vec![("registration", registration())],
            false,
            "open_ok",
        ),
        (
            "registration damaged",
            vec![("registration", bad)],
            false,
            "refused(Sidecar:registration)",
        ),
        (
            "registration of another shape",
            vec![("registration", b"{}".to_vec())],
            false,
            "read_only(registration)",
        ),
        (
            "node-id",
            vec![("node-id", b"node-1\n".to_vec())],
            true,
            "open_ok",
        ),
        (
            "node-id of none of ours, not read",
            vec![("node-id", b"a/b".to_vec())],
            false,
            "open_ok",
        ),
        (
            "node-id of none of ours, read",
            vec![("node-id", b"a/b".to_vec())],
            true,
            "read_only(node-id)",
        ),
    ] {
        let files: Vec<(&str, &[u8])> = files
            .iter()
            .map(|(name, bytes)| (*name, bytes.as_slice()))
            .collect();
        assert_eq!(
            root(&files).category(offload).to_string(),
            category,
            "{name}"
        );
    }
}

#[test]
fn files_that_are_none() {
    for file in ["storage-id", "run-state", "registration"] {
        let directory = Arc::new(MemoryDirectory::new("root"));
        directory.put_irregular(file, EntryKind::Link);
        let root = Root::look(directory).expect("it lists");
        assert_eq!(root.category(false).to_string(), "refused(Io)", "{file}");
        assert_eq!(root.foreign.len(), 1, "{file}");
    }
}

#[test]
fn markers() {
    let name = "acme_default_orders-fcb9248e5af0da18";
    let text = marker();
    let line_changed = String::from_utf8(text.clone())
        .expect("ASCII")
        .replace("deleting no", "deleting on");
    let newer = String::from_utf8(text.clone())
        .expect("ASCII")
        .replace("marker 1", "marker 2");
    for (what, bytes, state, category) in [
        ("sound", text.clone(), "sound", "open_ok"),
        (
            "a bit flipped",
            changed(text.clone(), 40),
            "damaged",
            "open_ok",
        ),
        (
            "a line changed",
            line_changed.into_bytes(),
            "damaged",
            "open_ok",
        ),
        (
            "a line missing",
            text[..text.len() - 15].to_vec(),
            "damaged",
            "open_ok",
        ),
        ("another version", newer.into_bytes(), "damaged", "open_ok"),
        (
            "another first line",
            b"held 7\n".to_vec(),
            "unknown layout",
            "read_only(.streams/acme_default_orders-fcb9248e5af0da18)",
        ),
        (
            "too long",
            [text.clone(), vec![b'x'; 256]].concat(),
            "unknown layout",
            "read_only(.streams/acme_default_orders-fcb9248e5af0da18)",
        ),
    ] {
        let directory = Arc::new(MemoryDirectory::new("root"));
        let streams = directory.put_directory(".streams");
        streams.put(name, MemoryFile::of(&bytes));
        streams.put(&format!("{name}.tmp"), MemoryFile::of(b""));
        streams.put("README", MemoryFile::of(b""));
        let root = Root::look(directory).expect("it lists");
        let [marker] = &root.markers[..] else {
            panic!("{what}: one marker")
        };
        assert_eq!(marker.state.name(), state, "{what}");
        assert_eq!(root.category(false).to_string(), category, "{what}");
        assert_eq!(root.foreign.len(), 1, "{what}");
        assert_eq!(root.foreign[0].name.to_str(), Some(".streams/README"));
    }
}

#[test]
fn the_damage_of_a_version_names_it() {
    let root = root(&[("registration", &changed(registration(), 5))]);
    assert_eq!(
        root.identity.registration,
        FileState::Damaged(SidecarDamage::Version { found: 0 })
    );
}

#[test]
fn what_is_where() {
    let directory = Arc::new(MemoryDirectory::new("root"));
    let shard = "acme_default_orders_0-0d3aed4b998d2798";
    directory.put_directory(shard);
    directory.put_directory("acme_default_orders_4294967296-0d3aed4b998d2798");
    directory.put(
        "acme_default_orders_1-0d3aed4b998d2798",
        MemoryFile::of(b""),
    );
    directory.put("storage-id.tmp", MemoryFile::of(b""));
    directory.put_irregular("counters", EntryKind::Link);
    directory.put_directory("groups").put_directory(shard);
    let caches = directory.put_directory("caches");
    caches.put_directory(shard);
    caches.put_directory(&format!("{shard}.retired"));
    caches.put_directory("lost+found");
    caches.put_directory(".streams");
    let bin = directory.put_directory(".deleted");
    bin.put_directory(&format!("streams.{shard}.0"));
    bin.put_directory("something");
    let root = Root::look(directory).expect("it lists");

    let shards: Vec<(&str, LogKind)> = root
        .shards
        .iter()
        .map(|shard| (shard.path.as_str(), shard.kind))
        .collect();
    let below = |store: &str| format!("{store}/{shard}");
    let expected = [
        (shard, LogKind::Stream),
        (&below("groups"), LogKind::Stream),
        (&below("caches"), LogKind::Cache),
    ];
    assert_eq!(shards, expected);
    assert!(
        root.shards
            .iter()
            .all(|shard| root.open_shard(shard).is_ok())
    );
    let foreign: Vec<&str> = root
        .foreign
        .iter()
        .filter_map(|foreign| foreign.name.to_str())
        .collect();
    let expected = [
        ".deleted/something",
        "acme_default_orders_1-0d3aed4b998d2798",
        "acme_default_orders_4294967296-0d3aed4b998d2798",
        "caches/lost+found",
        "counters",
    ];
    assert_eq!(foreign, expected);
    assert_eq!(root.leftovers, [format!("caches/{shard}.retired")]);
    assert_eq!(root.bins.len(), 1);
    assert_eq!(root.bins[0].names, [format!("streams.{shard}.0")]);
}
