//! Scanning segments in full, mapped: the engine against the least code that verifies the same records.
//! `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

#[path = "../../format/benches/by_hand/mod.rs"]
mod by_hand;
#[path = "../../format/benches/machine/mod.rs"]
mod machine;
#[path = "../../format/benches/rounds/mod.rs"]
mod rounds;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use criterion::{Criterion, criterion_group, criterion_main};
use ondisk::FeatureLevels;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Record, SegmentHeader};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{Directory, File};
use ondisk_engine::felix::recovery::Scans;
use ondisk_engine::felix::segment::{self, Access, Mode, Source};
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::map::Map;
use tempfile::TempDir;

use rounds::Rounds;

/// Small enough that a pass over one is rarely interrupted.
const SEGMENT_BYTES: usize = 8 << 20;

/// Together far more than the caches of a processor hold.
const SEGMENTS: u64 = 16;

/// What records take in all, header and payload.
const RECORD_BYTES: [usize; 2] = [128, 1024];

/// Segments that are mapped already, one a call: what the records themselves cost.
fn mapped(criterion: &mut Criterion) {
    let access = Access {
        mode: Mode::Mapped,
        ..Access::default()
    };
    for record_bytes in RECORD_BYTES {
        let log = Log::write(record_bytes);
        let files: Vec<_> = (0..SEGMENTS).map(|id| log.open(id)).collect();
        let mut sources: Vec<_> = files
            .iter()
            .map(|file| Source::new(Arc::clone(file), log.len, access).expect("a mapping"))
            .collect();
        let maps: Vec<_> = files
            .iter()
            .map(|file| Map::of(&**file, log.len).expect("a mapping"))
            .collect();
        let (mut source, mut map) = ((0..sources.len()).cycle(), maps.iter().cycle());
        let rounds = Rounds {
            calls: 1,
            turns: 1001,
        };
        rounds.compare(
            criterion,
            &format!("mapped, records of {record_bytes} bytes"),
            Some(log.len),
            ("engine", || {
                let source = &mut sources[source.next().expect("an endless cycle")];
                let scan = segment::full(source, &mut |_| ControlFlow::Continue(()));
                let scan = scan.expect("no failed read").expect("a sound header");
                assert_eq!(scan.valid_bytes, log.len);
            }),
            ("by hand", || {
                let map = map.next().expect("an endless cycle");
                assert_eq!(scan_by_hand(map), log.len);
            }),
        );
    }
}

/// All segments of a shard, opened and mapped anew by each call, as a start does it.
fn shard(criterion: &mut Criterion) {
    let log = Log::write(1024);
    let shard = Shard::look(log.directory(), None).expect("a listing");
    let ids: Vec<u64> = (0..SEGMENTS).collect();
    for jobs in [1, 2] {
        let rounds = Rounds {
            calls: 1,
            turns: 101,
        };
        rounds.compare(
            criterion,
            &format!("{SEGMENTS} segments, records of 1024 bytes, threads: {jobs}"),
            Some(SEGMENTS * log.len),
            ("engine", || {
                let access = Access {
                    mode: Mode::Mapped,
                    jobs: NonZeroUsize::new(jobs).expect("at least one"),
                    progress: None,
                };
                let scans = Scans::new(&shard, access);
                scans.warm(&ids);
                assert!(ids.iter().all(|&id| scans.known(id).is_some()));
            }),
            ("by hand", || shard_by_hand(&log, jobs)),
        );
    }
}

fn shard_by_hand(log: &Log, jobs: usize) {
    let next = AtomicU64::new(0);
    let work = || {
        loop {
            let id = next.fetch_add(1, Ordering::Relaxed);
            if id >= SEGMENTS {
                break;
            }
            let map = Map::of(&*log.open(id), log.len).expect("a mapping");
            assert_eq!(scan_by_hand(&map), log.len);
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
}

/// Where the intact records end.
fn scan_by_hand(bytes: &[u8]) -> u64 {
    let Some((header, mut rest)) = bytes.split_at_checked(SegmentHeader::MIN) else {
        return 0;
    };
    let Ok(header) = by_hand::header(header) else {
        return 0;
    };
    let (version, mut wanted) = (header.version.get().into(), header.base_offset.get());
    while let Ok((record, behind)) = by_hand::record(rest, version) {
        if record.head.offset.get() != wanted {
            break;
        }
        wanted += 1;
        rest = behind;
    }
    (bytes.len() - rest.len()) as u64
}

/// A shard directory of sealed segments without indexes.
struct Log {
    place: TempDir,
    /// Of each segment, in bytes.
    len: u64,
}

impl Log {
    fn write(record_bytes: usize) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        let version = SegmentHeader::write_version(&FeatureLevels::NONE);
        let payload: Vec<u8> = (0..record_bytes - Record::MIN)
            .map(|i| u8::try_from(i * 7 % 251).unwrap_or(0))
            .collect();
        let (mut offset, mut len) = (0, 0);
        for id in 0..SEGMENTS {
            let mut segment = Vec::with_capacity(SEGMENT_BYTES);
            let header = SegmentHeader {
                base_offset: offset,
                created_at_micros: 0,
            };
            header.encode(version, &mut segment).expect("a header");
            while segment.len() + record_bytes <= SEGMENT_BYTES {
                let time = 1_700_000_000_000_000 + offset * 137;
                by_hand::write_ordinary(offset, time, &payload, &mut segment).expect("a record");
                offset += 1;
            }
            len = segment.len() as u64;
            fs::write(place.path().join(name(id)), segment).expect("a segment");
        }
        Self { place, len }
    }

    fn directory(&self) -> Arc<dyn Directory> {
        RealDirectory::open(self.place.path()).expect("the directory")
    }

    fn open(&self, id: u64) -> Arc<dyn File> {
        self.directory().file(&name(id)).expect("the segment")
    }
}

fn name(id: u64) -> String {
    SegmentFile::Log { id }.to_string()
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = machine::print, mapped, shard
}
criterion_main!(benches);
