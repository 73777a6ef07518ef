//! What is read after the plan (Felix 7.9).

use ondisk::FeatureLevels;
use ondisk::checksum::crc32;
use ondisk::felix::name::Sidecar;
use ondisk::felix::{
    Batch, CacheOp, CacheRecord, EpochEntry, Epochs, Producer, Producers, Replica,
};
use ondisk_engine::disk::EntryKind;
use ondisk_engine::disk::memory::MemoryFile;
use ondisk_engine::felix::error::SidecarDamage;
use ondisk_engine::felix::opening::{LogKind, Projection, Sidecars};
use ondisk_engine::felix::producer::{Answer, SnapshotUse};
use ondisk_engine::felix::projection::cache::KeysUse;
use ondisk_engine::felix::recovery::Settings;
use ondisk_engine::felix::sidecar::Loaded;

use crate::build::{Dir, SegmentBytes, bytes, segment};

fn epochs(entries: &[(u64, u64)]) -> Vec<u8> {
    let entry = |&(generation, start_offset)| EpochEntry {
        generation,
        start_offset,
    };
    let epochs = Epochs {
        entries: entries.iter().map(entry).collect(),
    };
    let mut bytes = Vec::new();
    epochs
        .encode(Epochs::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("epochs");
    bytes
}

/// Id, last sequence, batches.
type Known<'a> = (u64, u64, &'a [(u64, u32)]);

