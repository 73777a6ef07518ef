//! Programs that write a file anew and rename it into place without a sync of its bytes: the name is durable before the
//! contents, and after power loss the file is empty, neither old nor new.
//! Here every file that nothing else can rebuild is synced before it takes its name, and found old or new, whole; the one
//! that is not synced is derived, and made again (Felix 1.5, 11.1).

use std::sync::Arc;

use ondisk::felix::name::Sidecar;
use ondisk::felix::{ProducerTag, Registration, RunState, StorageId, StreamMarker, feature};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Entry, Log, Mark};
use ondisk_engine::felix::sidecar::manifest;
use ondisk_engine::felix::store::{Store, StoreConfig};

use crate::bench::{append_next, bytes, config, environment, files, goes_on, open, reports};
use crate::build::{Shard, copied, put};
use crate::power::{cut_everywhere, settle};

/// Every sidecar that is replaced durably.
const REPLACED: [Sidecar; 4] = [
    Sidecar::Epochs,
    Sidecar::Replica,
    Sidecar::Ballot,
    Sidecar::Manifest,
];

/// A log with each of the sidecars.
fn prepare(directory: &Arc<dyn Directory>) {
    let log = open(directory, &config()).expect("it opens");
    append_next(&log, 10).expect("it appends");
    log.accept(1, Some("first")).expect("it is stored");
    log.record_epoch(1, 3).expect("it is stored");
    log.advance_commit(2).expect("it is open");
    log.close().expect("it closes");
    manifest::store(&**directory, &[copied(0), copied(1)]).expect("it is stored");
}

/// Writes each of them once more.
fn write_anew(directory: &Arc<dyn Directory>) -> Result<(), StorageError> {
    let log = Log::open_in(Arc::clone(directory), config(), &environment())?;
    log.accept(2, Some("second"))?;
    log.record_epoch(2, 6)?;
    log.truncate(7)
}

#[test]
pub fn a_sidecar_is_found_old_or_new_and_never_empty() {
    let (before, after) = {
        let directory = Shard::new().0;
        prepare(&directory);
        let before = files(&*directory);
        write_anew(&directory).expect("the disk works");
        (before, files(&*directory))
    };
    cut_everywhere(
        prepare,
        |directory, _: &mut ()| write_anew(directory),
        |found| {
            let directory = found.directory();
            for sidecar in REPLACED {
                let name = sidecar.file_name();
                let there = bytes(&*directory, name).expect("it is there");
                let (old, new) = (&before[name], &after[name]);
                assert_ne!(old, new, "{name}");
                let is_new = there == *new;
                assert!(is_new || there == *old, "{name}, {}", found.place);
                assert!(is_new || !found.finished, "{name}, {}", found.place);
            }
            let log = open(&directory, &config()).expect(&found.place);
            let now = log.accepted();
            let leader = now.leader.as_deref();
            let votes = [(1, Some("first")), (2, Some("second"))];
            assert!(votes.contains(&(now.generation, leader)), "{}", found.place);
            goes_on(&found.place, &directory, &config(), log);
        },
    );
}

fn store_config(incarnation: u64) -> StoreConfig {
    let level = feature::STREAM_INCARNATIONS;
    StoreConfig {
        log: config().with_feature(level.name, level.level),
        environment: environment(),
        control_plane_incarnation: Some(incarnation),
        node_id_is_read: true,
        ..StoreConfig::default()
    }
}

/// A run of a data directory, registered at `incarnation`, which is that of the one stream in it as well.
fn run(root: &Arc<dyn Directory>, incarnation: u64) -> Result<(), StorageError> {
    use ondisk::felix::name::{ShardKey, Store::Streams};
    let store = Store::open_in(Arc::clone(root), store_config(incarnation))?;
    store.register(incarnation)?;
    store.node_id()?;
    let key = ShardKey::new("acme", "default", "orders", 0);
    store.open_incarnation(Streams, &key, incarnation)?;
    store.shutdown()
}

#[test]
fn a_file_of_identity_is_found_old_or_new_and_never_empty() {
    let is_sound = |name: &str, bytes: &[u8]| match name {
        "storage-id" => StorageId::view(bytes).is_ok(),
        "run-state" => RunState::view(bytes).is_ok(),
        "registration" => Registration::view(bytes)
            .is_ok_and(|registration| [3, 4].contains(&registration.incarnation())),
        "node-id" => bytes.starts_with(b"node-") && bytes.len() == 38,
        _ => StreamMarker::view(bytes)
            .is_ok_and(|marker| [Some(3), Some(4)].contains(&marker.to_value().incarnation)),
    };
    cut_everywhere(
        |root| run(root, 3).expect("the disk works"),
        |root, _: &mut ()| run(root, 4),
        |found| {
            let root = found.directory();
            let mut there = files(&*root);
            let markers = root.directory(".streams").expect("it is there");
            there.append(&mut files(&*markers));
            there.retain(|name, _| !name.ends_with(".tmp"));
            let identity = ["node-id", "registration", "run-state", "storage-id"];
            assert!(identity.iter().all(|&name| there.contains_key(name)));
            assert_eq!(there.len(), 5, "{}", found.place);
            for (name, bytes) in there {
                assert!(is_sound(&name, &bytes), "{name}, {}", found.place);
            }
            run(&root, 4).expect(&found.place);
        },
    );
}

/// The one file that is renamed unsynced.
#[test]
fn a_producer_snapshot_that_power_loss_left_empty_is_made_again() {
    let directory = Shard::new().0;
    let log = open(&directory, &config()).expect("it opens");
    for sequence in 0..5 {
        let tag = ProducerTag {
            producer_id: 7,
            sequence,
            len: 1,
        };
        let entry = Entry::new(b"p").marked(Mark::Opens(tag));
        log.append(&[entry]).expect("it appends");
    }
    log.roll().expect("it rolls");
    let known = log.producers();
    log.close().expect("it closes");
    settle(&*directory);
    let name = Sidecar::Producers.file_name();
    assert!(bytes(&*directory, name).is_some());
    put(&*directory, name, &[]);
    let log = open(&directory, &config()).expect("it opens");
    assert_eq!(reports(&log), [""; 0]);
    assert_eq!(log.producers(), known);
    goes_on("without a snapshot", &directory, &config(), log);
}
