//! What a log holds, by the script that made it and by the log itself.

use std::collections::BTreeMap;

use ondisk_engine::felix::log::{Bound, Log};

/// A log as a script left it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub base: u64,
    pub records: BTreeMap<u64, Vec<u8>>,
    /// One past the newest record.
    pub tail: u64,
    /// Everything below was said to be durable.
    pub durable: u64,
    pub epochs: Vec<(u64, u64)>,
    pub generation: u64,
    pub leader: Option<String>,
    pub given_up: bool,
    /// The history of generations is derived, and a reset forgets it before it drops a record.
    pub epochs_may_be_gone: bool,
}

/// A log as it was found.
#[derive(Debug)]
pub struct Found {
    pub base: u64,
    pub tail: u64,
    pub records: BTreeMap<u64, Vec<u8>>,
    pub epochs: Vec<(u64, u64)>,
    pub generation: u64,
    pub leader: Option<String>,
    pub given_up: bool,
}

impl Found {
    pub fn of(log: &Log) -> Self {
        let mut records = BTreeMap::new();
        let mut read = log.read(log.base(), Bound::Tail).expect("from the base on");
        while let Some(record) = read.next().expect("every record is sound") {
            records.insert(record.offset(), record.payload().to_vec());
        }
        let accepted = log.accepted();
        Self {
            base: log.base(),
            tail: log.tail(),
            records,
            epochs: log
                .epochs()
                .iter()
                .map(|entry| (entry.generation, entry.start_offset))
                .collect(),
            generation: accepted.generation,
            leader: accepted.leader,
            given_up: accepted.given_up,
        }
    }
}

impl State {
    /// Why `found` is not what this state may be found as after a power cut; `trimming` says that a retention pass may have
    /// gone some of its way.
    pub fn refuses(&self, found: &Found, trimming: bool) -> Option<String> {
        let base_fits = if trimming {
            (self.base..=self.tail).contains(&found.base)
        } else {
            found.base == self.base
        };
        if !base_fits {
            return Some(format!("base {} instead of {}", found.base, self.base));
        }
        let durable = self.durable.max(self.base);
        if !(durable..=self.tail).contains(&found.tail) {
            return Some(format!(
                "tail {}, not in {durable}..={}",
                found.tail, self.tail
            ));
        }
        for offset in found.base..found.tail {
            if found.records.get(&offset) != self.records.get(&offset) {
                return Some(format!("another record at {offset}"));
            }
        }
        let epochs: Vec<_> = self
            .epochs
            .iter()
            .copied()
            .filter(|&(_, start)| start <= found.tail)
            .collect();
        let gone = self.epochs_may_be_gone && found.epochs.is_empty();
        if found.epochs != epochs && !gone {
            return Some(format!("epochs {:?} instead of {epochs:?}", found.epochs));
        }
        let theirs = (found.generation, &found.leader, found.given_up);
        let ours = (self.generation, &self.leader, self.given_up);
        (theirs != ours).then(|| format!("accepted {theirs:?} instead of {ours:?}"))
    }
}
