//! Epochs and votes, and what is owed of them.

use ondisk::felix::EpochEntry;
use ondisk_engine::felix::log::{Acceptance, Log};

use super::found::Vote;
use super::run::Run;
use crate::promise::{Promise, Violation};

impl Run<'_> {
    pub(super) fn epoch(&mut self, log: &Log) -> Result<(), Violation> {
        let mut after = log.epochs();
        let entry = EpochEntry {
            generation: after.last().map_or(1, |last| last.generation + 1),
            start_offset: log.tail(),
        };
        // Starts never descend; a truncation on its way out may have left a later one.
        if after
            .last()
            .is_some_and(|last| last.start_offset > entry.start_offset)
        {
            return Ok(());
        }
        after.push(entry);
        match log.record_epoch(entry.generation, entry.start_offset) {
            Ok(()) => self.expected.ledger_mut().epochs = vec![after],
            Err(error) => {
                self.failed(&error)?;
                self.expected.ledger_mut().epochs.push(after);
            }
        }
        Ok(())
    }

    pub(super) fn accept(&mut self, log: &Log, raise: u8, leader: u8) -> Result<(), Violation> {
        let generation = log.accepted().generation + u64::from(raise);
        let letter = char::from(b'a' + leader.wrapping_sub(1) % 26).to_string();
        let leader = (leader > 0).then_some(letter);
        match log.accept(generation, leader.as_deref()) {
            Ok(answer) => {
                let now = log.accepted();
                let vote = (now.generation, now.leader, now.given_up);
                if answer == Acceptance::Raised && vote != (generation, leader, false) {
                    let what = format!("raised to {generation}, and it is {vote:?}");
                    return Err(Violation::new(Promise::KeepsVotes, what));
                }
                if matches!(answer, Acceptance::Raised | Acceptance::Current) {
                    // A raise stores the commit with it.
                    let commits = &mut self.expected.ledger_mut().commit;
                    if answer == Acceptance::Raised {
                        *commits = *commits.end()..=*commits.end();
                    }
                    self.voted(vote);
                }
            }
            Err(error) => {
                self.failed(&error)?;
                self.expected
                    .ledger_mut()
                    .votes
                    .push((generation, leader, false));
            }
        }
        Ok(())
    }

    /// A call succeeded. The ballot of an attempt that failed may lie there, and counts after an open if it is of a later
    /// generation and nobody was named since.
    fn voted(&mut self, now: Vote) {
        let named = now.1.is_some() || now.2;
        let votes = &mut self.expected.ledger_mut().votes;
        votes.retain(|(generation, leader, _)| !named && *generation > now.0 && leader.is_some());
        votes.push(now);
    }

    pub(super) fn give_up(&mut self, log: &Log) -> Result<(), Violation> {
        let generation = log.accepted().generation;
        let done = log.give_up_generation();
        if generation == 0 {
            return self.nothing(done).map(drop);
        }
        let vote = (generation, None, true);
        match done {
            Ok(()) => self.voted(vote),
            Err(error) => {
                self.failed(&error)?;
                self.expected.ledger_mut().votes.push(vote);
            }
        }
        Ok(())
    }
}
