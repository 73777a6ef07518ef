//! What records say about producers, worked out the slow way (Felix 12).

use std::collections::BTreeMap;

use ondisk_engine::felix::log::Mark;
use ondisk_engine::felix::producer::ProducerState;

use super::found::Payload;

/// Batches that are remembered of a producer (Felix 12.2).
const WINDOW: usize = 64;

/// What is known of all producers. Scripts have too few of them for any to be forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Producers {
    open: Option<Open>,
    known: BTreeMap<u64, Known>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    producer: u64,
    sequence: u64,
    len: u32,
    first: u64,
    held: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    last: u64,
    /// First offset and length of batches, the oldest first.
    window: Vec<(u64, u32)>,
}

impl Producers {
    /// What the marks of a log amount to.
    #[must_use]
    pub fn of(records: &BTreeMap<u64, Payload>, base: u64, tail: u64) -> Self {
        let mut state = Self::default();
        for (&offset, record) in records {
            state.feed(offset, record.mark);
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

    /// What a log says that it knows.
    #[must_use]
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

    fn feed(&mut self, offset: u64, mark: Mark) {
        match mark {
            Mark::Opens(tag) => self.go_on(Open {
                producer: tag.producer_id,
                sequence: tag.sequence,
                len: tag.len,
                first: offset,
                held: 1,
            }),
            Mark::Continues => match self.open {
                Some(open) if open.first + u64::from(open.held) == offset => self.go_on(Open {
                    held: open.held + 1,
                    ..open
                }),
                _ => self.open = None,
            },
            Mark::Ordinary | Mark::GenerationStart => self.open = None,
        }
    }

    fn go_on(&mut self, open: Open) {
        if open.held < open.len {
            self.open = Some(open);
            return;
        }
        self.open = None;
        let known = self.known.entry(open.producer).or_default();
        if known.last.checked_add(1) != Some(open.sequence) {
            known.window.clear();
        }
        known.window.push((open.first, open.len));
        if known.window.len() > WINDOW {
            known.window.remove(0);
        }
        known.last = open.sequence;
    }
}
