//! Reading a log in every mode: records across and beyond the window, seeks by right and wrong index entries.

use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::FeatureLevels;
use ondisk::felix::name::SegmentFile;
use ondisk::felix::{Index, IndexEntry, Record, RecordKind, SegmentHeader};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::{MemoryDirectory, MemoryFile};
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::mark::Mark;
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{Plan, Scans, Settings, plan};
use ondisk_engine::felix::segment::{Access, Mode};
use ondisk_engine::felix::shard::Shard;

const MODES: [Mode; 3] = [Mode::Mapped, Mode::Windowed, Mode::WindowedOnce];

/// A segment of payloads of these lengths, with where each record begins.
fn segment(base_offset: u64, payloads: &[usize]) -> (Vec<u8>, Vec<u64>) {
    let version = SegmentHeader::write_version(&FeatureLevels::NONE);
    let (mut bytes, mut positions) = (Vec::new(), Vec::new());
    SegmentHeader {
        base_offset,
        created_at_micros: 0,
    }
    .encode(version, &mut bytes)
    .expect("a header");
    for (offset, &len) in (base_offset..).zip(payloads) {
        positions.push(bytes.len() as u64);
        let payload: Vec<u8> = (offset..)
            .map(|byte| byte.to_le_bytes()[0])
            .take(len)
            .collect();
        let record = Record {
            kind: RecordKind::Ordinary,
            offset,
            timestamp_micros: 0,
            tag: None,
            payload: &payload,
        };
        record.encode(version, &mut bytes).expect("a record");
    }
    (bytes, positions)
}

fn index(base_offset: u64, entries: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let entries = entries
        .iter()
        .map(|&(offset, position)| IndexEntry { offset, position })
        .collect();
    let index = Index {
        base_offset,
        entries,
    };
    index
        .encode(Index::write_version(&FeatureLevels::NONE), &mut bytes)
        .expect("an index");
    bytes
}

fn planned(scans: &Scans<'_>) -> Plan {
    plan(scans, Mark(None), &[], &Settings::default()).expect("it can be read")
}

