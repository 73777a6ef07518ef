use ondisk_engine::felix::log::Config;

use crate::append::{Bench, append, small};
use crate::look::Look;

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
