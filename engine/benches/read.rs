//! Reading a log: single records and all of them, against the least code that finds and checks the same in pages that are
//! mapped already; and opening a shard that was closed well. `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

#[path = "../../format/benches/by_hand/mod.rs"]
mod by_hand;
#[path = "../../format/benches/machine/mod.rs"]
mod machine;
#[path = "../../format/benches/rounds/mod.rs"]
mod rounds;

use std::cell::Cell;

use criterion::{Criterion, criterion_group, criterion_main};
use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{Bound, Config, Entry, FsyncMode, Log, ReadMode};
use ondisk_engine::map::Map;
use tempfile::TempDir;
use zerocopy::FromBytes;

use by_hand::{Record, RecordHead, Refused};
use rounds::Rounds;

/// Far more than the caches of a processor hold.
const LOG_BYTES: u64 = 128 << 20;
const SEGMENT_BYTES: u64 = 16 << 20;

/// Payloads of 100 bytes, the usual measure, and of a kibibyte with its header.
const PAYLOADS: [usize; 2] = [100, 996];

/// One record at a random offset: what a consumer that comes back, or a key index, asks for.
fn points(criterion: &mut Criterion) {
    for payload in PAYLOADS {
        let place = Shard::write(payload, SEGMENT_BYTES);
        let maps = place.map();
        for (mode, read_mode) in [("mapped", ReadMode::Mapped), ("pread", ReadMode::Pread)] {
            let log = place.open(Config {
                read_mode,
                ..config(SEGMENT_BYTES)
            });
            let records = log.tail();
            // Each its own: of the same, the second would find in the caches what the first one brought there.
            let next = Offsets::new(records, 0x9e37_79b9_7f4a_7c15);
            let other = Offsets::new(records, 0xd1b5_4a32_d192_ed03);
            let rounds = Rounds {
                calls: 100,
                turns: 4096,
            };
            rounds.compare(
                criterion,
                &format!("one record of {payload} bytes, {mode}"),
                None,
                ("log", || {
                    let mut read = log.read(next.next(), Bound::Tail).expect("an offset");
                    let record = read.next().expect("no failed read").expect("a record");
                    (record.timestamp_micros(), record.payload().len())
                }),
                ("by hand, mapped", || {
                    let record = maps.find(other.next()).expect("a record");
                    (record.head.timestamp_micros.get(), record.payload.len())
                }),
            );
        }
    }
}

/// All records in order.
fn whole(criterion: &mut Criterion) {
    for payload in PAYLOADS {
        let place = Shard::write(payload, SEGMENT_BYTES);
        let maps = place.map();
        let bytes = maps.bytes();
        for (mode, read_mode) in [("mapped", ReadMode::Mapped), ("pread", ReadMode::Pread)] {
            let log = place.open(Config {
                read_mode,
                ..config(SEGMENT_BYTES)
            });
            let rounds = Rounds {
                calls: 1,
                turns: 101,
            };
            rounds.compare(
                criterion,
                &format!("all records of {payload} bytes, {mode}"),
                Some(bytes),
                ("log", || {
                    let mut read = log.read(0, Bound::Tail).expect("an offset");
                    let mut sum = 0;
                    while let Some(record) = read.next().expect("no failed read") {
                        sum += record.payload().len();
                    }
                    assert_eq!(read.position(), log.tail());
                    sum
                }),
                ("by hand, mapped", || {
                    let (mut sum, mut wanted) = (0, 0);
                    for segment in &maps.segments {
                        let mut rest = segment.records();
                        while !rest.is_empty() {
                            let (record, behind) =
                                by_hand::record(rest, segment.version).expect("a record");
                            assert_eq!(record.head.offset.get(), wanted);
                            sum += record.payload.len();
                            wanted += 1;
                            rest = behind;
                        }
                    }
                    assert_eq!(wanted, log.tail());
                    sum
                }),
            );
        }
    }
}

/// Opening what was closed well, against a look at every record of the newest segment, which an open cannot do without.
fn opening(criterion: &mut Criterion) {
    for (name, segment_bytes) in [("8 segments", 16 << 20), ("1,000 segments", 128 << 10)] {
        let place = Shard::write(996, segment_bytes);
        let newest = place.map();
        let newest = newest.segments.last().expect("a segment");
        let rounds = Rounds {
            calls: 1,
            turns: 101,
        };
        rounds.compare(
            criterion,
            &format!("open a clean shard of 128 MiB, {name}"),
            None,
            ("open", || {
                place
                    .open(config(segment_bytes))
                    .close()
                    .expect("it closes")
            }),
            ("newest segment by hand", || {
                let mut rest = newest.records();
                let mut records = 0;
                while !rest.is_empty() {
                    rest = by_hand::record(rest, newest.version).expect("a record").1;
                    records += 1;
                }
                records
            }),
        );
    }
}

/// Offsets in no order.
struct Offsets {
    state: Cell<u64>,
    end: u64,
}

