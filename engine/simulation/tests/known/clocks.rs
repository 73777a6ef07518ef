//! Brokers whose retention believes one clock: a wrong time at the start empties every log, a record from the future keeps
//! one for ever, and reads that search by time lose records whose timestamps fall.
//! Here a pass right after a jump deletes nothing for age, the age of the file must agree, and offsets alone order records
//! (Felix 1.2, 10).

use std::sync::Arc;
use std::time::Duration;

use ondisk_engine::clock::{Clock, ManualClock, SystemClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{Bound, Config, Entry, Log, Retention};

use crate::bench::{append_next, config, environment_at, goes_on, records};
use crate::build::payload;

const HOUR: Duration = Duration::from_secs(3600);
const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// A moment in 2023, in microseconds.
const NOON: u64 = 1_700_000_000_000_000;

fn one_hour() -> Config {
    Config {
        retention: Retention {
            age: Some(HOUR),
            ..Retention::default()
        },
        ..config()
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).expect("it fits")
}

/// A log by a clock that stands still, in memory, where a file is as old as it can be.
struct Bench {
    directory: Arc<dyn Directory>,
    clock: Arc<ManualClock>,
}

impl Bench {
    fn new() -> Self {
        Self {
            directory: Arc::new(MemoryDirectory::new("shard")),
            clock: Arc::new(ManualClock::at(NOON)),
        }
    }

    fn open(&self) -> Log {
        let environment = environment_at(&self.clock);
        Log::open_in(Arc::clone(&self.directory), one_hour(), &environment).expect("it opens")
    }

    /// Appends records at these times, in microseconds from noon.
    fn append(&self, log: &Log, times: &[i64]) {
        for &time in times {
            let payload = payload(log.tail());
            let at = NOON.checked_add_signed(time).expect("it fits");
            let commit = log.append(&[Entry::new(&payload).at(at)]);
            commit.expect("it appends").wait().expect("the disk works");
        }
    }

    fn goes_on(&self, what: &str, log: Log) {
        goes_on(what, &self.directory, &config(), log);
    }
}

#[test]
fn a_clock_that_jumps_ahead_does_not_empty_the_log() {
    let bench = Bench::new();
    let log = bench.open();
    bench.append(&log, &[0; 12]);
    bench.clock.advance_wall(YEAR);
    assert_eq!(log.retain().expect("a pass"), 0, "right after the jump");
    // Somebody has set it right in the meantime.
    bench.clock.set_wall(NOON + 1);
    bench.clock.advance(Duration::from_secs(60));
    assert_eq!(log.retain().expect("a pass"), 0, "it is right again");
    assert_eq!((log.base(), log.tail()), (0, 12));
    bench.clock.advance(HOUR);
    assert_eq!(log.retain().expect("a pass"), 2, "they are old by now");
    assert_eq!((log.base(), log.tail()), (8, 12));
    bench.goes_on("a jump", log);
}

#[test]
fn a_clock_that_goes_backwards_keeps_everything() {
    let bench = Bench::new();
    let log = bench.open();
    bench.append(&log, &[0; 6]);
    for wall in [NOON - micros(YEAR), 0] {
        bench.clock.set_wall(wall);
        assert_eq!(log.retain().expect("a pass"), 0);
        for _ in 0..2 {
            // At the time that the clock shows.
            let commit = log.append(&[Entry::new(&payload(log.tail()))]);
            commit.expect("it appends").wait().expect("the disk works");
        }
        assert_eq!(log.retain().expect("a pass"), 0);
    }
    assert_eq!((log.base(), log.tail()), (0, 10));
    bench.goes_on("backwards", log);
}

#[test]
fn records_from_the_future_are_kept_until_their_time_is_past() {
    let bench = Bench::new();
    let log = bench.open();
    let ahead = i64::try_from(micros(10 * HOUR)).expect("it fits");
    bench.append(&log, &[0, 0, 0, ahead, 0, 0, 0, 0, 0]);
    let minute = Duration::from_secs(60);
    for _ in 0..120 {
        bench.clock.advance(minute);
        assert_eq!(
            log.retain().expect("a pass"),
            0,
            "the oldest keeps the rest"
        );
    }
    for _ in 0..600 {
        bench.clock.advance(minute);
        log.retain().expect("a pass");
    }
    assert_eq!((log.base(), log.tail()), (8, 9));
    bench.goes_on("from the future", log);
}

/// The last record of a segment tells its age, whatever those before it say.
#[test]
fn timestamps_that_do_not_ascend_change_no_read_and_no_offset() {
    let bench = Bench::new();
    let mut log = bench.open();
    let hour = i64::try_from(micros(HOUR)).expect("it fits");
    let times = [0, -hour, hour, -3 * hour, 5, 4, 3, 2, -hour, 0];
    bench.append(&log, &times);
    for _ in 0..2 {
        for from in 0..times.len() {
            let mut read = log.read(from as u64, Bound::Tail).expect("it is there");
            for (offset, time) in times.iter().enumerate().skip(from) {
                let record = read.next().expect("it is sound").expect("one more");
                assert_eq!(record.offset(), offset as u64);
                let at = NOON.checked_add_signed(*time).expect("it fits");
                assert_eq!(record.timestamp_micros(), at);
            }
        }
        log.close().expect("it closes");
        drop(log);
        log = bench.open();
    }
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(
        log.retain().expect("a pass"),
        1,
        "its last record is of the morning"
    );
    assert_eq!((log.base(), log.tail()), (4, 10));
    bench.goes_on("not ascending", log);
}

/// A record says that it is old; its file was written just now.
#[test]
fn a_file_that_is_young_is_kept_whatever_its_records_say() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("shard");
    let directory = RealDirectory::create_all(&path).expect("a directory");
    let clock = Arc::new(ManualClock::at(SystemClock.wall_micros()));
    let environment = environment_at(&clock);
    let log = Log::open_in(directory.clone(), one_hour(), &environment).expect("it opens");
    append_next(&log, 12).expect("it appends");
    assert_eq!(
        log.retain().expect("a pass"),
        0,
        "records of 1970 in new files"
    );
    let minute = Duration::from_secs(60);
    for _ in 0..62 {
        clock.advance(minute);
        log.retain().expect("a pass");
    }
    assert_eq!((log.base(), log.tail()), (8, 12), "files an hour old");
    assert_eq!(records(&log).len(), 4);
    goes_on("young files", &directory, &config(), log);
}
