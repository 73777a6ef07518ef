//! Records that do not decode.

use ondisk_engine::disk::{self, Directory};
use ondisk_engine::felix::error::{Corruption, CorruptionKind, StorageError};
use ondisk_engine::felix::log::{Bound, Config, Log};

use crate::bench::{Place, fill, small};

const RECORD: u64 = 128;

/// Three segments of ten records, the last one active.
fn filled(place: &Place) -> Log {
    let log = place.open(Config {
        segment_size_bytes: 32 + 10 * RECORD,
        index_spacing_bytes: 3 * RECORD,
        ..small()
    });
    fill(&log, [100; 30]);
    log
}

/// Changes a byte of a record, by its segment and its number there.
fn change(directory: &dyn Directory, segment: u64, number: u64, at: u64) {
    let file = directory
        .edit(&format!("{segment:020}.log"))
        .expect("it is there");
    let position = 32 + number * RECORD + at;
    let mut byte = [0];
    disk::read_exact_at(&*file, &mut byte, position).expect("it reads");
    disk::write_all_at(&*file, &[byte[0] ^ 0x40], position).expect("it writes");
}

fn corruption(error: StorageError) -> Corruption {
    match error {
        StorageError::Corruption(corruption) => corruption,
        other => panic!("no corruption: {other}"),
    }
}

#[test]
fn the_site_of_a_damaged_record() {
    // The word, the offset, the checksum of the header, that of all, the payload.
    for (at, in_header) in [(0, true), (10, true), (22, true), (26, false), (90, false)] {
        for (segment, number) in [(0, 0), (0, 4), (1, 9), (2, 3)] {
            for place in Place::all() {
                let log = filled(&place);
                change(&*place.directory, segment, number, at);
                let damaged = segment * 10 + number;
                let mut records = log.read(0, Bound::Tail).expect("it is there");
                for offset in 0..damaged {
                    let record = records.next().expect("it reads").expect("one more");
                    assert_eq!(record.offset(), offset);
                }
                for _ in 0..2 {
                    let error = records.next().expect_err("it is damaged");
                    let Corruption { kind, site } = corruption(error);
                    let expected = matches!(kind, CorruptionKind::RecordHeaderChecksum { .. });
                    assert_eq!(expected, in_header, "{kind}, {}", place.name);
                    assert_eq!(site.segment, Some(segment));
                    assert_eq!(site.position, Some(32 + number * RECORD));
                    let path = place.directory.path().display().to_string();
                    assert_eq!(site.shard, Some(path));
                }
                assert_eq!(records.position(), damaged);
                let range = log.read_range(0, u64::MAX).expect_err("it is damaged");
                assert_eq!(corruption(range).site.segment, Some(segment));
                // Records below the start are stepped over by their headers.
                let behind = log.read_range(damaged + 1, u64::MAX);
                if !in_header {
                    let behind = behind.expect("it reads");
                    assert_eq!(behind.len() as u64, 29 - damaged, "{}", place.name);
                }
                // In the next segment nothing is wrong.
                let next = log.read_range((segment + 1) * 10, u64::MAX);
                assert_eq!(next.expect("it reads").len() as u64, 20 - segment * 10);
            }
        }
    }
}

#[test]
fn a_header_that_no_entry_leads_around() {
    for place in Place::all() {
        let log = filled(&place);
        change(&*place.directory, 0, 4, 0);
        // Entries are at 0, 3, 6 and 9: 5 is reached over the damage only, 6 is not.
        let error = log.read_range(5, u64::MAX).expect_err("it is damaged");
        assert_eq!(corruption(error).site.position, Some(32 + 4 * RECORD));
        assert_eq!(log.read_range(6, u64::MAX).expect("it reads").len(), 24);
    }
}

#[test]
fn records_that_are_in_another_place() {
    for place in Place::all() {
        let log = filled(&place);
        let file = place
            .directory
            .edit("00000000000000000001.log")
            .expect("it is there");
        // The record 15 where 13 belongs, sound in itself.
        let mut record = [0; 128];
        disk::read_exact_at(&*file, &mut record, 32 + 5 * RECORD).expect("it reads");
        disk::write_all_at(&*file, &record, 32 + 3 * RECORD).expect("it writes");
        let error = log.read_range(10, u64::MAX).expect_err("it is damaged");
        let Corruption { kind, site } = corruption(error);
        let expected = CorruptionKind::OffsetOutOfOrder {
            expected: 13,
            found: 15,
        };
        assert_eq!(kind, expected);
        assert_eq!(site.position, Some(32 + 3 * RECORD));
    }
}

#[test]
fn a_file_that_a_foreign_hand_shortened() {
    // Not mapped: there it ends in a signal, as is said of that mode.
    for place in [Place::pread(), Place::memory()] {
        let log = filled(&place);
        let file = place
            .directory
            .edit("00000000000000000001.log")
            .expect("it is there");
        file.set_len(32 + 4 * RECORD + 50).expect("it shortens");
        let mut records = log.read(0, Bound::Tail).expect("it is there");
        let mut met = 0;
        let error = loop {
            match records.next() {
                Ok(Some(_)) => met += 1,
                Ok(None) => panic!("no error"),
                Err(error) => break error,
            }
        };
        assert!((10..=14).contains(&met), "{met} records, then {error}");
        assert!(
            matches!(error, StorageError::Io { .. } | StorageError::Corruption(_)),
            "{error}"
        );
        assert_eq!(log.read_range(20, u64::MAX).expect("it reads").len(), 10);
    }
}
