//! Readers among a writer, cuts and retention, all at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config, Entry, Log, Retention};

use crate::bench::{Place, small};
use crate::disk::{Call, told};

/// Numbers that differ a lot.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}

/// Where the log was cut, cut by cut. A record names the number of cuts before it.
struct History {
    cuts: Vec<AtomicU64>,
}

impl History {
    fn new(cuts: usize) -> Self {
        Self {
            cuts: (0..=cuts).map(|_| AtomicU64::new(u64::MAX)).collect(),
        }
    }

    /// Whether a record at `offset`, appended after `before` cuts, was still there when one was appended after `after`.
    fn lived(&self, offset: u64, before: u64, after: u64) -> bool {
        (before + 1..=after).all(|cut| {
            let to = self.cuts[usize::try_from(cut).expect("few")].load(Ordering::SeqCst);
            to > offset
        })
    }
}

fn append(log: &Log, cuts: u64, random: &mut Random) {
    let first = log.tail();
    let payloads: Vec<Vec<u8>> = (first..first + 1 + random.below(4))
        .map(|offset| {
            let mut payload = [offset.to_be_bytes(), cuts.to_be_bytes()].concat();
            payload.resize(16 + usize::try_from(random.below(200)).expect("small"), 7);
            payload
        })
        .collect();
    let entries: Vec<_> = payloads.iter().map(|payload| Entry::new(payload)).collect();
    log.append(&entries).expect("it appends");
}

/// What a record says of itself: its offset and the cuts before it.
fn said(payload: &[u8]) -> (u64, u64) {
    let number = |at: usize| {
        let bytes = payload[at..at + 8].try_into().expect("eight bytes");
        u64::from_be_bytes(bytes)
    };
    (number(0), number(8))
}

/// Reads from random places until it is told to stop, and checks that what one iterator meets was there together.
fn read(log: &Log, history: &History, stop: &AtomicBool, seed: u64) -> u64 {
    let mut random = Random(seed);
    let mut met = 0;
    while !stop.load(Ordering::Relaxed) {
        let (base, tail) = (log.base(), log.tail());
        let from = base + random.below(tail.saturating_sub(base) + 2);
        let mut records = match log.read(from, Bound::Tail) {
            Ok(records) => records,
            Err(StorageError::Trimmed { requested, oldest }) => {
                assert!(requested == from && oldest > from);
                continue;
            }
            Err(other) => panic!("{other}"),
        };
        let mut last: Option<(u64, u64)> = None;
        let mut kept = Vec::new();
        for _ in 0..random.below(60) {
            let position = records.position();
            match records.next() {
                Ok(Some(record)) => {
                    let (offset, cuts) = said(record.payload());
                    assert_eq!((offset, record.offset()), (position, position));
                    if let Some((before, old)) = last {
                        assert!(
                            history.lived(before, old, cuts),
                            "{before} of {old} and {offset} of {cuts} were never there together"
                        );
                    }
                    last = Some((offset, cuts));
                    if random.below(8) == 0 {
                        kept.push((record.keep(), offset, cuts));
                    }
                    met += 1;
                }
                Ok(None) => {}
                Err(StorageError::Rewound { to }) => {
                    assert!(to < position, "rewound to {to} at {position}");
                    break;
                }
                Err(StorageError::Trimmed { requested, oldest }) => {
                    assert_eq!(requested, position);
                    assert!(
                        oldest > position,
                        "{oldest} is the oldest, {position} wanted"
                    );
                    break;
                }
                Err(other) => panic!("{other} at {position} of {base}..{tail}"),
            }
        }
        for (record, offset, cuts) in kept {
            assert_eq!(said(record.payload()), (offset, cuts));
        }
    }
    met
}

/// One writer that appends, cuts, resets and trims, and readers that check what they see.
fn storm(place: &Place, rounds: usize) {
    let log = place.open(Config {
        index_spacing_bytes: 150,
        max_open_sealed_segments: 2,
        retention: Retention {
            bytes: Some(6000),
            ..Retention::default()
        },
        ..small()
    });
    let history = History::new(rounds);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (1..4)
            .map(|seed| {
                let (log, history, stop) = (&log, &history, &stop);
                scope.spawn(move || read(log, history, stop, seed << 32 | 0x7f4a_7c15))
            })
            .collect();
        let mut random = Random(99);
        let mut cuts = 0;
        for round in 0..rounds {
            for _ in 0..random.below(20) {
                append(&log, cuts, &mut random);
            }
            let (base, tail) = (log.base(), log.tail());
            if round % 5 == 0 {
                log.retain().expect("it trims");
                continue;
            }
            let to = base + random.below(tail - base + 1);
            if to == tail && round % 25 != 1 {
                continue;
            }
            cuts += 1;
            let index = usize::try_from(cuts).expect("few");
            history.cuts[index].store(to, Ordering::SeqCst);
            if round % 25 == 1 {
                // All records go, those below too.
                history.cuts[index].store(0, Ordering::SeqCst);
                log.reset_to(tail + random.below(10))
                    .expect("it begins anew");
            } else {
                log.truncate(to).expect("it cuts");
            }
        }
        stop.store(true, Ordering::Relaxed);
        for reader in readers {
            assert!(reader.join().expect("it ends") > 0, "it met nothing");
        }
    });
}

#[test]
fn a_storm() {
    for place in Place::all() {
        storm(&place, 150);
    }
}

#[test]
fn a_storm_on_a_slow_disk() {
    for place in Place::all() {
        let (directory, hooks) = told(Arc::clone(&place.directory));
        // Long enough for readers to come in between the steps of a cut.
        hooks.set(|op, _| {
            if !matches!(op, Call::Read | Call::Write | Call::Open) {
                thread::sleep(Duration::from_micros(300));
            }
            Ok(())
        });
        storm(&Place { directory, ..place }, 60);
    }
}

#[test]
fn readers_never_hold_up_a_cut() {
    let place = Place::mapped();
    let log = place.open(small());
    let mut random = Random(7);
    for _ in 0..50 {
        append(&log, 0, &mut random);
    }
    let mut records = log.read(0, Bound::Tail).expect("it is there");
    let lent = records.next().expect("it reads").expect("one more");
    // In the same thread, so that it would never end.
    log.truncate(log.tail() / 2).expect("it cuts");
    log.reset_to(1000).expect("it begins anew");
    assert_eq!(said(lent.payload()), (0, 0));
}
