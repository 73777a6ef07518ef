//! Every call of the disk fails once, and for good, in every script.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use ondisk_engine::felix::log::{Bound, Config, FsyncMode, Retention};

use crate::append::small;
use crate::careful::{Careful, Debris, MODES};
use crate::faulty::{Call, How, When};

type Script = fn(&mut Careful);

/// Runs the script with each of its calls failing in each way, from the first open on or once it is open.
fn fail_everywhere(config: &Config, script: Script) {
    fail_where(config, script, |_, _, _| true);
}

/// The same, at calls of one sort.
fn fail_where(config: &Config, script: Script, at: fn(Call, &str, bool) -> bool) {
    let run = |when: Option<(When, How)>| {
        let mut careful = Careful::new(config.clone());
        careful.open();
        match when {
            Some((when, how)) => careful.faults.arm(when, how),
            None => careful.faults.arm(When::Kinds(Vec::new()), How::Error),
        }
        script(&mut careful);
        careful
    };
    let sound = run(None);
    let calls = sound.faults.calls();
    sound.check();
    assert!(!calls.is_empty());
    for (nth, (call, name)) in calls.iter().enumerate() {
        for for_good in [false, true] {
            if !at(*call, name, for_good) {
                continue;
            }
            let ways: &[How] = match call {
                Call::Write => &[How::Error, How::Short],
                _ => &[How::Error],
            };
            for &how in ways {
                let careful = run(Some((When::Nth { nth, for_good }, how)));
                let told =
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| careful.check()));
                assert!(
                    told.is_ok(),
                    "call {nth}, {call:?} of {name:?}, {how:?}, for good: {for_good}"
                );
            }
        }
    }
}

fn in_all_modes(config: &Config, script: Script) {
    for fsync in MODES {
        let config = config.clone();
        fail_everywhere(&Config { fsync, ..config }, script);
    }
}

#[test]
fn appends() {
    in_all_modes(&small(), |log| {
        log.append(&[10]);
        log.append(&[20, 30, 5]);
        log.sync();
        log.append(&[300]);
        log.append(&[40, 50]);
        log.append(&[60]);
        log.advance(2);
        log.run_ready();
        log.append(&[5]);
    });
}

#[test]
fn rolls_with_producers() {
    in_all_modes(&small(), |log| {
        log.produce(0, 2, 2);
        log.roll();
        log.produce(1, 3, 2);
        log.roll();
        log.append(&[10]);
        log.produce(2, 1, 1);
        log.roll();
        log.append(&[10]);
    });
}

#[test]
fn rolls_in_the_background() {
    let config = Config {
        rollover_threshold_percent: 50,
        ..small()
    };
    in_all_modes(&config, |log| {
        log.append(&[50, 50]);
        log.run_ready();
        log.append(&[10]);
        log.produce(0, 2, 2);
        log.append(&[60]);
        log.run_ready();
        log.append(&[300]);
        log.append(&[300]);
        log.append(&[20]);
        log.run_ready();
        log.append(&[20]);
    });
}

#[test]
fn truncations() {
    fail_everywhere(&small(), |log| {
        for size in 20..32 {
            log.append(&[size]);
        }
        log.record_epoch(1, 0);
        log.record_epoch(2, 9);
        log.produce(0, 2, 2);
        log.truncate(10);
        log.append(&[20, 30]);
        log.truncate(4);
        log.append(&[40]);
        log.truncate(0);
        log.append(&[50]);
    });
}

#[test]
fn truncations_under_readers() {
    fail_everywhere(&small(), |log| {
        for size in 20..32 {
            log.append(&[size]);
        }
        let Some(open) = log.log() else { return };
        let mut records = open.read(0, Bound::Tail).expect("it is there");
        let mut kept = Vec::new();
        while let Ok(Some(record)) = records.next() {
            kept.push(record.keep());
        }
        let before: Vec<_> = kept
            .iter()
            .map(|record| record.payload().to_vec())
            .collect();
        log.truncate(10);
        log.append(&[20, 30]);
        log.truncate(3);
        log.append(&[40]);
        log.truncate(0);
        log.append(&[50]);
        let after: Vec<_> = kept
            .iter()
            .map(|record| record.payload().to_vec())
            .collect();
        assert_eq!(before, after);
    });
}

