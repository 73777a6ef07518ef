//! Logs that take a checksum of 0 for "none", or bytes of zeros for the padding behind the last record: one record in four
//! billion is lost with all that follow it, and a payload of zeros looks like the end.
//! Here no value of a field is special, and a record is what its checksums say: padding fails them, because the checksum of
//! zeros is not 0 (Felix 1.2, 4.3, 7.3).

use std::collections::BTreeMap;

use ondisk_engine::felix::log::{Config, Entry};

use crate::bench::{append_next, config, open, records, reports};
use crate::build::{HEADER, Segment, Shard, index, index_name, log_name, payload, record};

/// The word for which a function is 0 that is linear but for a constant, as a CRC is in any four bytes that it covers.
fn zero_of(function: impl Fn(u32) -> u32) -> u32 {
    let constant = function(0);
    // By the highest bit of what they come to: differences, and the words that make them.
    let mut basis = [(0, 0); 32];
    let reduced = |basis: &[(u32, u32); 32], (mut value, mut word): (u32, u32)| {
        for (bit, &(difference, by)) in basis.iter().enumerate().rev() {
            if value >> bit & 1 == 1 {
                (value, word) = (value ^ difference, word ^ by);
            }
        }
        (value, word)
    };
    for bit in 0..32 {
        let word = 1 << bit;
        let added = reduced(&basis, (function(word) ^ constant, word));
        let highest = added.0.checked_ilog2().expect("four bytes make every CRC");
        basis[highest as usize] = added;
    }
    reduced(&basis, (constant, 0)).1
}

fn field(record: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(record[at..at + 4].try_into().expect("four bytes"))
}

fn header_crc(record: &[u8]) -> u32 {
    field(record, 20)
}

fn checksum(record: &[u8]) -> u32 {
    field(record, 24)
}

/// A time at which the header of the record has the checksum 0.
fn time_of_zero(offset: u64, length: usize) -> u64 {
    let header = |low: u32| header_crc(&record(offset, low.into(), &vec![0; length]));
    zero_of(header).into()
}

/// A payload with which the whole record has the checksum 0.
fn payload_of_zero(offset: u64, time: u64) -> Vec<u8> {
    let whole = |word: u32| checksum(&record(offset, time, &word.to_be_bytes()));
    zero_of(whole).to_be_bytes().to_vec()
}

/// Records at offset 0 that something else could take for padding.
fn odd() -> Vec<(&'static str, u64, Vec<u8>)> {
    let time = time_of_zero(0, 4);
    vec![
        ("a checksum of 0", 1, payload_of_zero(0, 1)),
        ("a header checksum of 0", time_of_zero(0, 36), vec![0; 36]),
        ("both", time, payload_of_zero(0, time)),
        ("no payload", 0, Vec::new()),
        ("a payload of zeros", 0, vec![0; 36]),
        ("whole sectors of zeros", 0, vec![0; 5000]),
    ]
}

fn large() -> Config {
    Config {
        segment_size_bytes: 1 << 20,
        ..config()
    }
}

#[test]
fn the_records_are_what_they_are_called() {
    let odd: Vec<_> = odd()
        .into_iter()
        .map(|(_, time, payload)| record(0, time, &payload))
        .collect();
    assert_eq!(checksum(&odd[0]), 0);
    assert_eq!(header_crc(&odd[1]), 0);
    assert_eq!((header_crc(&odd[2]), checksum(&odd[2])), (0, 0));
    for record in &odd[3..] {
        let zeros = [&record[4..20], &record[28..]].concat();
        assert!(zeros.iter().all(|&byte| byte == 0));
    }
}

#[test]
fn a_record_that_looks_like_padding_is_kept_and_padding_behind_it_is_cut() {
    for (what, time, odd) in odd() {
        let bytes = record(0, time, &odd);
        let end = HEADER + bytes.len() as u64;
        let whole = Segment::at(0).record(&bytes);
        for (synced, padding) in [(32, 0), (end, 0), (32, 4096), (end, 4096)] {
            let padded = whole.clone().padded_to(whole.bytes.len() + padding);
            let shard = Shard::new().segment(0, &padded).mark(0, synced);
            let log = open(&shard.0, &large()).unwrap_or_else(|error| panic!("{what}: {error}"));
            let cut: &[&str] = if padding == 0 {
                &[]
            } else {
                &["past_durable_mark"]
            };
            assert_eq!(reports(&log), cut, "{what}");
            assert_eq!(records(&log), BTreeMap::from([(0, odd.clone())]), "{what}");
            crate::bench::goes_on(what, &shard.0, &large(), log);
        }
    }
}

#[test]
fn a_record_that_looks_like_padding_is_kept_in_front_of_others_and_without_a_mark() {
    for (what, time, odd) in odd() {
        let first = Segment::at(0)
            .record(&record(0, time, &odd))
            .payload(&payload(1));
        let shard = Shard::new()
            .file(&log_name(0), &first.bytes)
            .file(&index_name(0), &index(0, &[(0, 32)]))
            .segment(1, &Segment::of(2..4));
        for verify_all_on_open in [false, true] {
            let config = Config {
                verify_all_on_open,
                ..large()
            };
            let log = open(&shard.0, &config).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!((log.base(), log.tail()), (0, 4), "{what}");
            assert_eq!(records(&log)[&0], odd, "{what}");
        }
    }
}

#[test]
fn a_record_that_looks_like_padding_can_be_appended() {
    let shard = Shard::new();
    let log = open(&shard.0, &large()).expect("it opens");
    let mut expected = BTreeMap::new();
    for _ in 0..3 {
        let offset = log.tail();
        let time = time_of_zero(offset, 4);
        let odd = payload_of_zero(offset, time);
        let commit = log
            .append(&[Entry::new(&odd).at(time)])
            .expect("it appends");
        commit.wait().expect("the disk works");
        expected.insert(offset, odd);
        append_next(&log, 1).expect("it appends");
        expected.insert(offset + 1, payload(offset + 1));
    }
    assert_eq!(records(&log), expected);
    let checksums: Vec<_> = log.read_range(0, u64::MAX).expect("it reads");
    assert_eq!(
        checksums
            .iter()
            .filter(|record| record.checksum() == 0)
            .count(),
        3
    );
    crate::bench::goes_on("appended", &shard.0, &large(), log);
}