fn offsets(reader: &Reader<'_>, from: u64, most: usize) -> Vec<u64> {
    let mut found = Vec::new();
    let read = reader.read(from, &mut |_, met| {
        let record = met.record;
        assert!(
            record
                .payload()
                .iter()
                .zip(record.offset()..)
                .all(|(&byte, at)| byte == at.to_le_bytes()[0])
        );
        found.push(record.offset());
        if found.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    read.expect("it can be read").expect("it decodes");
    found
}

#[test]
fn records_across_and_beyond_the_window() {
    let window = 64 * 1024;
    let lens = [
        0,
        1,
        window - 28,
        window - 27,
        window,
        3,
        window + 1,
        5 * window,
        0,
        0,
        200_000,
        7,
        2 * window - 56,
        window - 29,
        1,
    ];
    let temporary = tempfile::tempdir().expect("a directory");
    let (bytes, _) = segment(10, &lens);
    std::fs::write(
        temporary
            .path()
            .join(SegmentFile::Log { id: 0 }.to_string()),
        &bytes,
    )
    .expect("a segment");
    for mode in MODES {
        let shard = Shard::look(
            RealDirectory::open(temporary.path()).expect("it opens"),
            None,
        )
        .expect("it lists");
        let scans = Scans::new(
            &shard,
            Access {
                mode,
                ..Access::default()
            },
        );
        let plan = planned(&scans);
        let log = plan.log.as_ref().expect("a log");
        assert_eq!(
            (log.base, log.tail),
            (10, 10 + lens.len() as u64),
            "{mode:?}"
        );
        let reader = Reader::new(&scans, log);
        for from in 10..log.tail {
            let expected: Vec<u64> = (from..log.tail).take(3).collect();
            assert_eq!(offsets(&reader, from, 3), expected, "{mode:?}");
        }
        let mut copied = Vec::new();
        reader
            .bytes(&log.segments[0], &mut |piece| {
                copied.extend_from_slice(piece)
            })
            .expect("it can be read");
        assert!(copied == bytes, "{mode:?}");
    }
}

#[test]
fn every_cut_of_a_segment_is_torn() {
    let (bytes, positions) = segment(0, &[0, 5, 100, 3]);
    for len in 33..bytes.len() {
        let directory = Arc::new(MemoryDirectory::new("shard"));
        directory.put(
            &SegmentFile::Log { id: 0 }.to_string(),
            MemoryFile::of(&bytes[..len]),
        );
        let shard = Shard::look(directory, None).expect("it lists");
        let scans = Scans::new(&shard, Access::default());
        let plan = planned(&scans);
        let whole = positions
            .iter()
            .rev()
            .find(|&&position| position <= len as u64);
        let log = plan.log.expect("a torn end is cut");
        assert_eq!(Some(&log.segments[0].valid_bytes), whole, "{len}");
    }
}

#[test]
fn a_read_starts_where_the_index_says_or_over() {
    let (bytes, positions) = segment(100, &[10; 50]);
    let (next, _) = segment(150, &[10; 2]);
    for (name, entries) in [
        ("none", vec![]),
        (
            "right",
            vec![(100, 32), (120, positions[20]), (149, positions[49])],
        ),
        (
            "one of another record",
            vec![(100, 32), (120, positions[21])],
        ),
        (
            "one inside a record",
            vec![(100, 32), (120, positions[20] + 1)],
        ),
        ("one past the end", vec![(100, 32), (120, 99_999)]),
        ("one at the end", vec![(100, 32), (120, bytes.len() as u64)]),
    ] {
        let directory = Arc::new(MemoryDirectory::new("shard"));
        directory.put(
            &SegmentFile::Log { id: 0 }.to_string(),
            MemoryFile::of(&bytes),
        );
        directory.put(
            &SegmentFile::Index { id: 0 }.to_string(),
            MemoryFile::of(&index(100, &entries)),
        );
        directory.put(
            &SegmentFile::Log { id: 1 }.to_string(),
            MemoryFile::of(&next),
        );
        let shard = Shard::look(directory, None).expect("it lists");
        let scans = Scans::new(&shard, Access::default());
        let plan = planned(&scans);
        let log = plan.log.as_ref().expect("a log");
        let reader = Reader::new(&scans, log);
        for from in [100, 119, 120, 121, 149, 150, 151] {
            let expected: Vec<u64> = (from..152).collect();
            assert_eq!(offsets(&reader, from, 100), expected, "{name}, from {from}");
        }
        assert!(offsets(&reader, 152, 1).is_empty() && offsets(&reader, u64::MAX, 1).is_empty());
        let below = reader.read(99, &mut |_, _| ControlFlow::Continue(()));
        assert!(matches!(
            below,
            Err(StorageError::Trimmed {
                requested: 99,
                oldest: 100
            })
        ));
    }
}

#[test]
fn what_was_read_before_a_failure_was_handed_out() {
    let (mut bytes, positions) = segment(0, &[10; 5]);
    bytes[usize::try_from(positions[3]).expect("small") + 30] ^= 1;
    let (next, _) = segment(5, &[10]);
    let directory = Arc::new(MemoryDirectory::new("shard"));
    directory.put(
        &SegmentFile::Log { id: 0 }.to_string(),
        MemoryFile::of(&bytes),
    );
    directory.put(
        &SegmentFile::Index { id: 0 }.to_string(),
        MemoryFile::of(&index(0, &[(4, positions[4])])),
    );
    directory.put(
        &SegmentFile::Log { id: 1 }.to_string(),
        MemoryFile::of(&next),
    );
    assert_eq!(directory.path().to_str(), Some("shard"));
    let shard = Shard::look(directory, Some("t/n/s/0".to_owned())).expect("it lists");
    let scans = Scans::new(&shard, Access::default());
    let plan = planned(&scans);
    let reader = Reader::new(&scans, plan.log.as_ref().expect("the index is trusted"));
    let mut seen = 0;
    let read = reader.read(0, &mut |_, _| {
        seen += 1;
        ControlFlow::Continue(())
    });
    let corruption = read
        .expect("it can be read")
        .expect_err("record 3 is rotten");
    assert_eq!(seen, 3);
    assert_eq!(corruption.site.shard.as_deref(), Some("t/n/s/0"));
    assert_eq!(
        (corruption.site.segment, corruption.site.position),
        (Some(0), Some(positions[3]))
    );
}