impl Offsets {
    fn new(end: u64, state: u64) -> Self {
        Self {
            state: Cell::new(state),
            end,
        }
    }

    fn next(&self) -> u64 {
        let mut state = self.state.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.state.set(state);
        state % self.end
    }
}

fn config(segment_size_bytes: u64) -> Config {
    Config {
        segment_size_bytes,
        fsync: FsyncMode::None,
        ..Config::default()
    }
}

/// A directory with a log of sealed segments and their indexes, written by the log itself.
struct Shard {
    place: TempDir,
}

impl Shard {
    fn write(payload: usize, segment_bytes: u64) -> Self {
        let shard = Self {
            place: tempfile::tempdir().expect("a directory"),
        };
        let log = shard.open(config(segment_bytes));
        let bytes: Vec<u8> = (0..payload)
            .map(|at| u8::try_from(at * 7 % 251).unwrap_or(0))
            .collect();
        let entries = vec![Entry::new(&bytes); 100];
        let mut written = 0;
        while written < LOG_BYTES {
            log.append(&entries).expect("it appends");
            written += (entries.len() * (payload + 28)) as u64;
        }
        log.close().expect("it closes");
        shard
    }

    fn open(&self, config: Config) -> Log {
        Log::open(self.place.path(), config).expect("it opens")
    }

    fn map(&self) -> Maps {
        let directory = RealDirectory::open(self.place.path()).expect("the directory");
        let mut segments = Vec::new();
        for id in 0.. {
            let log = SegmentFile::Log { id }.to_string();
            let Some(bytes) = map(&*directory, &log) else {
                break;
            };
            let (header, _) = bytes.split_at_checked(32).expect("a header");
            let header = by_hand::header(header).expect("a sound header");
            let index = SegmentFile::Index { id }.to_string();
            segments.push(Segment {
                base_offset: header.base_offset.get(),
                version: header.version.get().into(),
                index: map(&*directory, &index).expect("an index"),
                bytes,
            });
        }
        Maps { segments }
    }
}

fn map(directory: &dyn Directory, name: &str) -> Option<Map> {
    let file = directory.file(name).ok()?;
    let len = file.stat().expect("it has a length").len;
    Some(Map::of(&*file, len).expect("a mapping"))
}

/// The control: every segment and index mapped for good, in a list that never changes.
struct Maps {
    segments: Vec<Segment>,
}

struct Segment {
    base_offset: u64,
    version: u32,
    bytes: Map,
    index: Map,
}

impl Maps {
    fn bytes(&self) -> u64 {
        let records = |segment: &Segment| segment.records().len() as u64;
        self.segments.iter().map(records).sum()
    }

    fn find(&self, offset: u64) -> Result<Record<'_>, Refused> {
        let after = self
            .segments
            .partition_point(|segment| segment.base_offset <= offset);
        let segment = after.checked_sub(1).and_then(|at| self.segments.get(at));
        segment.ok_or(Refused::Offset)?.find(offset)
    }
}

impl Segment {
    fn records(&self) -> &[u8] {
        self.bytes.get(32..).expect("a header")
    }

    /// From the index entry at or below on, by checked headers, to the record, which is checked whole.
    fn find(&self, target: u64) -> Result<Record<'_>, Refused> {
        let entries = by_hand::index(&self.index)?;
        let after = entries.partition_point(|entry| entry.offset.get() <= target);
        let (position, mut offset) = after.checked_sub(1).map_or((32, self.base_offset), |at| {
            (entries[at].position.get(), entries[at].offset.get())
        });
        let position = usize::try_from(position).map_err(|_| Refused::Length)?;
        let mut rest = self.bytes.get(position..).ok_or(Refused::Length)?;
        while offset < target {
            let (head, body) = head(rest)?;
            if head.offset.get() != offset {
                return Err(Refused::Offset);
            }
            rest = body;
            offset += 1;
        }
        let (record, _) = by_hand::record(rest, self.version)?;
        match record.head.offset.get() == target {
            true => Ok(record),
            false => Err(Refused::Offset),
        }
    }
}

/// The head of an ordinary record, and what lies behind the record.
fn head(bytes: &[u8]) -> Result<(&RecordHead, &[u8]), Refused> {
    let (head, body) = RecordHead::ref_from_prefix(bytes).map_err(|_| Refused::Short)?;
    let covered = bytes.first_chunk::<20>().ok_or(Refused::Short)?;
    if by_hand::crc::fixed(0, covered) != head.header_crc.get() {
        return Err(Refused::HeaderChecksum);
    }
    let word = head.word.get();
    if word >> 29 != 0 {
        return Err(Refused::Kind);
    }
    let rest = body.get((word & 0x1fff_ffff) as usize..);
    Ok((head, rest.ok_or(Refused::Short)?))
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = machine::print, points, whole, opening
}
criterion_main!(benches);
