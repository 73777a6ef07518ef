//! Short sequences that went wrong once.

use ondisk_engine::felix::log::FsyncMode;

use crate::op::{Batch, ConfigOf, EntryOf, MarkOf, Op, Place};
use crate::run::Pair;

pub const SMALL: ConfigOf = ConfigOf {
    size: 60,
    spacing: 1,
    fsync: FsyncMode::OnCommit,
    threshold: 100,
    overshoot: 0,
    bytes: None,
    age: None,
    mapped: false,
    verify: false,
    preallocate: false,
    level: 0,
};

fn record() -> Op {
    Op::Append(Batch::Producer(0, 0, 1, 1), None)
}

fn run(config: ConfigOf, ops: &[Op]) {
    Pair::run(ops, config.config());
}

#[test]
fn the_highest_offset_takes_a_record() {
    let ends = [
        Op::Reset(Place::At(u64::MAX - 1)),
        record(),
        record(),
        Op::Roll,
        Op::Reopen(true, None),
        Op::GenerationStart(1),
        Op::Truncate(Place::At(u64::MAX - 1)),
        record(),
    ];
    run(ConfigOf { level: 1, ..SMALL }, &ends);
}

#[test]
fn no_background_roll_at_the_end_of_all_offsets() {
    let config = ConfigOf {
        threshold: 1,
        ..SMALL
    };
    let three = Op::Append(Batch::Producer(0, 0, 1, 3), None);
    let ops = [Op::Reset(Place::At(u64::MAX - 3)), three, Op::RunReady];
    run(config, &ops);
}

#[test]
fn a_batch_that_claims_more_offsets_than_there_are() {
    let opens = EntryOf {
        mark: MarkOf::Opens(0, 0, 3),
        bytes: 0,
        timestamp: None,
    };
    let ops = [
        Op::Reset(Place::At(u64::MAX - 2)),
        Op::Append(Batch::Any(vec![opens]), None),
        record(),
    ];
    run(SMALL, &ops);
}

#[test]
fn the_overshoot_is_exact() {
    let config = ConfigOf {
        size: 99,
        threshold: 1,
        overshoot: 50,
        ..SMALL
    };
    run(config, &[record(), record()]);
}

#[test]
fn age_takes_the_empty_segment_in_front_of_a_generation_start() {
    let config = ConfigOf {
        age: Some(1),
        level: 1,
        ..SMALL
    };
    run(config, &[Op::GenerationStart(0), Op::Retain]);
}

#[test]
fn an_epoch_past_the_tail_does_not_come_back() {
    let ops = [
        Op::RecordEpoch(0, Place::Within(0, 1)),
        Op::Reopen(false, None),
        record(),
        Op::Reopen(false, None),
    ];
    run(SMALL, &ops);
}