#[test]
fn truncations_with_a_roll_under_way() {
    let config = Config {
        rollover_threshold_percent: 50,
        ..small()
    };
    fail_everywhere(&config, |log| {
        for size in 40..50 {
            log.append(&[size]);
            log.run_ready();
        }
        log.append(&[80]);
        log.truncate(5);
        log.append(&[80]);
        log.run_ready();
        log.reset(30);
        log.append(&[80]);
    });
}

#[test]
fn resets() {
    fail_everywhere(&small(), |log| {
        log.produce(0, 2, 2);
        log.append(&[100]);
        log.append(&[100]);
        log.record_epoch(1, 0);
        log.reset(50);
        log.append(&[20]);
        log.reset(7);
        log.append(&[20, 30]);
        log.roll();
        log.append(&[40]);
    });
}

#[test]
fn restores() {
    fail_everywhere(&small(), |log| {
        for size in 20..32 {
            log.append(&[size]);
        }
        log.advance_commit(9);
        log.restore(5);
        log.append(&[20]);
        log.restore(0);
        log.append(&[20]);
    });
}

#[test]
fn retention() {
    let retention = Retention {
        bytes: Some(500),
        ..Retention::default()
    };
    fail_everywhere(
        &Config {
            retention,
            ..small()
        },
        |log| {
            for size in 20..40 {
                log.append(&[size]);
            }
            log.retain();
            log.append(&[150]);
            log.advance(61);
            log.run_ready();
            log.append(&[150]);
            log.retain();
            log.append(&[150]);
        },
    );
}

#[test]
fn sidecars() {
    in_all_modes(&small(), |log| {
        log.append(&[20]);
        log.record_epoch(1, 0);
        log.record_epoch(2, 1);
        log.accept(3, Some("a"));
        log.advance_commit(1);
        log.run_ready();
        log.accept(4, None);
        log.append(&[20]);
        log.advance_commit(2);
        log.advance(2);
        log.run_ready();
        log.accept(5, Some("b"));
        log.give_up();
    });
}

#[test]
fn closes_and_opens() {
    let config = Config {
        rollover_threshold_percent: 60,
        ..small()
    };
    in_all_modes(&config, |log| {
        log.produce(0, 2, 2);
        log.append(&[50, 50]);
        log.accept(1, Some("a"));
        log.record_epoch(1, 0);
        log.advance_commit(2);
        log.close();
        log.open();
        log.append(&[20, 70]);
        log.run_ready();
        log.append(&[90]);
        // By drop.
        log.open();
        log.append(&[10]);
        log.close();
    });
}

#[test]
fn generation_starts() {
    let config = small().with_feature("generation_start", 1);
    fail_everywhere(&config, |log| {
        log.start_generation(1);
        log.append(&[10]);
        log.start_generation(2);
        log.append(&[100]);
        log.append(&[100]);
        log.truncate(2);
        log.start_generation(3);
        log.truncate(0);
        log.append(&[10]);
    });
}

#[test]
fn opens_that_repair() {
    let config = Config {
        rollover_threshold_percent: 60,
        ..small()
    };
    fail_everywhere(&config, |log| {
        for debris in [Debris::Torn, Debris::Blank, Debris::Temporary] {
            log.append(&[40, 50]);
            log.run_ready();
            log.append(&[40]);
            log.leave_debris(debris);
            log.open();
        }
    });
}

/// What only a mark proves to be unflushed; without one, such an end keeps the log closed.
#[test]
fn opens_that_save_what_they_cut() {
    let config = small();
    let not_the_mark = |call, name: &str, for_good: bool| {
        call != Call::Write || name != "durable.mark" && !for_good
    };
    let script: Script = |log| {
        for debris in [Debris::Garbage, Debris::Zeros] {
            log.append(&[40, 50]);
            log.append(&[40]);
            log.leave_debris(debris);
            log.open();
        }
    };
    fail_where(&config, script, not_the_mark);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Append(usize, usize),
    Produce(u32, usize),
    StartGeneration,
    Roll,
    RunReady,
    Sync,
    Truncate(u64),
    Reset(u64),
    Restore(u64),
    Retain,
    Advance,
    Epoch(u64),
    Accept(u64),
    GiveUp,
    Commit(u64),
    Close,
    Debris(Debris),
}

