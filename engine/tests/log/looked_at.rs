//! A log that somebody else writes, with bytes at its end that do not decode: on their way, or damaged.

use std::time::Duration;

use ondisk_engine::disk::{Directory, read_exact_at, write_all_at};
use ondisk_engine::felix::error::{CorruptionKind, StorageError};
use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log, ReadOnlyLog};

use crate::append::{Bench, small};

const SEGMENT: &str = "00000000000000000000.log";

/// Nothing is flushed unless somebody asks.
fn config() -> Config {
    Config {
        segment_size_bytes: 1 << 20,
        fsync: FsyncMode::None,
        ..small()
    }
}

/// A log of two records that are flushed, whoever looks at it, and a third that they have not seen, damaged.
fn damaged(bench: &Bench) -> (Log, ReadOnlyLog) {
    let log = bench.open(config());
    append(&log, 2);
    log.sync().expect("it flushes");
    let looked_at = look_at(bench);
    assert_eq!(looked_at.tail(), 2);
    append(&log, 1);
    change_last_byte(&*bench.directory, 1);
    (log, looked_at)
}

fn look_at(bench: &Bench) -> ReadOnlyLog {
    let directory = bench.directory.clone();
    ReadOnlyLog::open_in(directory, &config(), &bench.environment).expect("it opens")
}

fn append(log: &Log, records: usize) {
    for _ in 0..records {
        log.append(&[Entry::new(b"record")]).expect("it appends");
    }
}

/// Flips the bits of `mask`.
fn change_last_byte(directory: &dyn Directory, mask: u8) {
    let file = directory.edit(SEGMENT).expect("it is there");
    let last = file.stat().expect("memory").len - 1;
    let mut byte = [0];
    read_exact_at(&*file, &mut byte, last).expect("memory");
    write_all_at(&*file, &[byte[0] ^ mask], last).expect("memory");
}

fn is_damage(looked: &Result<(), StorageError>) -> bool {
    matches!(
        looked,
        Err(StorageError::Corruption(damage))
            if matches!(damage.kind, CorruptionKind::RecordChecksum { .. })
                && damage.site.segment == Some(0)
                && damage.site.position == Some(32 + 2 * 34)
    )
}

#[test]
fn it_is_on_its_way_until_the_mark_vouches_for_it() {
    let bench = Bench::new();
    let (log, looked_at) = damaged(&bench);
    for _ in 0..3 {
        looked_at.refresh().expect("it may become whole");
    }
    append(&log, 1);
    looked_at.refresh().expect("nothing of that is flushed");
    log.sync().expect("it flushes");
    for _ in 0..2 {
        let looked = looked_at.refresh();
        assert!(is_damage(&looked), "{looked:?}");
    }
    assert_eq!(looked_at.tail(), 2);
}

#[test]
fn without_a_mark_a_second_look_at_the_same_bytes_decides() {
    let bench = Bench::new();
    let (_log, looked_at) = damaged(&bench);
    bench.directory.unlink("durable.mark").expect("it is there");
    looked_at.refresh().expect("a first look");
    change_last_byte(&*bench.directory, 2);
    looked_at.refresh().expect("other bytes");
    let looked = looked_at.refresh();
    assert!(is_damage(&looked), "{looked:?}");
    change_last_byte(&*bench.directory, 3);
    looked_at.refresh().expect("it has become whole");
    assert_eq!(looked_at.tail(), 3);
}

#[test]
fn a_follower_reads_what_is_sound_and_is_told() {
    let bench = Bench::new();
    let (log, looked_at) = damaged(&bench);
    log.sync().expect("it flushes");
    let mut follow = looked_at.follow(0).expect("it is there");
    for offset in 0..2 {
        assert_eq!(follow.next().expect("it is sound").offset(), offset);
    }
    let told = follow.next_timeout(Duration::from_secs(30));
    assert!(is_damage(&told.map(drop)));
}

#[test]
fn it_is_damage_once_the_writer_goes_on_in_the_next_segment() {
    let bench = Bench::new();
    let (log, looked_at) = damaged(&bench);
    log.roll().expect("it rolls");
    let looked = looked_at.refresh();
    assert!(is_damage(&looked), "{looked:?}");
}

#[test]
fn what_a_crash_left_past_the_mark_waits_for_an_open_that_cuts_it() {
    let bench = Bench::new();
    let (log, looked_at) = damaged(&bench);
    // As if its process had been killed.
    std::mem::forget(log);
    for _ in 0..3 {
        looked_at.refresh().expect("it was never flushed");
    }
    let file = bench.directory.edit(SEGMENT).expect("it is there");
    file.set_len(32 + 2 * 34).expect("as recovery does");
    looked_at.refresh().expect("it is gone");
    assert_eq!(looked_at.tail(), 2);
    assert_eq!(look_at(&bench).tail(), 2);
}
