//! A log on the disk, and the control for reading it: the least code that finds and checks records in mapped segments.
#![allow(dead_code, reason = "each program that is built with it uses a part")]

use ondisk::felix::name::SegmentFile;
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log};
use ondisk_engine::map::Map;
use tempfile::TempDir;
use zerocopy::FromBytes;

use crate::by_hand::{self, Record, RecordHead, Refused};

/// Flushed by nobody.
pub fn config(segment_size_bytes: u64) -> Config {
    Config {
        segment_size_bytes,
        fsync: FsyncMode::None,
        ..Config::default()
    }
}

/// A directory with a log, written by the log itself and closed.
pub struct Shard {
    pub place: TempDir,
}

impl Shard {
    /// `log_bytes` in ordinary records with this payload, in segments that are sealed but for the last.
    pub fn write(payload: usize, segment_bytes: u64, log_bytes: u64) -> Self {
        let shard = Self {
            place: tempfile::tempdir().expect("a directory"),
        };
        let log = shard.open(config(segment_bytes));
        let bytes: Vec<u8> = (0..payload)
            .map(|at| u8::try_from(at * 7 % 251).unwrap_or(0))
            .collect();
        let entries = vec![Entry::new(&bytes); 100];
        let mut written = 0;
        while written < log_bytes {
            log.append(&entries).expect("it appends");
            written += (entries.len() * (payload + 28)) as u64;
        }
        log.close().expect("it closes");
        shard
    }

    pub fn open(&self, config: Config) -> Log {
        Log::open(self.place.path(), config).expect("it opens")
    }

    /// All of it, mapped.
    pub fn map(&self) -> Maps {
        let directory = RealDirectory::open(self.place.path()).expect("the directory");
        let mut segments = Vec::new();
        for id in 0.. {
            let log = SegmentFile::Log { id }.to_string();
            let Some(bytes) = map(&*directory, &log) else {
                break;
            };
            let (header, _) = bytes.split_at_checked(32).expect("a header");
            let header = by_hand::header(header).expect("a sound header");
            let index = SegmentFile::Index { id }.to_string();
            segments.push(Segment {
                base_offset: header.base_offset.get(),
                version: header.version.get().into(),
                index: map(&*directory, &index).expect("an index"),
                bytes,
            });
        }
        Maps { segments }
    }
}

fn map(directory: &dyn Directory, name: &str) -> Option<Map> {
    let file = directory.file(name).ok()?;
    let len = file.stat().expect("it has a length").len;
    Some(Map::of(&*file, len).expect("a mapping"))
}

/// The control: every segment and index mapped for good, in a list that never changes.
pub struct Maps {
    pub segments: Vec<Segment>,
}

pub struct Segment {
    base_offset: u64,
    pub version: u32,
    bytes: Map,
    index: Map,
}

impl Maps {
    /// Bytes of all records.
    pub fn bytes(&self) -> u64 {
        let records = |segment: &Segment| segment.records().len() as u64;
        self.segments.iter().map(records).sum()
    }

    pub fn find(&self, offset: u64) -> Result<Record<'_>, Refused> {
        let after = self
            .segments
            .partition_point(|segment| segment.base_offset <= offset);
        let segment = after.checked_sub(1).and_then(|at| self.segments.get(at));
        segment.ok_or(Refused::Offset)?.find(offset)
    }
}

impl Segment {
    pub fn records(&self) -> &[u8] {
        self.bytes.get(32..).expect("a header")
    }

    /// From the index entry at or below on, by checked headers, to the record, which is checked whole.
    fn find(&self, target: u64) -> Result<Record<'_>, Refused> {
        let entries = by_hand::index(&self.index)?;
        let after = entries.partition_point(|entry| entry.offset.get() <= target);
        let (position, mut offset) = after.checked_sub(1).map_or((32, self.base_offset), |at| {
            (entries[at].position.get(), entries[at].offset.get())
        });
        let position = usize::try_from(position).map_err(|_| Refused::Length)?;
        let mut rest = self.bytes.get(position..).ok_or(Refused::Length)?;
        while offset < target {
            let (head, body) = head(rest)?;
            if head.offset.get() != offset {
                return Err(Refused::Offset);
            }
            rest = body;
            offset += 1;
        }
        let (record, _) = by_hand::record(rest, self.version)?;
        match record.head.offset.get() == target {
            true => Ok(record),
            false => Err(Refused::Offset),
        }
    }
}

/// The head of an ordinary record, and what lies behind the record.
fn head(bytes: &[u8]) -> Result<(&RecordHead, &[u8]), Refused> {
    let (head, body) = RecordHead::ref_from_prefix(bytes).map_err(|_| Refused::Short)?;
    let covered = bytes.first_chunk::<20>().ok_or(Refused::Short)?;
    if by_hand::crc::fixed(0, covered) != head.header_crc.get() {
        return Err(Refused::HeaderChecksum);
    }
    let word = head.word.get();
    if word >> 29 != 0 {
        return Err(Refused::Kind);
    }
    let rest = body.get((word & 0x1fff_ffff) as usize..);
    Ok((head, rest.ok_or(Refused::Short)?))
}