fn step() -> impl Strategy<Value = Step> {
    let debris = prop::sample::select(vec![Debris::Torn, Debris::Blank, Debris::Temporary]);
    prop_oneof![
        10 => (1..4_usize, 1..120_usize).prop_map(|(records, size)| Step::Append(records, size)),
        2 => (1..4_u32, 1..4_usize).prop_map(|(len, held)| Step::Produce(len, held)),
        1 => Just(Step::StartGeneration),
        2 => Just(Step::Roll),
        5 => Just(Step::RunReady),
        1 => Just(Step::Sync),
        3 => (0..12_u64).prop_map(Step::Truncate),
        1 => (0..40_u64).prop_map(Step::Reset),
        1 => (0..6_u64).prop_map(Step::Restore),
        2 => Just(Step::Retain),
        2 => Just(Step::Advance),
        2 => (0..9_u64).prop_map(Step::Epoch),
        2 => (0..9_u64).prop_map(Step::Accept),
        1 => Just(Step::GiveUp),
        1 => (0..12_u64).prop_map(Step::Commit),
        2 => Just(Step::Close),
        1 => debris.prop_map(Step::Debris),
    ]
}

fn take(log: &mut Careful, step: Step) {
    let below_tail = |log: &Careful, back: u64| {
        let open = log.log();
        open.map_or(0, |open| open.tail().saturating_sub(back))
    };
    match step {
        Step::Append(records, size) => log.append(&vec![size; records]),
        Step::Produce(len, held) => log.produce(1, len, held),
        Step::StartGeneration => log.start_generation(1),
        Step::Roll => log.roll(),
        Step::RunReady => log.run_ready(),
        Step::Sync => log.sync(),
        Step::Truncate(back) => log.truncate_if_free(below_tail(log, back)),
        Step::Reset(base) => log.reset_if_free(base),
        Step::Restore(back) => log.restore(below_tail(log, back)),
        Step::Retain => log.retain(),
        Step::Advance => log.advance(61),
        Step::Epoch(generation) => log.record_newer_epoch(generation),
        Step::Accept(generation) => log.accept_newer(generation),
        Step::GiveUp => log.give_up(),
        Step::Commit(back) => log.advance_commit(below_tail(log, back)),
        Step::Close => {
            log.close();
            log.open();
        }
        Step::Debris(debris) => {
            log.leave_debris(debris);
            log.open();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").map_or(400, |cases| cases.parse().expect("a number")),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn anything_fails_anywhere(
        steps in vec(step(), 1..25),
        nth in 0..150_usize,
        (for_good, short, background, kept) in any::<(bool, bool, bool, bool)>(),
        mode in 0..3_usize,
    ) {
        let config = Config {
            rollover_threshold_percent: if background { 50 } else { 100 },
            fsync: MODES[mode],
            retention: Retention {
                bytes: kept.then_some(700),
                ..Retention::default()
            },
            ..small()
        };
        let mut log = Careful::new(config.with_feature("generation_start", 1));
        log.open();
        let how = if short { How::Short } else { How::Error };
        log.faults.arm(When::Nth { nth, for_good }, how);
        for step in steps {
            take(&mut log, step);
        }
        log.check();
    }
}

/// A write that fails and cannot be cut off again: nothing more is written.
#[test]
fn a_rewind_that_fails() {
    for how in [How::Error, How::Short] {
        let mut log = Careful::new(Config {
            fsync: FsyncMode::None,
            ..small()
        });
        log.open();
        log.append(&[10]);
        log.faults
            .arm(When::Kinds(vec![Call::Write, Call::SetLen]), how);
        log.append(&[10, 20]);
        assert!(log.log().is_some_and(|log| log.metrics().poisoned));
        log.append(&[10]);
        log.check();
    }
}

/// No room for the next segment, and what was begun of it cannot be taken away: the old segment goes on, and the next
/// roll finds its way.
#[test]
fn a_roll_without_room() {
    for kinds in [
        vec![Call::Create],
        vec![Call::Allocate],
        vec![Call::Allocate, Call::Unlink],
        vec![Call::Write],
        vec![Call::Write, Call::Unlink],
    ] {
        let mut log = Careful::new(small());
        log.open();
        log.append(&[100]);
        log.faults.arm(When::Kinds(kinds.clone()), How::Short);
        log.roll();
        log.roll();
        let open = log.log().expect("it is open").clone();
        assert_eq!(
            (open.metrics().segments, open.metrics().poisoned),
            (1, false),
            "{kinds:?}"
        );
        log.faults.heal();
        log.append(&[100]);
        assert_eq!(open.metrics().segments, 2, "{kinds:?}");
        log.check();
    }
}
