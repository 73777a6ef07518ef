//! Everything at once, by chance.

use std::sync::Arc;
use std::time::Duration;

use shuttle::rand::{Rng, thread_rng};

use crate::commit::CommitError;
use crate::explore::explore;
use crate::log::{Log, Odd, threads};

#[test]
fn everything_at_once() {
    explore(|| {
        let odd = thread_rng().gen_ratio(1, 4);
        let log = Log::odd(if odd {
            |flush| if flush == 2 { Odd::Fails } else { Odd::Works }
        } else {
            |_| Odd::Works
        });
        let writer = Arc::clone(&log);
        threads(4, move |_| {
            for _ in 0..3 {
                any(&writer);
            }
        });
        let record = log.append();
        let outcome = log.wait(&record);
        assert_eq!(outcome.is_err(), log.commit.is_poisoned());
        if !odd {
            assert_eq!(outcome, Ok(()));
            drop(log.append());
            log.until_all_durable();
        }
    });
}

fn any(log: &Log) {
    let chance = thread_rng().gen_range(0..12);
    match chance {
        0..=3 => {
            let record = log.append();
            let _checked = log.wait(&record);
        }
        4 | 5 => {
            let record = log.append();
            let number = record.number;
            let outcome = shuttle::future::block_on(record.commit);
            log.check(number, outcome);
        }
        6 | 7 => drop(log.append()),
        8 => {
            let record = log.append();
            let time = Duration::from_millis(1);
            if let Ok(true) = record.commit.wait_timeout(time) {
                log.check(record.number, Ok(()));
            }
        }
        9 => {
            let flushed = log.commit.flush();
            assert!(matches!(flushed, Ok(_) | Err(CommitError::SyncFailed)));
        }
        10 if thread_rng().gen_ratio(1, 3) => log.restart(thread_rng().gen_range(0..20)),
        10 => log.cut(thread_rng().gen_range(0..4)),
        _ => log.seal(),
    }
}
