//! A subject and its control, measured turn and turn about, so that whatever else the machine does meets both alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

/// Calls a turn: short enough that a turn is rarely interrupted, long enough for the clock.
const CALLS: u64 = 256;

/// Turns of the comparison that is printed.
const TURNS: usize = 2001;

/// Measures both, reports both to criterion, and prints how much longer the subject takes.
pub fn compare<A, B>(
    criterion: &mut Criterion,
    name: &str,
    mut subject: impl FnMut() -> A,
    mut control: impl FnMut() -> B,
) {
    let mut group = criterion.benchmark_group(name);
    let mut ran = false;
    group.bench_function("generated", |bencher| {
        ran = true;
        bencher.iter_custom(|calls| both(calls, &mut subject, &mut control).0);
    });
    group.bench_function("by hand", |bencher| {
        ran = true;
        bencher.iter_custom(|calls| both(calls, &mut subject, &mut control).1);
    });
    group.finish();
    if !ran {
        return;
    }
    let (mut subjects, mut controls, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let (subject, control) = both(CALLS, &mut subject, &mut control);
        let nanos = [subject, control].map(|time| time.as_secs_f64() * 1e9 / CALLS as f64);
        subjects.push(nanos[0]);
        controls.push(nanos[1]);
        ratios.push(nanos[0] / nanos[1]);
    }
    println!(
        "{name}: generated {} ns, by hand {} ns, ratio {}\n",
        Spread::of(subjects),
        Spread::of(controls),
        Spread::of(ratios)
    );
}

/// The time of `calls` calls of each, in turns.
fn both<A, B>(
    calls: u64,
    subject: &mut impl FnMut() -> A,
    control: &mut impl FnMut() -> B,
) -> (Duration, Duration) {
    let (mut subjects, mut controls) = (Duration::ZERO, Duration::ZERO);
    let mut left = calls;
    while left > 0 {
        let turn = left.min(CALLS);
        subjects += time(turn, subject);
        controls += time(turn, control);
        left -= turn;
    }
    (subjects, controls)
}

fn time<T>(calls: u64, call: &mut impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    start.elapsed()
}

/// The middle of many measurements, and what lies between the lowest and the highest tenth.
pub struct Spread {
    pub middle: f64,
    low: f64,
    high: f64,
}

impl Spread {
    pub fn of(mut measured: Vec<f64>) -> Self {
        measured.sort_by(f64::total_cmp);
        let at = |tenths: usize| measured[(measured.len() - 1) * tenths / 10];
        Self {
            middle: at(5),
            low: at(1),
            high: at(9),
        }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { middle, low, high } = self;
        write!(f, "{middle:.2} ({low:.2} to {high:.2})")
    }
}
