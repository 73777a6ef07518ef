use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Acceptance, Config};

use crate::append::{Bench, append, small};
use crate::look::Look;

#[test]
fn a_configuration_that_cannot_work_touches_nothing() {
    let bench = Bench::new();
    let refused = bench.try_open(Config {
        index_spacing_bytes: 0,
        ..small()
    });
    let setting = "index_spacing_bytes";
    assert!(
        matches!(refused, Err(StorageError::InvalidConfig { setting: named }) if named == setting)
    );
    assert!(bench.directory.entries().expect("memory").is_empty());
}

#[test]
fn a_torn_tail_is_cut_and_the_log_goes_on() {
    let bench = Bench::new();
    let log = bench.open(small());
    append(&log, &["whole"]);
    append(&log, &["torn"]);
    log.close().expect("it closes");
    let name = "00000000000000000000.log";
    let file = bench.directory.edit(name).expect("it is there");
    let len = file.stat().expect("memory").len;
    file.set_len(len - 1).expect("memory");
    let log = bench.open(small());
    let names: Vec<_> = log
        .recovered()
        .reports
        .iter()
        .map(|report| report.name())
        .collect();
    assert_eq!(names, ["torn_tail"]);
    assert!(log.recovered().may_have_lost_acknowledged());
    assert_eq!(log.metrics().repairs["torn_tail"], 1);
    assert_eq!(log.tail(), 1);
    append(&log, &["again"]);
    log.close().expect("it closes");
    assert_eq!(Look::sound(&bench.directory).payloads(), ["whole", "again"]);
}

#[test]
fn a_placed_base_holds_for_a_fresh_log_only() {
    let bench = Bench::new();
    let placed = |open_at| Config { open_at, ..small() };
    let log = bench.open(placed(100));
    assert_eq!((log.base(), log.tail()), (100, 100));
    append(&log, &["x"]);
    log.close().expect("it closes");
    let log = bench.open(placed(7));
    assert_eq!((log.base(), log.tail()), (100, 101));
}

#[test]
fn a_log_without_segments_keeps_what_nothing_else_can_tell() {
    let bench = Bench::new();
    let log = bench.open(small());
    append(&log, &["x"]);
    log.accept(5, Some("a")).expect("it is stored");
    log.advance_commit(1).expect("it is open");
    let accepted = log.accepted();
    log.close().expect("it closes");
    for name in [
        "00000000000000000000.log",
        "00000000000000000000.index",
        "durable.mark",
    ] {
        bench.directory.unlink(name).expect("it is there");
    }
    let log = bench.open(small());
    assert_eq!((log.base(), log.tail()), (0, 0));
    assert_eq!(log.accepted(), accepted);
    let asked = log.accept(5, Some("b")).expect("it is answered");
    let recorded = "a".to_owned();
    assert_eq!(asked, Acceptance::Promised { recorded });
    log.close().expect("it closes");
    for name in ["00000000000000000000.log", "durable.mark"] {
        bench.directory.unlink(name).expect("it is there");
    }
    let replica = bench.directory.edit("replica").expect("it is there");
    replica.set_len(5).expect("memory");
    let refused = bench.try_open(small());
    assert!(matches!(
        refused,
        Err(StorageError::Sidecar {
            file: "replica",
            ..
        })
    ));
}

#[test]
fn the_newest_generations_are_kept() {
    let bench = Bench::new();
    let log = bench.open(small());
    append(&log, &["x"]);
    for generation in 0..600 {
        log.record_epoch(generation, generation / 500)
            .expect("it is stored");
    }
    let epochs = log.epochs();
    assert_eq!((epochs.len(), epochs[0].generation), (512, 88));
    assert_eq!(log.end_of_epoch(87), None);
    assert_eq!(log.end_of_epoch(499), Some(1));
    assert_eq!(log.end_of_epoch(599), Some(1));
    log.close().expect("it closes");
    assert_eq!(bench.open(small()).epochs(), epochs);
}
