//! Devices that return a former content of a sector after power loss: a log that looks at its last record alone goes on
//! behind the hole, one that stops at the first bad record without a word drops what was flushed.
//! Here every record of the newest segment is checked at an open. What begins past the durable mark is cut by name and kept
//! beside the segment; what lies below it was flushed, so it is damage, and nothing is dropped (Felix 6, 7.3, rule 2).

use std::ops::Range;

use ondisk_engine::felix::error::CorruptionKind;
use ondisk_engine::felix::log::Config;

use crate::bench::{Right, append, append_next, bytes, config, open, opens, reports};
use crate::build::{RECORD, Segment, Shard, at, cut_name, length, log_name, put};

const SECTOR: usize = 512;

fn large() -> Config {
    Config {
        segment_size_bytes: 1 << 16,
        ..config()
    }
}

/// Forty records, and what each of its sectors may have been before: zeros, or records of another history.
fn sectors() -> Vec<(&'static str, Segment)> {
    let whole = Segment::of(0..40);
    let other = (0..40).fold(Segment::at(0), |segment, offset| {
        segment.payload(format!("{offset:<36}").as_bytes())
    });
    let zeros = Segment::at(0).padded_to(whole.bytes.len());
    vec![("zeros", zeros), ("another history", other)]
}

/// The whole segment with one sector as it was before.
fn with_old_sector(old: &Segment, sector: usize) -> Segment {
    let mut segment = Segment::of(0..40);
    let range = range(sector, segment.bytes.len());
    segment.bytes[range.clone()].copy_from_slice(&old.bytes[range]);
    segment
}

fn range(sector: usize, length: usize) -> Range<usize> {
    sector * SECTOR..((sector + 1) * SECTOR).min(length)
}

/// The first record that reaches into a sector.
fn first_record_in(sector: usize) -> u64 {
    (sector as u64 * SECTOR as u64 - 32) / RECORD
}

#[test]
fn an_old_sector_past_the_mark_is_cut_by_name_and_kept() {
    for (what, old) in sectors() {
        for sector in 1..5 {
            let segment = with_old_sector(&old, sector);
            let records = first_record_in(sector);
            for synced in [length(0), length(records)] {
                let shard = Shard::new().segment(0, &segment).mark(0, synced);
                let position = length(records);
                let saved = [(cut_name(0, position), segment.from(position))];
                let right = Right {
                    reports: &["past_durable_mark"],
                    offsets: 0..records,
                    saved: &saved,
                };
                let what = format!("{what} in sector {sector}, mark at {synced}");
                opens(&what, &shard.0, &large(), &right);
            }
        }
    }
}

#[test]
fn an_old_sector_below_the_mark_is_damage_and_stays() {
    for (what, old) in sectors() {
        for sector in 1..5 {
            let segment = with_old_sector(&old, sector);
            let records = first_record_in(sector);
            for synced in [length(records) + 1, length(records + 1), length(40)] {
                let shard = Shard::new().segment(0, &segment).mark(0, synced);
                let error = open(&shard.0, &large()).expect_err("it is damaged");
                let what = format!("{what} in sector {sector}, mark at {synced}: {error}");
                assert!(
                    what.contains(&format!("byte {}", length(records))),
                    "{what}"
                );
                let there = bytes(&*shard.0, &log_name(0));
                assert_eq!(there, Some(segment.bytes.clone()), "{what}");
            }
        }
    }
}

/// The same by the log itself: it is cut back, goes on with other records, and the device shows a sector as it was.
#[test]
fn a_sector_from_before_a_truncation_is_not_taken_for_a_record() {
    let shard = Shard::new();
    let log = open(&shard.0, &large()).expect("it opens");
    append_next(&log, 40).expect("the disk works");
    let before = bytes(&*shard.0, &log_name(0)).expect("it is there");
    log.truncate(4).expect("it cuts");
    let mark = bytes(&*shard.0, "durable.mark").expect("it is there");
    for offset in 4..40_u64 {
        append(&log, format!("{offset:<36}").as_bytes()).expect("the disk works");
    }
    log.close().expect("it closes");
    let mut after = bytes(&*shard.0, &log_name(0)).expect("it is there");
    assert_eq!(after.len(), before.len());
    let sector = range(2, before.len());
    after[sector.clone()].copy_from_slice(&before[sector]);
    put(&*shard.0, &log_name(0), &after);
    // Power went before the mark got further.
    put(&*shard.0, "durable.mark", &mark);
    let log = open(&shard.0, &large()).expect("it opens");
    assert_eq!(reports(&log), ["past_durable_mark"]);
    let records = first_record_in(2);
    assert_eq!((log.base(), log.tail()), (0, records));
    let kept = bytes(&*shard.0, &cut_name(0, length(records)));
    assert_eq!(kept, Some(after[at(length(records))..].to_vec()));
    crate::bench::goes_on("an old sector", &shard.0, &large(), log);
}

/// A rotten bit is not an old sector, and is told in the same way.
#[test]
fn a_rotten_record_is_cut_only_past_the_mark() {
    for record in 0..4 {
        let rotten = Segment::of(0..4).rotten_at(length(record) + 40);
        for marked in 0..=4 {
            let shard = Shard::new().segment(0, &rotten).mark(0, length(marked));
            let what = format!("record {record}, mark behind {marked}");
            if marked <= record {
                let position = length(record);
                let saved = [(cut_name(0, position), rotten.from(position))];
                let right = Right {
                    reports: &["past_durable_mark"],
                    offsets: 0..record,
                    saved: &saved,
                };
                opens(&what, &shard.0, &large(), &right);
            } else {
                let damage = checksum_of(&rotten, record);
                crate::bench::refuses(&what, &shard.0, &large(), (damage, 0, length(record)));
            }
        }
    }
}

/// The error of a record whose payload has rotted.
fn checksum_of(segment: &Segment, record: u64) -> CorruptionKind {
    let (position, end) = (at(length(record)), at(length(record + 1)));
    let rotten = &segment.bytes[position..end];
    let stored = rotten[24..28].try_into().expect("four bytes");
    let covered = [&rotten[..24], &rotten[28..]].concat();
    CorruptionKind::RecordChecksum {
        expected: u32::from_be_bytes(stored),
        found: crc32(&covered),
    }
}

/// CRC-32 (IEEE), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}
