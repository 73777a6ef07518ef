//! Verifying and encoding one record, generated against by hand. `docs/performance.md` has the figures.
#![allow(clippy::print_stdout, reason = "what it measures is printed")]

mod by_hand;
mod machine;
mod rounds;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ondisk::FeatureLevels;
use ondisk::felix::{Record, RecordKind, SegmentHeader};

use rounds::Rounds;

const ROUNDS: Rounds = Rounds {
    calls: 256,
    turns: 2001,
};

const PAYLOADS: [usize; 4] = [0, 40, 100, 1024];

/// A batch is written record behind record, so that no fixed distance between payload and buffer decides.
const BATCH_BYTES: usize = 16 * 1024;

fn verify(criterion: &mut Criterion) {
    for len in PAYLOADS {
        let payload = payload(len);
        let mut bytes = Vec::new();
        by_hand::write_ordinary(7, 9, &payload, &mut bytes).expect("a record that can be written");
        ROUNDS.compare(
            criterion,
            &format!("verify, {len} bytes of payload"),
            None,
            ("generated", || {
                Record::view_prefix(black_box(&bytes), black_box(3)).is_ok()
            }),
            ("by hand", || {
                by_hand::record(black_box(&bytes), black_box(3)).is_ok()
            }),
        );
    }
}

fn encode(criterion: &mut Criterion) {
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    for len in PAYLOADS {
        let payload = payload(len);
        let mut generated = Vec::with_capacity(2 * BATCH_BYTES);
        let mut by_hand = Vec::with_capacity(2 * BATCH_BYTES);
        ROUNDS.compare(
            criterion,
            &format!("encode, {len} bytes of payload"),
            None,
            ("generated", || {
                start_over_when_full(&mut generated);
                let record = Record {
                    kind: RecordKind::Ordinary,
                    offset: black_box(1_234_567),
                    timestamp_micros: black_box(1_700_000_000_000_000),
                    tag: None,
                    payload: black_box(&payload),
                };
                record.encode(version, &mut generated).is_ok()
            }),
            ("by hand", || {
                start_over_when_full(&mut by_hand);
                by_hand::write_ordinary(
                    black_box(1_234_567),
                    black_box(1_700_000_000_000_000),
                    black_box(&payload),
                    &mut by_hand,
                )
                .is_ok()
            }),
        );
        assert_eq!(generated, by_hand, "both write the same bytes");
    }
}

fn start_over_when_full(batch: &mut Vec<u8>) {
    if batch.len() >= BATCH_BYTES {
        batch.clear();
    }
}

fn payload(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| u8::try_from(i * 7 % 251).unwrap_or(0))
        .collect()
}

criterion_group!(benches, machine::print, verify, encode);
criterion_main!(benches);
