//! Appends of all kinds, and what they owe.

use ondisk::felix::ProducerTag;
use ondisk_engine::felix::log::{Entry, FsyncMode, Log, Mark};
use ondisk_engine::felix::producer::Answer;

use super::found::Payload;
use super::run::{Run, Sent};
use crate::promise::{Promise, Violation};

impl Run<'_> {
    /// Payloads that differ, of about these lengths.
    fn payloads(&mut self, marked: &[(u16, Mark)]) -> Vec<Payload> {
        let payload = |&(size, mark): &(u16, Mark)| {
            let mut bytes = self.number.to_string().into_bytes();
            self.number += 1;
            bytes.resize(bytes.len().max(size.into()), b'.');
            let bytes = bytes.into();
            Payload { mark, bytes }
        };
        marked.iter().map(payload).collect()
    }

    pub(super) fn append(
        &mut self,
        log: &Log,
        marked: &[(u16, Mark)],
        wait: bool,
    ) -> Result<(), Violation> {
        let payloads = self.payloads(marked);
        self.send(log, &payloads, wait)
    }

    pub(super) fn send(
        &mut self,
        log: &Log,
        payloads: &[Payload],
        wait: bool,
    ) -> Result<(), Violation> {
        let first = log.tail();
        let entries: Vec<_> = payloads
            .iter()
            .map(|payload| Entry::new(&payload.bytes).marked(payload.mark))
            .collect();
        let appended = log.append(&entries);
        // Whatever it says, the bytes may have got to the disk.
        self.expected.ledger_mut().append(first, payloads);
        let commit = match appended {
            Ok(commit) => commit,
            Err(error) => {
                self.failed(&error)?;
                return self.as_it_was(log, first);
            }
        };
        if commit.offsets() != (first..first + payloads.len() as u64) {
            let what = format!("offsets {:?} at tail {first}", commit.offsets());
            return Err(Violation::new(Promise::GoesOn, what));
        }
        if !wait {
            self.waiting.push(commit);
            return Ok(());
        }
        match commit.wait() {
            Ok(()) => self.acknowledged(&commit.offsets()),
            Err(_) if log.metrics().poisoned => {}
            Err(error) => return Err(Violation::new(Promise::FailsForAReason, error.to_string())),
        }
        Ok(())
    }

    /// An append that failed leaves the log at the tail that it had, or poisoned.
    fn as_it_was(&self, log: &Log, tail: u64) -> Result<(), Violation> {
        if log.tail() == tail || log.metrics().poisoned {
            return Ok(());
        }
        let what = format!(
            "an append that failed moved the tail from {tail} to {}",
            log.tail()
        );
        Err(Violation::new(Promise::FailsForAReason, what))
    }

    fn acknowledged(&mut self, offsets: &std::ops::Range<u64>) {
        if self.script.settings.fsync == FsyncMode::OnCommit {
            self.expected.ledger_mut().acknowledge(offsets.clone());
        }
    }

    pub(super) fn wait(&mut self, log: &Log) -> Result<(), Violation> {
        for waiting in std::mem::take(&mut self.waiting) {
            match waiting.wait() {
                Ok(()) => self.acknowledged(&waiting.offsets()),
                Err(_) if log.metrics().poisoned => {}
                Err(error) => {
                    return Err(Violation::new(Promise::FailsForAReason, error.to_string()));
                }
            }
        }
        Ok(())
    }

    pub(super) fn produce(
        &mut self,
        log: &Log,
        producer: u8,
        len: u8,
        held: u8,
    ) -> Result<(), Violation> {
        let sequence = self.sent.get(&producer).map_or(0, |sent| sent.sequence + 1);
        let tag = ProducerTag {
            producer_id: producer.into(),
            sequence,
            len: len.into(),
        };
        let mut marks = vec![(9, Mark::Continues); len.into()];
        marks[0].1 = Mark::Opens(tag);
        let payloads = self.payloads(&marks);
        let sent = Sent {
            sequence,
            len: len.into(),
            payloads: payloads.clone(),
        };
        self.sent.insert(producer, sent);
        self.send(log, &payloads[..held.min(len).into()], true)
    }

    /// What a broker does with a batch that comes again: held once, whatever happened before.
    pub(super) fn retry(&mut self, log: &Log, producer: u8) -> Result<(), Violation> {
        let Some(sent) = self.sent.get(&producer).cloned() else {
            return Ok(());
        };
        let opening = &sent.payloads[0];
        let there = |run: &Self, offset: u64| run.expected.ledger().owes(offset) == Some(opening);
        match log.classify(producer.into(), sent.sequence) {
            Answer::Held { first, last } => {
                if last + 1 - first == u64::from(sent.len)
                    && (first >= log.durable() || there(self, first))
                {
                    return Ok(());
                }
                let what = format!("batch {} is said to lie at {first}..={last}", sent.sequence);
                Err(Violation::new(Promise::KnowsProducers, what))
            }
            Answer::Partial { held, .. } => {
                let held = usize::try_from(held).unwrap_or(usize::MAX);
                self.send(log, &sent.payloads[held.min(sent.payloads.len())..], true)
            }
            Answer::Expired => Ok(()),
            Answer::Unknown | Answer::Next | Answer::Gap { .. } => {
                let whole = u64::from(sent.len);
                let held = (log.base()..log.tail()).find(|&at| {
                    there(self, at)
                        && at + whole <= log.tail()
                        && (1..whole).all(|more| {
                            let more_at = usize::try_from(more).unwrap_or(usize::MAX);
                            self.expected.ledger().owes(at + more) == sent.payloads.get(more_at)
                        })
                });
                if let Some(at) = held {
                    let what = format!("batch {} lies at {at} and is not known", sent.sequence);
                    return Err(Violation::new(Promise::KnowsProducers, what));
                }
                self.send(log, &sent.payloads, true)
            }
        }
    }

    pub(super) fn generation_start(&mut self, log: &Log) -> Result<(), Violation> {
        let payload = Payload {
            mark: Mark::GenerationStart,
            bytes: log.accepted().generation.to_be_bytes().into(),
        };
        self.send(log, &[payload], true)
    }
}
