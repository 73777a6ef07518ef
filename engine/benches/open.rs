//! Opening a log of 1 GiB, sealed and not, warm and cold, against the least code that finds out where it ends.
//! `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

#[path = "../../format/benches/by_hand/mod.rs"]
mod by_hand;
#[path = "../tests/counting/mod.rs"]
mod counting;
#[path = "../../format/benches/rounds/mod.rs"]
#[allow(dead_code, reason = "only the spread is used here")]
mod rounds;
mod shard;

use std::hint::black_box;
use std::time::{Duration, Instant};

use ondisk::felix::ProducerTag;
use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::disk::{self, Directory, File};
use ondisk_engine::felix::log::{Entry, Log, Mark};
use ondisk_engine::map::Map;

use counting::growth;
use rounds::Spread;
use shard::{Shard, config};

const GIB: u64 = 1 << 30;
const SEGMENT_BYTES: u64 = 128 << 20;

/// Payload of records of a kibibyte.
const PAYLOAD: usize = 996;

/// Times that each of two things is done, turn and turn about.
const ROUNDS: usize = 15;

fn main() {
    for (name, has_producer) in [("", true), (", no producer", false)] {
        let place = Shard::write(PAYLOAD, SEGMENT_BYTES, GIB);
        let log = place.open(config(SEGMENT_BYTES));
        if has_producer {
            append(&log, true);
        }
        // So that all is sealed but for one record; what is known of producers is stored with it.
        log.roll().expect("it rolls");
        append(&log, false);
        log.close().expect("it closes");
        let name = format!("1 GiB in sealed segments of 128 MiB{name}, warm");
        compare(&name, &place, SEGMENT_BYTES, &|| (), sealed_by_hand);
    }
    for bytes in [GIB / 4, GIB] {
        let place = Shard::write(PAYLOAD, 2 * GIB, bytes);
        let name = format!("one unsealed segment of {} MiB", bytes >> 20);
        let directory = RealDirectory::open(place.place.path()).expect("the directory");
        let cool = || forget(&*directory);
        compare(
            &format!("{name}, warm"),
            &place,
            2 * GIB,
            &|| (),
            whole_by_hand,
        );
        compare(
            &format!("{name}, cold"),
            &place,
            2 * GIB,
            &cool,
            whole_by_hand,
        );
        let (log, growth) = growth(|| place.open(config(2 * GIB)));
        let [most, kept] =
            [growth.most, growth.kept].map(|bytes| bytes as f64 / f64::from(1 << 20));
        println!("{name}: heap at most {most:.1} MiB, kept {kept:.1} MiB\n");
        log.close().expect("it closes");
    }
}

/// One record, of a producer if it is marked.
fn append(log: &Log, marked: bool) {
    let tag = ProducerTag {
        producer_id: 7,
        sequence: 0,
        len: 1,
    };
    let mut entry = Entry::new(&[7; PAYLOAD]);
    if marked {
        entry = entry.marked(Mark::Opens(tag));
    }
    log.append(&[entry]).expect("it appends");
}

/// How long an open takes, what the control takes, and the ratio. `prepare` is called ahead of each.
fn compare(
    name: &str,
    place: &Shard,
    segment_bytes: u64,
    prepare: &dyn Fn(),
    control: fn(&dyn Directory) -> u64,
) {
    let directory = RealDirectory::open(place.place.path()).expect("the directory");
    let (mut opens, mut controls, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        prepare();
        let (log, open) = timed(|| place.open(config(segment_bytes)));
        let tail = log.tail();
        log.close().expect("it closes");
        prepare();
        let (found, by_hand) = timed(|| control(&*directory));
        assert_eq!(found, tail);
        opens.push(open.as_secs_f64() * 1e3);
        controls.push(by_hand.as_secs_f64() * 1e3);
        ratios.push(open.as_secs_f64() / by_hand.as_secs_f64());
    }
    println!(
        "{name}: open {} ms, by hand {} ms, ratio {}\n",
        Spread::of(opens),
        Spread::of(controls),
        Spread::of(ratios)
    );
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = black_box(work());
    (done, start.elapsed())
}

/// Drops a shard from the page cache.
fn forget(directory: &dyn Directory) {
    for entry in directory.entries().expect("a listing") {
        let name = entry.name.to_str().expect("our own names");
        if SegmentFile::parse(name).is_some() {
            let file = directory.file(name).expect("it opens");
            file.sync_all().expect("it syncs");
            file.forget(0, file.stat().expect("it has a length").len);
        }
    }
}

/// The tail of a shard whose segments are sealed: of each the header, the last index entry, and the records from there on.
fn sealed_by_hand(directory: &dyn Directory) -> u64 {
    let mut tail = None;
    for id in 0.. {
        let Ok(file) = directory.file(&SegmentFile::Log { id }.to_string()) else {
            break;
        };
        let header = read(&*file, 0, 32);
        let header = by_hand::header(&header).expect("a sound header");
        let base = header.base_offset.get();
        assert!(tail.is_none_or(|tail| tail == base));
        let index = directory.file(&SegmentFile::Index { id }.to_string());
        let index = index.expect("an index");
        let entries = index.stat().expect("it has a length").len - 24;
        let len = file.stat().expect("it has a length").len;
        let (from, mut next) = match entries / 16 {
            0 => (32, base),
            entries => {
                let entry = read(&*index, 24 + 16 * (entries - 1), 16);
                let (entry, _) = by_hand::index_entry(&entry).expect("an entry");
                (entry.position.get(), entry.offset.get())
            }
        };
        let records = read(&*file, from, len - from);
        next += walk(&records, header.version.get().into(), next);
        tail = Some(next);
    }
    tail.expect("a segment")
}

/// The tail of a shard of one segment: all of its records.
fn whole_by_hand(directory: &dyn Directory) -> u64 {
    let file = directory.file(&SegmentFile::Log { id: 0 }.to_string());
    let file = file.expect("the segment");
    let map = Map::of(&*file, file.stat().expect("it has a length").len).expect("a mapping");
    let (header, records) = map.split_at_checked(32).expect("a header");
    let header = by_hand::header(header).expect("a sound header");
    walk(
        records,
        header.version.get().into(),
        header.base_offset.get(),
    )
}

/// How many records there are, the first of them at `first`.
fn walk(mut rest: &[u8], version: u32, first: u64) -> u64 {
    let mut records = 0;
    while !rest.is_empty() {
        let (record, behind) = by_hand::record(rest, version).expect("a record");
        assert_eq!(record.head.offset.get(), first + records);
        records += 1;
        rest = behind;
    }
    records
}

fn read(file: &dyn File, position: u64, bytes: u64) -> Vec<u8> {
    let mut buffer = vec![0; usize::try_from(bytes).expect("it fits")];
    disk::read_exact_at(file, &mut buffer, position).expect("it reads");
    buffer
}
