use std::sync::Arc;

use ondisk::felix::ManifestEntry;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Log;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::manifest;

use crate::append::{Bench, append, small};
use crate::look::Look;

fn filled(bench: &Bench) -> Log {
    let log = bench.open(small());
    for number in 0..20 {
        append(&log, &[&format!("record {number:13}")]);
    }
    log
}

#[test]
fn to_every_offset_and_on_from_there() {
    for offset in 0..=21 {
        let bench = Bench::new();
        let log = filled(&bench);
        log.truncate(offset).expect("it cuts");
        let tail = offset.min(20);
        assert_eq!((log.tail(), log.durable()), (tail, tail));
        assert_eq!(append(&log, &["after"]), tail);
        log.close().expect("it closes");
        let look = Look::sound(&bench.directory);
        let base = if offset == 0 {
            0
        } else {
            look.records[0].offset
        };
        assert_eq!(base, 0);
        let numbers = 0..tail;
        let expected = numbers.map(|number| format!("record {number:13}"));
        let expected: Vec<_> = expected.chain(["after".to_owned()]).collect();
        assert_eq!(look.payloads(), expected, "cut at {offset}");
    }
}

#[test]
fn below_the_base() {
    let bench = Bench::new();
    let log = filled(&bench);
    log.reset_to(50).expect("it begins anew");
    append(&log, &["fifty"]);
    log.truncate(7).expect("it cuts");
    assert_eq!((log.base(), log.tail()), (7, 7));
    append(&log, &["seven"]);
    log.close().expect("it closes");
    let look = Look::sound(&bench.directory);
    assert_eq!(look.payloads(), ["seven"]);
    assert_eq!(look.records[0].offset, 7);
}

#[test]
fn what_a_majority_holds_stays() {
    let bench = Bench::new();
    let log = filled(&bench);
    log.advance_commit(10).expect("it is open");
    for offset in [0, 9] {
        let refused = log.truncate(offset);
        assert!(
            matches!(refused, Err(StorageError::BelowCommit { offset: found, commit: 10 }) if found == offset)
        );
    }
    assert!(matches!(
        log.reset_to(3),
        Err(StorageError::BelowCommit { offset: 3, .. })
    ));
    log.truncate(10).expect("it cuts");
    log.restore_to(4).expect("it restores");
    assert_eq!(log.accepted().commit, 4);
    assert!(matches!(
        log.restore_to(5),
        Err(StorageError::OutsideLog {
            offset: 5,
            base: 0,
            tail: 4
        })
    ));
    log.close().expect("it closes");
    assert_eq!(Look::sound(&bench.directory).records.len(), 4);
}

#[test]
fn waiting_commits_are_told() {
    let bench = Bench::new();
    let log = filled(&bench);
    let entry = ondisk_engine::felix::log::Entry::new(b"waits");
    let commit = log.append(&[entry]).expect("it appends");
    log.truncate(5).expect("it cuts");
    let told = commit.wait().expect_err("it is gone");
    assert_eq!(
        told,
        ondisk_engine::felix::log::CommitError::Rewound { to: 5 }
    );
}

#[test]
fn a_reset_above_the_end_acknowledges_nothing_that_was_below() {
    let bench = Bench::new();
    let log = filled(&bench);
    let entry = ondisk_engine::felix::log::Entry::new(b"waits");
    let commit = log.append(&[entry]).expect("it appends");
    log.reset_to(100).expect("it begins anew");
    assert_eq!((log.tail(), log.durable()), (100, 100));
    append(&log, &["after"]);
    let told = commit.wait().expect_err("it is gone");
    assert!(
        matches!(told, ondisk_engine::felix::log::CommitError::Rewound { .. }),
        "{told:?}"
    );
}

type Cut = fn(&Log);

#[test]
fn what_is_copied_elsewhere_is_forgotten_ahead() {
    let entry = |segment, base_offset, last_offset| ManifestEntry {
        segment,
        base_offset,
        last_offset,
        size: 100,
        oldest_micros: 1,
        newest_micros: 2,
        checksum: 3,
        key: format!("n/d/{segment}"),
    };
    let copied = [entry(0, 0, 4), entry(1, 5, 9), entry(2, 10, 14)];
    let cuts: [(&str, Cut, usize); 4] = [
        ("all of them", |log| log.truncate(15).expect("it cuts"), 3),
        (
            "one in the middle",
            |log| log.truncate(9).expect("it cuts"),
            1,
        ),
        (
            "at the end of one",
            |log| log.truncate(10).expect("it cuts"),
            2,
        ),
        (
            "a reset",
            |log| log.reset_to(50).expect("it begins anew"),
            0,
        ),
    ];
    for (name, cut, kept) in cuts {
        let bench = Bench::new();
        let log = filled(&bench);
        log.close().expect("it closes");
        manifest::store(&*bench.directory, &copied).expect("memory");
        cut(&bench.open(small()));
        let shard = Shard::look(Arc::clone(&bench.directory), None).expect("memory");
        let loaded = manifest::load(&shard).expect("memory");
        assert_eq!(
            loaded.sound().map(Vec::as_slice),
            Some(&copied[..kept]),
            "{name}"
        );
    }
}
