//! A subject and its control, measured turn and turn about, so that whatever else the machine does meets both alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

/// How a comparison is split into turns.
#[derive(Clone, Copy)]
pub struct Rounds {
    /// Calls a turn: few enough that a turn is rarely interrupted, enough for the clock.
    pub calls: u64,
    /// Turns of the comparison that is printed.
    pub turns: usize,
}

impl Rounds {
    /// Measures both, reports both to criterion, and prints how long each takes and how much longer the subject does.
    /// `bytes` are those of a call; without them times are printed, with them rates.
    pub fn compare<A, B>(
        self,
        criterion: &mut Criterion,
        name: &str,
        bytes: Option<u64>,
        (subject_is, mut subject): (&str, impl FnMut() -> A),
        (control_is, mut control): (&str, impl FnMut() -> B),
    ) {
        let mut group = criterion.benchmark_group(name);
        let mut ran = false;
        group.bench_function(subject_is, |bencher| {
            ran = true;
            bencher.iter_custom(|calls| self.both(calls, &mut subject, &mut control).0);
        });
        group.bench_function(control_is, |bencher| {
            ran = true;
            bencher.iter_custom(|calls| self.both(calls, &mut subject, &mut control).1);
        });
        group.finish();
        if !ran {
            return;
        }
        let (mut subjects, mut controls, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.turns {
            let (subject, control) = self.both(self.calls, &mut subject, &mut control);
            let nanos = [subject, control].map(|time| time.as_secs_f64() * 1e9 / self.calls as f64);
            ratios.push(nanos[0] / nanos[1]);
            // Bytes a nanosecond are GB a second.
            let [subject, control] = nanos.map(|nanos| bytes.map_or(nanos, |n| n as f64 / nanos));
            subjects.push(subject);
            controls.push(control);
        }
        let unit = if bytes.is_some() { "GB/s" } else { "ns" };
        println!(
            "{name}: {subject_is} {} {unit}, {control_is} {} {unit}, ratio of times {}\n",
            Spread::of(subjects),
            Spread::of(controls),
            Spread::of(ratios)
        );
    }

    /// The time of `calls` calls of each, in turns.
    fn both<A, B>(
        self,
        calls: u64,
        subject: &mut impl FnMut() -> A,
        control: &mut impl FnMut() -> B,
    ) -> (Duration, Duration) {
        let (mut subjects, mut controls) = (Duration::ZERO, Duration::ZERO);
        let mut left = calls;
        while left > 0 {
            let turn = left.min(self.calls);
            subjects += time(turn, subject);
            controls += time(turn, control);
            left -= turn;
        }
        (subjects, controls)
    }
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
    middle: f64,
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
