//! Programs that refuse to start over a temporary file that a crash left, that take it for the file itself, or that write
//! through a link somebody planted under its name.
//! Here no reader looks at one while there is a segment, and every writer takes away what is there and creates it anew
//! (Felix 1.5, 2.6, 7.6).

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use ondisk::felix::name::Store::Streams;
use ondisk::felix::name::{IdentityFile, SegmentFile, ShardKey, Sidecar};
use ondisk::felix::{ProducerTag, feature};
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, EntryKind};
use ondisk_engine::felix::log::{Entry, Log, Mark};
use ondisk_engine::felix::sidecar::manifest;
use ondisk_engine::felix::store::{Store, StoreConfig};

use crate::bench::{append_next, as_written, config, environment, goes_on, open, records};
use crate::build::{Segment, copied};

/// What a crash or a hostile hand leaves under a temporary name.
#[derive(Clone, Copy, Debug)]
enum Left {
    Nothing,
    HalfAFile,
    /// A new segment that is whole, as a truncation leaves it before its rename.
    WholeSegment,
    Link,
}

const LEFT: [Left; 4] = [
    Left::Nothing,
    Left::HalfAFile,
    Left::WholeSegment,
    Left::Link,
];

fn leave(directory: &MemoryDirectory, name: &str, left: Left) {
    match left {
        Left::Nothing => directory.put(name, MemoryFile::default()),
        Left::HalfAFile => directory.put(name, MemoryFile::of(&[b'?'; 40])),
        Left::WholeSegment => directory.put(name, MemoryFile::of(&Segment::at(77).bytes)),
        Left::Link => directory.put_irregular(name, EntryKind::Link),
    }
}

fn temporary(id: u64) -> String {
    SegmentFile::Temporary { id }.to_string()
}

/// Every temporary name of a shard.
fn names() -> Vec<String> {
    let sidecars = Sidecar::ALL.into_iter().filter_map(Sidecar::temporary_name);
    let segments = (0..5).map(temporary);
    sidecars.map(str::to_owned).chain(segments).collect()
}

/// Ten records in three segments.
fn filled() -> (Arc<MemoryDirectory>, Arc<dyn Directory>) {
    let memory = Arc::new(MemoryDirectory::new("shard"));
    let directory = Arc::clone(&memory) as Arc<dyn Directory>;
    let log = open(&directory, &config()).expect("it opens");
    append_next(&log, 10).expect("it appends");
    log.close().expect("it closes");
    manifest::store(&*directory, &[copied(0)]).expect("it is stored");
    (memory, directory)
}

#[test]
fn an_open_ignores_the_temporaries_of_every_writer() {
    let all = names();
    let each = all.chunks(1).chain([all.as_slice()]);
    for (left, names) in LEFT
        .iter()
        .flat_map(|left| each.clone().map(move |names| (left, names)))
    {
        let (memory, directory) = filled();
        for name in names {
            leave(&memory, name, *left);
        }
        let log = open(&directory, &config()).expect("it opens");
        let what = format!("{left:?} in {names:?}");
        assert_eq!(log.recovered().reports, [], "{what}");
        assert_eq!(records(&log), as_written(0..10), "{what}");
        goes_on(&what, &directory, &config(), log);
    }
}

type Write = fn(&Log);

/// Each writer, and the temporaries that it is to replace.
fn writers() -> Vec<(&'static str, Write, Vec<String>)> {
    let of = |sidecars: &[Sidecar]| -> Vec<String> {
        let names = sidecars
            .iter()
            .filter_map(|sidecar| sidecar.temporary_name());
        names.map(str::to_owned).collect()
    };
    vec![
        (
            "generations",
            |log| log.record_epoch(1, 3).expect("it is stored"),
            of(&[Sidecar::Epochs]),
        ),
        (
            "a vote",
            |log| drop(log.accept(1, Some("leader")).expect("it is stored")),
            of(&[Sidecar::Ballot, Sidecar::Replica]),
        ),
        (
            "producers",
            |log| {
                let tag = ProducerTag {
                    producer_id: 7,
                    sequence: 0,
                    len: 1,
                };
                let batch = [Entry::new(b"p").marked(Mark::Opens(tag))];
                log.append(&batch).expect("it appends");
                log.roll().expect("it rolls");
            },
            of(&[Sidecar::Producers]),
        ),
        (
            "a truncation",
            |log| log.truncate(2).expect("it cuts"),
            of(&[Sidecar::Manifest, Sidecar::KeyIndex]),
        ),
        (
            "a truncation below everything",
            |log| log.truncate(0).expect("it cuts"),
            (0..5).map(temporary).collect(),
        ),
        (
            "a reset",
            |log| log.reset_to(50).expect("it begins anew"),
            (0..5).map(temporary).collect(),
        ),
    ]
}

