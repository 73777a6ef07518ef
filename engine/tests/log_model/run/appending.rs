//! Appends to both.

use ondisk::felix::ProducerTag;
use ondisk_engine::felix::log::{Appended, Entry, Mark};

use super::Pair;
use crate::op::{Batch, EntryOf, MarkOf};
use crate::refused::Refused;

impl Pair {
    pub(super) fn append(&mut self, batch: &Batch, expected: Option<i64>) {
        let mut entries = Vec::new();
        let mut expected = expected.map(|more| self.model.tail.saturating_add_signed(more));
        let continued = EntryOf {
            mark: MarkOf::Continues,
            bytes: 5,
            timestamp: None,
        };
        match batch {
            Batch::Any(any) => entries.extend_from_slice(any),
            Batch::Producer(id, step, len, held) => {
                entries.push(EntryOf {
                    mark: MarkOf::Opens(*id, *step, *len),
                    bytes: 3,
                    timestamp: None,
                });
                entries.extend((1..*held).map(|_| continued));
            }
            Batch::Rest(most) => {
                let Some(open) = self.model.producers().open else {
                    return;
                };
                entries.extend((0..(open.len - open.held).min(*most)).map(|_| continued));
                expected = Some(open.first + u64::from(open.held));
            }
        }
        self.number = self.number.wrapping_add(1);
        let known = self.model.producers();
        let payloads: Vec<Vec<u8>> = entries
            .iter()
            .map(|entry| vec![self.number; entry.bytes])
            .collect();
        let entries: Vec<_> = entries
            .iter()
            .zip(&payloads)
            .map(|(entry, payload)| {
                let mark = match entry.mark {
                    MarkOf::Ordinary => Mark::Ordinary,
                    MarkOf::Continues => Mark::Continues,
                    MarkOf::GenerationStart => Mark::GenerationStart,
                    MarkOf::Opens(producer_id, step, len) => {
                        let known = known.known.get(&producer_id);
                        let next = known.map_or(5, |known| known.last + 1);
                        Mark::Opens(ProducerTag {
                            producer_id,
                            sequence: next.saturating_add_signed(step),
                            len,
                        })
                    }
                };
                Entry {
                    timestamp_micros: entry.timestamp,
                    mark,
                    payload,
                }
            })
            .collect();
        self.append_entries(&entries, expected);
    }

    pub(super) fn append_entries(&mut self, entries: &[Entry<'_>], expected: Option<u64>) {
        let first = self.model.tail;
        // A tag that says more records than there are offsets left is none (Felix 4.3).
        let too_long = entries.iter().enumerate().any(|(index, entry)| {
            let ends = |len: u32| first.checked_add(index as u64)?.checked_add(len.into());
            matches!(entry.mark, Mark::Opens(tag) if ends(tag.len).is_none())
        });
        let appended = match expected {
            None => self.log().append(entries).map(Appended::Written),
            Some(expected) => self.log().append_at(expected, entries),
        };
        if too_long {
            assert!(
                !matches!(appended, Ok(Appended::Written(_))),
                "{appended:?}"
            );
            return;
        }
        let wanted = self.model.append(entries, expected, self.now().0);
        let told = appended
            .map_err(Refused::of)
            .map(|appended| match appended {
                Appended::Written(commit) => {
                    let first = commit.first();
                    assert_eq!(commit.offsets().end, first + entries.len() as u64);
                    self.waiting.push(commit);
                    Ok(first)
                }
                Appended::TailIs(tail) => Err(tail),
            });
        assert_eq!(told, wanted);
    }
}
