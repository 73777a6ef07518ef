//! What is wrong with the shards that are repaired.

use std::io;

use ondisk::encode::Encode;
use ondisk::felix::name::{SegmentFile, Sidecar};
use ondisk::felix::{DurableMark, Record, RecordKind, SegmentHeader};
use ondisk::{FeatureLevels, WriteVersion};
use ondisk_engine::disk::Directory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Entry, Log};

use super::Repair;
use super::files::{put, read};

/// Records of each of the two segments.
const RECORDS: u64 = 4;

/// A sound log: two segments, a history, and a leader.
pub(super) fn fill(log: &Log) -> Result<(), StorageError> {
    let append = |from: u64| -> Result<(), StorageError> {
        for number in from..from + RECORDS {
            let payload = format!("record {number:<30}");
            let commit = log.append(&[Entry::new(payload.as_bytes()).at(number)])?;
            commit.wait().map_err(|_| StorageError::SyncFailed)?;
        }
        Ok(())
    };
    log.accept(3, Some("a"))?;
    log.record_epoch(3, 0)?;
    append(0)?;
    log.roll()?;
    append(RECORDS)
}

const fn log_name(id: u64) -> SegmentFile {
    SegmentFile::Log { id }
}

/// The newest segment as it was closed.
const NEWEST: u64 = 1;

pub(super) const ALL: [Repair; 11] = [
    Repair {
        name: "repair of a record that was not finished",
        report: "torn_tail",
        opts_in: false,
        damage: |shard| {
            let record = record(2 * RECORDS);
            change(shard, NEWEST, |bytes| {
                bytes.extend(&record[..record.len() - 10]);
            })
        },
    },
    Repair {
        name: "repair of a record that was flushed and is torn",
        report: "torn_tail",
        opts_in: false,
        damage: |shard| change(shard, NEWEST, |bytes| bytes.truncate(bytes.len() - 10)),
    },
    Repair {
        name: "repair of garbage past the mark",
        report: "past_durable_mark",
        opts_in: false,
        damage: |shard| {
            let (mut rotten, next) = (record(2 * RECORDS), record(2 * RECORDS + 1));
            rotten[40] ^= 1;
            change(shard, NEWEST, |bytes| {
                bytes.extend(rotten);
                bytes.extend(next);
            })
        },
    },
    Repair {
        name: "repair of zeros behind the data",
        report: "zero_tail",
        opts_in: false,
        damage: |shard| {
            let mut vouched = 0;
            change(shard, NEWEST, |bytes| {
                bytes.extend(&record_of(2 * RECORDS, &[b'x'; 2000])[..700]);
                vouched = bytes.len() as u64;
                bytes.resize(4096, 0);
            })?;
            mark(shard, NEWEST, vouched)
        },
    },
    Repair {
        name: "repair of an unfinished roll",
        report: "unfinished_roll",
        opts_in: false,
        damage: |shard| {
            mark(shard, 0, 32 + 64)?;
            change(shard, 0, |bytes| bytes.truncate(bytes.len() - 10))
        },
    },
    Repair {
        name: "repair of an abandoned segment",
        report: "abandoned_segment",
        opts_in: false,
        damage: |shard| put(shard, &log_name(2).to_string(), &[0; 500]),
    },
    Repair {
        name: "repair of an interrupted reset",
        report: "interrupted_reset",
        opts_in: false,
        damage: |shard| {
            for id in [0, NEWEST] {
                shard.unlink(&log_name(id).to_string())?;
                shard.unlink(&SegmentFile::Index { id }.to_string())?;
            }
            shard.unlink(Sidecar::DurableMark.file_name())?;
            let header = encoded(&SegmentHeader {
                base_offset: 70,
                created_at_micros: 1,
            });
            let waiting = SegmentFile::Temporary { id: 2 }.to_string();
            put(shard, &waiting, &header)
        },
    },
    Repair {
        name: "repair of a rotten record at the end",
        report: "checksum_tail",
        opts_in: true,
        damage: |shard| {
            change(shard, NEWEST, |bytes| {
                let last = bytes.len() - 10;
                bytes[last] ^= 1;
            })
        },
    },
    Repair {
        name: "repair of an index that does not fit",
        report: "index_rebuilt",
        opts_in: false,
        damage: |shard| {
            put(
                shard,
                &SegmentFile::Index { id: 0 }.to_string(),
                b"no index",
            )
        },
    },
    Repair {
        name: "repair of flushed records that are gone",
        report: "short_of_mark",
        opts_in: false,
        damage: |shard| {
            let bytes = record(0).len();
            change(shard, NEWEST, |all| all.truncate(all.len() - bytes))
        },
    },
    Repair {
        name: "repair beside the side file of an earlier one",
        report: "past_durable_mark",
        opts_in: false,
        damage: |shard| {
            let mut rotten = record(2 * RECORDS);
            rotten[40] ^= 1;
            let end = read(shard, &log_name(NEWEST).to_string())?.len() as u64;
            let taken = SegmentFile::Cut {
                id: NEWEST,
                number: end,
            };
            put(shard, &taken.to_string(), b"of an earlier repair")?;
            change(shard, NEWEST, |bytes| bytes.extend(rotten))
        },
    },
];

/// Changes a segment, durably.
fn change(shard: &dyn Directory, id: u64, change: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
    let name = log_name(id).to_string();
    let mut bytes = read(shard, &name)?;
    change(&mut bytes);
    put(shard, &name, &bytes)
}

fn mark(shard: &dyn Directory, segment: u64, synced_bytes: u64) -> io::Result<()> {
    let mark = encoded(&DurableMark {
        segment,
        synced_bytes,
    });
    put(shard, Sidecar::DurableMark.file_name(), &mark)
}

/// A record that the log has not.
fn record(offset: u64) -> Vec<u8> {
    record_of(offset, format!("record {offset:<30}").as_bytes())
}

fn record_of(offset: u64, payload: &[u8]) -> Vec<u8> {
    encoded(&Record {
        kind: RecordKind::Ordinary,
        offset,
        timestamp_micros: offset,
        tag: None,
        payload,
    })
}

/// The bytes of a value, in the version that is written while no feature is finalized.
fn encoded<K: Encode>(value: &K) -> Vec<u8> {
    let version = WriteVersion::<K>::default_under(&FeatureLevels::NONE);
    let mut bytes = Vec::new();
    value
        .encode_at(version.get(), &mut bytes)
        .expect("a value that encodes");
    bytes
}