fn producers(as_of: u64, producers: &[Known<'_>]) -> Vec<u8> {
    let producer = |&(id, last_sequence, batches): &Known<'_>| Producer {
        id,
        last_sequence,
        batches: batches
            .iter()
            .map(|&(first, len)| Batch {
                first,
                len,
                digest: None,
            })
            .collect(),
    };
    let snapshot = Producers {
        as_of,
        open: None,
        producers: producers.iter().map(producer).collect(),
    };
    let mut bytes = Vec::new();
    snapshot
        .encode(Producers::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("producers");
    bytes
}

/// The payload of a record that puts a key.
fn put() -> Vec<u8> {
    let put = CacheRecord {
        op: CacheOp::Put,
        expires_at_millis: 0,
        entry_version: None,
        key: "k",
        value: b"v",
    };
    let mut payload = Vec::new();
    put.encode(
        CacheRecord::write_version(&FeatureLevels::NONE),
        &mut payload,
    )
    .expect("a cache record");
    payload
}

#[test]
fn epochs_past_the_tail_are_dropped() {
    let dir = Dir::new()
        .with(0, &segment(0, 4))
        .sidecar(Sidecar::Epochs, &epochs(&[(1, 0), (2, 4), (3, 5)]));
    let opening = dir.open(LogKind::Stream, &Settings::default());
    let generations: Vec<u64> = opening
        .state
        .epochs
        .iter()
        .map(|entry| entry.generation)
        .collect();
    assert_eq!(generations, [1, 2], "one that starts at the tail is kept");
}

#[test]
fn the_first_that_fails_is_named() {
    let mut replica = Vec::new();
    let value = Replica {
        reserved: 0,
        generation: 1,
        commit: 2,
    };
    value
        .encode(Replica::write_version(&FeatureLevels::NONE), &mut replica)
        .expect("a replica");
    let rotten: Vec<u8> = replica.iter().map(|byte| byte ^ 1).collect();
    let log = || Dir::new().with(0, &segment(0, 4).short_by(1));
    for (name, dir, expected) in [
        (
            "the manifest before the plan",
            log()
                .sidecar(Sidecar::Manifest, b"x")
                .sidecar(Sidecar::Replica, &rotten),
            "refused(Sidecar:offload.manifest)",
        ),
        (
            "the plan before replica",
            Dir::new()
                .with(0, &segment(0, 4).rot(70))
                .sidecar(Sidecar::Replica, &rotten),
            "refused(RecordChecksum)",
        ),
        (
            "replica before ballot",
            log()
                .sidecar(Sidecar::Replica, &rotten)
                .sidecar(Sidecar::Ballot, b""),
            "refused(Sidecar:replica)",
        ),
        (
            "ballot",
            log()
                .sidecar(Sidecar::Replica, &replica)
                .sidecar(Sidecar::Ballot, b""),
            "refused(Sidecar:ballot)",
        ),
        (
            "none",
            log().sidecar(Sidecar::Replica, &replica),
            "repaired(torn_tail)",
        ),
    ] {
        let opening = dir.open(LogKind::Stream, &Settings::default());
        assert_eq!(opening.category().to_string(), expected, "{name}");
        assert!(!opening.is_sound());
    }
}

#[test]
fn a_snapshot_of_another_log_is_ignored() {
    let marked = SegmentBytes::new(3, 4)
        .opens(1, 0, 2)
        .continues()
        .records(1);
    let last = |snapshot: Option<Vec<u8>>| {
        let mut dir = Dir::new().with(0, &segment(0, 4)).with(1, &marked);
        if let Some(snapshot) = snapshot {
            dir = dir.sidecar(Sidecar::Producers, &snapshot);
        }
        let rebuilt = dir
            .open(LogKind::Stream, &Settings::default())
            .state
            .producers
            .expect("the producers");
        (
            rebuilt.snapshot,
            rebuilt.state.known(1).map(|known| known.last()),
            rebuilt.state.known(9).is_some(),
        )
    };
    let nine: &[Known<'_>] = &[(9, 5, &[(1, 2)])];
    assert_eq!(last(None), (SnapshotUse::Absent, Some(0), false));
    assert_eq!(
        last(Some(producers(4, nine))),
        (SnapshotUse::Used, Some(0), true)
    );
    assert_eq!(
        last(Some(producers(7, nine))),
        (SnapshotUse::Used, None, true),
        "it covers all"
    );
    assert_eq!(
        last(Some(producers(8, nine))),
        (SnapshotUse::Ignored, Some(0), false),
        "past the tail"
    );
    assert_eq!(
        last(Some(b"FLPS".to_vec())),
        (SnapshotUse::Ignored, Some(0), false),
        "damaged"
    );
}

#[test]
fn unmarked_segments_end_a_batch_without_being_read() {
    let opens = SegmentBytes::new(3, 0).opens(1, 0, 3).continues();
    let waits = |dir: Dir, verify_all_on_open| {
        let settings = Settings {
            verify_all_on_open,
            ..Settings::default()
        };
        let state = dir
            .open(LogKind::Stream, &settings)
            .state
            .producers
            .expect("the producers")
            .state;
        state.classify(1, 0)
    };
    for verify in [false, true] {
        let alone = Dir::new().with(0, &opens);
        assert_eq!(
            waits(alone, verify),
            Answer::Partial {
                first: 0,
                held: 2,
                len: 3
            }
        );
        let followed = Dir::new().with(0, &opens).with(1, &segment(2, 2));
        assert_eq!(waits(followed, verify), Answer::Unknown);
        let empty_behind = Dir::new().with(0, &opens).with(1, &segment(2, 0));
        assert_eq!(
            waits(empty_behind, verify),
            Answer::Partial {
                first: 0,
                held: 2,
                len: 3
            }
        );
        let finished = Dir::new()
            .with(0, &opens)
            .with(1, &SegmentBytes::new(3, 2).continues());
        assert_eq!(waits(finished, verify), Answer::Held { first: 0, last: 2 });
    }
}

#[test]
fn a_payload_that_is_no_cache_record_fails_the_open() {
    let payload = put();
    let good = SegmentBytes::new(4, 0)
        .generation_start(1)
        .payload(&payload);
    let opening = Dir::new()
        .with(0, &good)
        .open(LogKind::Cache, &Settings::default());
    let Some(Projection::Cache(projected)) = &opening.state.projection else {
        panic!("{opening:?}")
    };
    assert_eq!(projected.cache.get("k").map(|entry| entry.offset), Some(1));
    assert_eq!(projected.cache.log_bytes(), payload.len() as u64);

    let bad = good.payload(b"short");
    let dir = Dir::new().with(0, &bad);
    let opening = dir.open(LogKind::Cache, &Settings::default());
    assert_eq!(
        opening.category().to_string(),
        "refused(CacheRecordTooShort)"
    );
    let refusal = opening.refusal.expect("it is refused").to_string();
    assert!(refusal.contains("segment 0, byte 112"), "{refusal}");
    assert!(
        opening.plan.expect("a plan").log.is_some(),
        "the log itself is sound"
    );
    assert_eq!(
        dir.open(LogKind::Counter, &Settings::default())
            .category()
            .to_string(),
        "refused(CounterRecord)"
    );
    assert_eq!(
        dir.open(LogKind::Stream, &Settings::default())
            .category()
            .to_string(),
        "open_ok"
    );
    assert_eq!(bytes(0), 32);
}

#[test]
fn a_derived_file_that_cannot_be_read_counts_as_absent() {
    for kind in [EntryKind::Directory, EntryKind::Link, EntryKind::Other] {
        let dir = Dir::new().with(0, &segment(0, 0).payload(&put()));
        for sidecar in [Sidecar::Producers, Sidecar::KeyIndex] {
            dir.0.put_irregular(sidecar.file_name(), kind);
        }
        let opening = dir.open(LogKind::Cache, &Settings::default());
        assert!(opening.is_sound());
        let rebuilt = opening.state.producers.expect("the producers");
        assert_eq!(rebuilt.snapshot, SnapshotUse::Absent, "{kind:?}");
        let Some(Projection::Cache(projected)) = opening.state.projection else {
            panic!("no cache");
        };
        assert_eq!(projected.keys, KeysUse::Absent, "{kind:?}");
        assert_eq!(projected.cache.entries().len(), 1);
    }
}

#[test]
fn a_derived_file_says_why_it_counts_for_nothing() {
    let sound = epochs(&[(1, 0)]);
    let told = |dir: &Dir| {
        let loaded = Sidecars::load(&dir.look()).expect("the sidecars can be read");
        let epochs = loaded.epochs;
        let damage = epochs.damage().map(|damage| damage.name());
        (epochs.sound().is_some(), epochs.is_ignored(), damage)
    };
    assert_eq!(told(&Dir::new()), (false, false, None), "absent");
    let there = |bytes: &[u8]| told(&Dir::new().sidecar(Sidecar::Epochs, bytes));
    assert_eq!(there(&sound), (true, false, None), "sound");
    assert_eq!(there(&sound[..3]), (false, true, Some("Short")), "short");
    let irregular = Dir::new();
    irregular.0.put_irregular("epochs", EntryKind::Directory);
    assert_eq!(told(&irregular), (false, true, None), "a directory");
    let unreadable = Dir::new();
    unreadable
        .0
        .put("epochs", MemoryFile::of(&sound).unreadable());
    assert_eq!(told(&unreadable), (false, true, None), "unreadable");
}

#[test]
fn a_manifest_is_read_by_base() {
    let dir =
        Dir::new()
            .with(0, &segment(0, 1))
            .manifest(&[(2, 8, 11, 9), (0, 0, 3, 9), (1, 4, 7, 9)]);
    let sidecars = Sidecars::load(&dir.look()).expect("the sidecars can be read");
    let Loaded::Sound(entries) = sidecars.manifest else {
        panic!("it decodes: entries may stand in any order");
    };
    let bases: Vec<u64> = entries.iter().map(|entry| entry.base_offset).collect();
    assert_eq!(bases, [0, 4, 8]);
}

#[test]
fn what_is_wrong_with_a_manifest() {
    let entry = |base: u64, last: u64, key: &[u8]| {
        let mut bytes = Vec::new();
        for number in [0, base, last, 0, 0, 0] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend([0; 4]);
        bytes.extend(u16::try_from(key.len()).expect("a short key").to_be_bytes());
        bytes.extend(key);
        bytes
    };
    let manifest = |magic: &[u8; 4], version: u8, count: u8, entries: Vec<u8>| {
        let head = [&magic[..], &[0, version, 0, 0, 0, 0, 0, count]].concat();
        let bytes = [head, entries].concat();
        let crc = crc32(0, &bytes).to_be_bytes();
        [&bytes[..], &crc].concat()
    };
    let one = || entry(0, 3, b"key");
    for (name, bytes, expected) in [
        (
            "the checksum comes before the magic",
            [&b"FLX1"[..], &manifest(b"FLOF", 1, 1, one())[4..]].concat(),
            "Checksum",
        ),
        ("magic", manifest(b"FLX1", 9, 1, one()), "Magic"),
        ("version", manifest(b"FLOF", 2, 1, one()), "Version"),
        (
            "an impossible count",
            manifest(b"FLOF", 1, 2, one()),
            "count",
        ),
        (
            "the last offset below the base",
            manifest(b"FLOF", 1, 1, entry(4, 3, b"key")),
            "last_offset",
        ),
        (
            "a key that is no text",
            manifest(b"FLOF", 1, 1, entry(0, 3, b"\xff")),
            "key",
        ),
        (
            "bytes behind the entries",
            manifest(b"FLOF", 1, 1, [one(), vec![0]].concat()),
            "entries",
        ),
        (
            "an overlap",
            manifest(b"FLOF", 1, 2, [one(), entry(3, 5, b"key")].concat()),
            "entries",
        ),
    ] {
        let dir = Dir::new()
            .with(0, &segment(0, 1))
            .sidecar(Sidecar::Manifest, &bytes);
        let sidecars = Sidecars::load(&dir.look()).expect("the sidecars can be read");
        let found = match sidecars.manifest.damage() {
            Some(SidecarDamage::Field { name }) => name,
            Some(damage) => damage.name(),
            None => "none",
        };
        assert_eq!(found, expected, "{name}");
    }
}
