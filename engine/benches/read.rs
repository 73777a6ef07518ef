//! Reading a log: single records and all of them, against the least code that finds and checks the same in pages that are
//! mapped already. `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

#[path = "../../format/benches/by_hand/mod.rs"]
mod by_hand;
#[path = "../../format/benches/machine/mod.rs"]
mod machine;
#[path = "../../format/benches/rounds/mod.rs"]
mod rounds;
mod shard;

use std::cell::Cell;

use criterion::{Criterion, criterion_group, criterion_main};
use ondisk_engine::felix::log::{Bound, Config, ReadMode};

use rounds::Rounds;
use shard::{Shard, config};

/// Far more than the caches of a processor hold.
const LOG_BYTES: u64 = 128 << 20;
const SEGMENT_BYTES: u64 = 16 << 20;

/// Payloads of 100 bytes, the usual measure, and of a kibibyte with its header.
const PAYLOADS: [usize; 2] = [100, 996];

/// One record at a random offset: what a consumer that comes back, or a key index, asks for.
fn points(criterion: &mut Criterion) {
    for payload in PAYLOADS {
        let place = Shard::write(payload, SEGMENT_BYTES, LOG_BYTES);
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
        let place = Shard::write(payload, SEGMENT_BYTES, LOG_BYTES);
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

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = machine::print, points, whole
}
criterion_main!(benches);
