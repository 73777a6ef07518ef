//! The producer state as section 12 of the specification says it, the slow way.

use std::collections::BTreeMap;

use ondisk_engine::felix::log::Mark;
use ondisk_engine::felix::producer::{Answer, ProducerState};

use crate::model::Record;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    pub last: u64,
    pub window: Vec<(u64, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    pub producer: u64,
    pub sequence: u64,
    pub len: u32,
    pub first: u64,
    pub held: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub open: Option<Open>,
    pub known: BTreeMap<u64, Known>,
}

impl State {
    /// What the marks of a whole log amount to.
    pub fn of<'a>(records: impl Iterator<Item = &'a Record>, base: u64, tail: u64) -> Self {
        let mut state = Self::default();
        for record in records {
            state.feed(record);
        }
        state.open = state
            .open
            .filter(|open| open.first + u64::from(open.held) >= tail && open.first >= base);
        state.known.retain(|_, known| {
            known.window.retain(|&(first, _)| first >= base);
            !known.window.is_empty()
        });
        state
    }

    /// The state that a log says it has.
    pub fn told(state: &ProducerState) -> Self {
        let open = state.open().map(|open| Open {
            producer: open.producer,
            sequence: open.sequence,
            len: open.len,
            first: open.first,
            held: open.held,
        });
        let known = state.producers().map(|(id, known)| {
            let window = known.window().map(|batch| (batch.first, batch.len));
            let known = Known {
                last: known.last(),
                window: window.collect(),
            };
            (id, known)
        });
        Self {
            open,
            known: known.collect(),
        }
    }

    fn feed(&mut self, record: &Record) {
        match record.mark {
            Mark::Opens(tag) => {
                self.open = None;
                self.go_on(Open {
                    producer: tag.producer_id,
                    sequence: tag.sequence,
                    len: tag.len,
                    first: record.offset,
                    held: 1,
                });
            }
            Mark::Continues => match self.open.take() {
                Some(open) if open.first + u64::from(open.held) == record.offset => {
                    self.go_on(Open {
                        held: open.held + 1,
                        ..open
                    });
                }
                _ => {}
            },
            Mark::Ordinary | Mark::GenerationStart => self.open = None,
        }
    }

    fn go_on(&mut self, open: Open) {
        if open.held < open.len {
            self.open = Some(open);
            return;
        }
        let known = self.known.entry(open.producer).or_default();
        if known.window.is_empty() || known.last.checked_add(1) != Some(open.sequence) {
            known.window.clear();
        }
        known.window.push((open.first, open.len));
        if known.window.len() > 64 {
            known.window.remove(0);
        }
        known.last = open.sequence;
        if self.known.len() > 4096 {
            let end = |known: &Known| {
                known
                    .window
                    .last()
                    .map(|&(first, len)| first + u64::from(len))
            };
            let lowest = self.known.iter().min_by_key(|(_, known)| end(known));
            let lowest = lowest.map(|(&id, _)| id);
            lowest.and_then(|id| self.known.remove(&id));
        }
    }

    pub fn classify(&self, producer: u64, sequence: u64) -> Answer {
        if let Some(open) = self.open
            && (open.producer, open.sequence) == (producer, sequence)
        {
            return Answer::Partial {
                first: open.first,
                held: open.held,
                len: open.len,
            };
        }
        let Some(known) = self.known.get(&producer) else {
            return Answer::Unknown;
        };
        if sequence > known.last {
            let expected = known.last + 1;
            return match sequence == expected {
                true => Answer::Next,
                false => Answer::Gap { expected },
            };
        }
        let back = usize::try_from(known.last - sequence).unwrap_or(usize::MAX);
        match known.window.iter().rev().nth(back) {
            Some(&(first, len)) => Answer::Held {
                first,
                last: first + u64::from(len) - 1,
            },
            None => Answer::Expired,
        }
    }
}
