//! The log of the demonstration: the same bytes each time.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ondisk::FeatureLevels;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Record, RecordKind, SegmentHeader};
use ondisk_engine::clock::ManualClock;
use ondisk_engine::disk::{self, Directory};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Config, Entry, Environment, FsyncMode, Log};

/// A day in autumn.
const BEGIN_MICROS: u64 = 1_760_000_000_000_000;

/// What is appended.
const ORDERS: [&str; 6] = [
    "order 1: two apples",
    "order 2: a loaf of bread",
    "order 3: milk",
    "order 4: coffee, ground",
    "order 5: one more apple",
    "order 6: twelve eggs",
];

/// A segment holds three of them.
const SEGMENT_BYTES: u64 = 200;

/// How much of a record a crash left.
pub(super) struct Torn {
    pub(super) there: usize,
    pub(super) whole: usize,
}

/// Time stands still.
pub(super) fn environment() -> Environment {
    Environment {
        clock: Arc::new(ManualClock::at(BEGIN_MICROS)),
        ..Environment::default()
    }
}

/// Writes the log.
pub(super) fn write(directory: &Arc<dyn Directory>) -> Result<(), StorageError> {
    let config = Config {
        fsync: FsyncMode::OnCommit,
        segment_size_bytes: SEGMENT_BYTES,
        ..Config::default()
    };
    let clock = Arc::new(ManualClock::at(BEGIN_MICROS));
    let environment = Environment {
        clock: Arc::<ManualClock>::clone(&clock),
        ..Environment::default()
    };
    let log = Log::open_in(Arc::clone(directory), config, &environment)?;
    for order in ORDERS {
        log.append(&[Entry::new(order.as_bytes())])?;
        clock.advance_wall(Duration::from_secs(60));
    }
    log.sync()?;
    log.close()
}

/// Leaves half of the next record behind the last, as a crash in the middle of a write does.
pub(super) fn tear(directory: &Arc<dyn Directory>) -> Result<Torn, StorageError> {
    let name = SegmentFile::Log { id: 1 }.to_string();
    let tear = || -> io::Result<Torn> {
        let next = Record {
            kind: RecordKind::Ordinary,
            offset: ORDERS.len() as u64,
            timestamp_micros: BEGIN_MICROS + 360_000_000,
            tag: None,
            payload: b"order 7: a birthday cake, and candles",
        };
        let mut bytes = Vec::new();
        next.encode(
            SegmentHeader::write_version(&FeatureLevels::NONE),
            &mut bytes,
        )
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
        let there = bytes.split_at(bytes.len() / 2 + 10).0;
        let file = directory.edit(&name)?;
        disk::write_all_at(&*file, there, file.stat()?.len)?;
        Ok(Torn {
            there: there.len(),
            whole: bytes.len(),
        })
    };
    tear().map_err(|source| StorageError::Io {
        source,
        path: directory.path().join(&name),
        operation: "write",
    })
}
