//! What the machine gives in this very run: figures of records mean nothing without it.

use std::hint::black_box;
use std::time::Instant;

use criterion::Criterion;

use crate::rounds::Spread;

/// Prints the rate of copying and of CRC-32, over bytes that are in the cache.
pub fn print(_: &mut Criterion) {
    for (name, len) in [("1 KiB", 1 << 10), ("1 MiB", 1 << 20)] {
        let (from, mut to) = (vec![7_u8; len], vec![0_u8; len]);
        let copied = rate(len, || black_box(&mut to).copy_from_slice(black_box(&from)));
        let summed = rate(len, || crc32fast::hash(black_box(&from)));
        println!("{name}: memcpy {copied} GB/s, crc32fast {summed} GB/s");
    }
    println!();
}

/// Bytes a nanosecond, which is GB a second.
fn rate<T>(len: usize, mut call: impl FnMut() -> T) -> Spread {
    let calls = (4 << 20) / len;
    let rates = (0..101).map(|_| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call());
        }
        (len * calls) as f64 / (start.elapsed().as_secs_f64() * 1e9)
    });
    Spread::of(rates.collect())
}
