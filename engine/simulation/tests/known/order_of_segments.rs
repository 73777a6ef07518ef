//! Logs that trust the order of a directory, sort names as text or ids as signed numbers, or expect ids without holes: with
//! enough segments the newest is not the last one listed, and the log opens short or joins its pieces wrongly.
//! Here ids are parsed and sorted as unsigned numbers, holes between them are normal, and offsets alone chain segments
//! (Felix 2.5, 7.7).

use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::Arc;

use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::{Directory, Entry, EntryKind, File, Lock, Replace, Stat};
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Bound, Config};

use crate::bench::{
    Right, append, append_next, as_written, config, goes_on, open, opens, records, reports,
};
use crate::build::{Segment, Shard, index, index_name, log_name, mark};

/// A directory that lists its entries in another order each time.
#[derive(Debug)]
struct Shuffled(Arc<dyn Directory>, std::sync::atomic::AtomicUsize);

impl Shuffled {
    fn over(directory: Arc<dyn Directory>) -> Arc<dyn Directory> {
        Arc::new(Self(directory, 0.into()))
    }
}

impl Directory for Shuffled {
    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = self.0.entries()?;
        let order = self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        match order % 3 {
            0 => entries.reverse(),
            1 => entries.sort_by_key(|entry| {
                entry
                    .name
                    .to_string_lossy()
                    .chars()
                    .rev()
                    .collect::<String>()
            }),
            _ => {
                let middle = entries.len() / 2;
                entries.rotate_left(middle);
            }
        }
        Ok(entries)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn stat(&self, name: &str) -> io::Result<(EntryKind, Stat)> {
        self.0.stat(name)
    }

    fn directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.0.directory(name)
    }

    fn file(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.0.file(name)
    }

    fn edit(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.0.edit(name)
    }

    fn create(&self, name: &str) -> io::Result<Arc<dyn File>> {
        self.0.create(name)
    }

    fn create_directory(&self, name: &str) -> io::Result<Arc<dyn Directory>> {
        self.0.create_directory(name)
    }

    fn rename(&self, from: &str, into: &dyn Directory, to: &str, how: Replace) -> io::Result<()> {
        self.0.rename(from, into, to, how)
    }

    fn unlink(&self, name: &str) -> io::Result<()> {
        self.0.unlink(name)
    }

    fn remove_directory(&self, name: &str) -> io::Result<()> {
        self.0.remove_directory(name)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }

    fn lock(&self) -> io::Result<Lock> {
        self.0.lock()
    }

    fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }
}

/// A log with a record in each of these segments, listed in odd orders.
fn one_record_in_each(ids: &[u64]) -> Arc<dyn Directory> {
    let memory = MemoryDirectory::new("shard");
    for (&id, offset) in ids.iter().zip(0..) {
        let segment = Segment::of(offset..offset + 1);
        memory.put(&log_name(id), MemoryFile::of(&segment.bytes));
        let index = index(offset, &[(offset, 32)]);
        memory.put(&index_name(id), MemoryFile::of(&index));
    }
    let newest = *ids.last().expect("one at least");
    memory.put("durable.mark", MemoryFile::of(&mark(newest, 96)));
    Shuffled::over(Arc::new(memory))
}

/// As text without their zeros, as signed numbers and as floating ones these have other orders.
const ODD: [u64; 9] = [
    0,
    9,
    10,
    99,
    100,
    1 << 53,
    (1 << 53) + 1,
    u64::MAX / 2 + 1,
    18_000_000_000_000_000_000,
];

#[test]
fn ids_are_sorted_as_unsigned_numbers_in_whatever_order_they_are_listed() {
    for first in 0..ODD.len() {
        let directory = one_record_in_each(&ODD[first..]);
        let right = Right {
            reports: &[],
            offsets: 0..(ODD.len() - first) as u64,
            saved: &[],
        };
        opens("odd ids", &directory, &config(), &right);
    }
}

#[test]
fn thousands_of_segments_with_sparse_ids_open_in_their_order() {
    let ids: Vec<u64> = (0..3000_u64)
        .map(|number| number * number * 2_000_000_000_000 + number)
        .collect();
    assert!(ids[2999] > 10_u64.pow(19), "{}", ids[2999]);
    let directory = one_record_in_each(&ids);
    let log = open(&directory, &config()).expect("it opens");
    assert_eq!(reports(&log), [""; 0]);
    assert_eq!((log.base(), log.tail()), (0, 3000));
    assert_eq!(records(&log), as_written(0..3000));
    // The newest is the one that is appended to.
    append_next(&log, 4).expect("the disk works");
    let next = log_name(ids[2999] + 1);
    assert!(directory.stat(&next).is_ok(), "{next}");
    log.truncate(1500).expect("it cuts");
    assert_eq!(log.metrics().segments, 1500);
    append_next(&log, 10).expect("the disk works");
    goes_on("sparse ids", &directory, &config(), log);
}

#[test]
fn a_hole_between_ids_is_none_in_the_log() {
    let directory = one_record_in_each(&[3, 4, 90, 91]);
    let log = open(&directory, &config()).expect("it opens");
    let mut read = log.read(1, Bound::Tail).expect("it is there");
    for offset in 1..4 {
        let record = read.next().expect("it is sound").expect("one more");
        assert_eq!(record.offset(), offset);
    }
    goes_on("holes", &directory, &config(), log);
}

/// Behind the highest id there is none: the log goes on in the segment that has it.
#[test]
fn the_highest_id_is_used_to_its_end() {
    let directory = one_record_in_each(&[7, u64::MAX]);
    let log = open(&directory, &config()).expect("it opens");
    append_next(&log, 3).expect("it fits");
    let refused = append(&log, b"no room").expect_err("no id follows");
    assert!(matches!(refused, StorageError::InvalidRange), "{refused}");
    let refused = log.roll().expect_err("no id follows");
    assert!(matches!(refused, StorageError::InvalidRange), "{refused}");
    assert_eq!(records(&log), as_written(0..5));
    log.close().expect("it closes");
    drop(log);
    let larger = Config {
        segment_size_bytes: 1 << 20,
        ..config()
    };
    let right = Right {
        reports: &[],
        offsets: 0..5,
        saved: &[],
    };
    opens("the highest id", &directory, &larger, &right);
}

#[test]
fn names_that_are_no_ids_are_reported_and_left_alone() {
    let stray = [
        "1.log",
        "000000000000000000001.log",
        "18446744073709551616.log",
        "99999999999999999999.log",
        "+0000000000000000001.log",
        "0000000000000000000a.log",
        "٠٠٠٠٠٠٠٠٠٠.log",
    ];
    let mut shard = Shard::new().segment(0, &Segment::of(0..4)).mark(0, 288);
    for name in stray {
        shard = shard.file(name, &Segment::of(4..8).bytes);
    }
    let directory = Shuffled::over(Arc::clone(&shard.0));
    let log = open(&directory, &config()).expect("it opens");
    let mut foreign: Vec<_> = log
        .recovered()
        .foreign
        .iter()
        .map(|foreign| foreign.name.to_str().expect("UTF-8"))
        .collect();
    let mut expected = stray.to_vec();
    foreign.sort_unstable();
    expected.sort_unstable();
    assert_eq!(foreign, expected);
    assert_eq!(records(&log), as_written(0..4));
    for name in stray {
        assert!(directory.stat(name).is_ok(), "{name}");
    }
    goes_on("stray names", &directory, &config(), log);
}
