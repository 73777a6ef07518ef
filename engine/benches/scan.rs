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
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
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

use by_hand::Refused;
use rounds::Rounds;

/// Far more than the caches of a processor hold.
const LOG_BYTES: usize = 128 << 20;

/// Small enough that a pass over one is rarely interrupted.
const SHORT_SEGMENT_BYTES: usize = 1 << 20;

/// Large enough that opening and mapping one is not all that is measured.
const SEGMENT_BYTES: usize = 16 << 20;

/// What records take in all, header and payload.
const RECORD_BYTES: [usize; 2] = [128, 1024];

/// Segments that are mapped already, one a call: what the records themselves cost.
fn mapped(criterion: &mut Criterion) {
    let access = Access {
        mode: Mode::Mapped,
        ..Access::default()
    };
    for record_bytes in RECORD_BYTES {
        let log = Log::write(record_bytes, SHORT_SEGMENT_BYTES);
        let files: Vec<_> = log.ids().map(|id| log.open(id)).collect();
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
            turns: 8192,
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
                (scan.kinds, scan.last_timestamp_micros)
            }),
            ("by hand", || {
                let map = map.next().expect("an endless cycle");
                let scan = scan_by_hand(map).expect("a sound header");
                assert_eq!(scan.end, log.len);
                (scan.kinds, scan.last_timestamp_micros)
            }),
        );
    }
}

/// All segments of a shard, opened and mapped anew by each call, as a start does it.
fn shard(criterion: &mut Criterion) {
    let log = Log::write(1024, SEGMENT_BYTES);
    let shard = Shard::look(log.directory(), None).expect("a listing");
    let ids: Vec<u64> = log.ids().collect();
    for jobs in [1, 2] {
        let rounds = Rounds {
            calls: 1,
            turns: 101,
        };
        rounds.compare(
            criterion,
            &format!(
                "{} segments, records of 1024 bytes, threads: {jobs}",
                log.segments
            ),
            Some(log.segments * log.len),
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
            if id >= log.segments {
                break;
            }
            let map = Map::of(&*log.open(id), log.len).expect("a mapping");
            let scan = scan_by_hand(&map).expect("a sound header");
            assert_eq!(scan.end, log.len);
            black_box((scan.kinds, scan.last_timestamp_micros));
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
}

/// What a hand would find out in a scan, without handing the records on.
struct ScanByHand {
    /// Where the intact records end.
    end: u64,
    /// How many there are, by the bits that mark a kind.
    kinds: [u64; 8],
    last_timestamp_micros: u64,
}

fn scan_by_hand(bytes: &[u8]) -> Result<ScanByHand, Refused> {
    let (header, mut rest) = bytes.split_at_checked(32).ok_or(Refused::Short)?;
    let header = by_hand::header(header)?;
    let (version, mut wanted) = (header.version.get().into(), header.base_offset.get());
    let (mut kinds, mut last_timestamp_micros) = ([0; 8], 0);
    while let Ok((record, behind)) = by_hand::record(rest, version) {
        if record.head.offset.get() != wanted {
            break;
        }
        kinds[(record.head.word.get() >> 29) as usize] += 1;
        last_timestamp_micros = record.head.timestamp_micros.get();
        wanted += 1;
        rest = behind;
    }
    Ok(ScanByHand {
        end: (bytes.len() - rest.len()) as u64,
        kinds,
        last_timestamp_micros,
    })
}

/// A shard directory of sealed segments without indexes.
struct Log {
    place: TempDir,
    segments: u64,
    /// Of each segment, in bytes.
    len: u64,
}

impl Log {
    fn write(record_bytes: usize, segment_bytes: usize) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        let version = SegmentHeader::write_version(&FeatureLevels::NONE);
        let payload: Vec<u8> = (0..record_bytes - Record::MIN)
            .map(|i| u8::try_from(i * 7 % 251).unwrap_or(0))
            .collect();
        let (mut offset, mut len) = (0, 0);
        let segments = (LOG_BYTES / segment_bytes) as u64;
        for id in 0..segments {
            let mut segment = Vec::with_capacity(segment_bytes);
            let header = SegmentHeader {
                base_offset: offset,
                created_at_micros: 0,
            };
            header.encode(version, &mut segment).expect("a header");
            while segment.len() + record_bytes <= segment_bytes {
                let time = 1_700_000_000_000_000 + offset * 137;
                by_hand::write_ordinary(offset, time, &payload, &mut segment).expect("a record");
                offset += 1;
            }
            len = segment.len() as u64;
            fs::write(place.path().join(name(id)), segment).expect("a segment");
        }
        Self {
            place,
            segments,
            len,
        }
    }

    fn ids(&self) -> Range<u64> {
        0..self.segments
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