#[test]
fn every_writer_replaces_its_temporary() {
    for left in LEFT {
        for (writer, write, replaced) in writers() {
            let what = format!("{writer}, {left:?}");
            let (memory, directory) = filled();
            for name in names() {
                leave(&memory, &name, left);
            }
            let log = open(&directory, &config()).expect("it opens");
            write(&log);
            for name in replaced {
                let there = directory.stat(&name);
                assert!(there.is_err(), "{what}: {name} is still there");
            }
            let known = (
                log.accepted(),
                log.epochs(),
                log.producers(),
                log.offloaded(),
            );
            let (base, expected) = (log.base(), records(&log));
            log.close().expect("it closes");
            let log = open(&directory, &config()).expect("it opens");
            assert_eq!(log.recovered().reports, [], "{what}");
            assert_eq!((log.base(), records(&log)), (base, expected), "{what}");
            let reopened = (
                log.accepted(),
                log.epochs(),
                log.producers(),
                log.offloaded(),
            );
            assert_eq!(reopened, known, "{what}");
            goes_on(&what, &directory, &config(), log);
        }
    }
}

/// The writer that needs pages which somebody holds.
#[test]
fn a_truncation_under_a_reader_replaces_its_temporary() {
    for is_link in [false, true] {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("shard");
        let log = Log::open_with(&path, config(), &environment()).expect("it opens");
        append_next(&log, 4).expect("it appends");
        let kept = log.read_range(0, u64::MAX).expect("it reads");
        let (planted, elsewhere) = (path.join(temporary(0)), place.path().join("elsewhere"));
        fs::write(&elsewhere, b"not ours").expect("it is written");
        if is_link {
            symlink(&elsewhere, &planted).expect("it is planted");
        } else {
            fs::write(&planted, [b'?'; 4000]).expect("it is written");
        }
        log.truncate(2).expect("it cuts");
        assert!(!planted.exists());
        let left = fs::read(&elsewhere).expect("it is there");
        assert_eq!(left, b"not ours", "nothing is written through a link");
        assert_eq!(kept.len(), 4);
        assert_eq!(records(&log), as_written(0..2));
        let directory = RealDirectory::open(&path).expect("it opens") as _;
        goes_on("under a reader", &directory, &config(), log);
    }
}

#[test]
fn a_data_directory_ignores_and_replaces_its_temporaries() {
    let key = ShardKey::new("acme", "default", "orders", 0);
    let marker = key.stream_key().marker_name();
    let incarnations = feature::STREAM_INCARNATIONS;
    for left in LEFT {
        let root = Arc::new(MemoryDirectory::new("root"));
        let markers = root.put_directory(".streams");
        leave(&markers, &format!("{marker}.tmp"), left);
        for identity in IdentityFile::ALL {
            leave(&root, identity.temporary_name(), left);
        }
        let config = StoreConfig {
            log: config().with_feature(incarnations.name, incarnations.level),
            environment: environment(),
            control_plane_incarnation: Some(3),
            node_id_is_read: true,
            ..StoreConfig::default()
        };
        let store = Store::open_in(Arc::clone(&root) as Arc<dyn Directory>, config);
        let store = store.unwrap_or_else(|error| panic!("{left:?}: {error}"));
        store.register(3).expect("it is stored");
        store.node_id().expect("it is stored");
        store.open_incarnation(Streams, &key, 3).expect("it opens");
        store.shutdown().expect("a clean end");
        let identity = IdentityFile::ALL.map(|file| (file.file_name(), file.temporary_name()));
        for (name, temporary) in identity {
            is_replaced(&*root, name, temporary);
        }
        is_replaced(&*markers, &marker, &format!("{marker}.tmp"));
    }
}

fn is_replaced(directory: &dyn Directory, name: &str, temporary: &str) {
    assert!(directory.stat(temporary).is_err(), "{temporary}");
    let (kind, _) = directory.stat(name).expect("it is stored");
    assert_eq!(kind, EntryKind::File, "{name}");
}
