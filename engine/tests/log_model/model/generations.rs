//! Generations, leaders and the commit (sections 11.2 to 11.4 and 14.4).

use ondisk::felix::EpochEntry;
use ondisk_engine::felix::log::Acceptance;

use super::Model;
use crate::refused::Refused;

impl Model {
    /// Ignored unless the generation is above the newest; starts never descend.
    pub fn record_epoch(&mut self, generation: u64, start_offset: u64) {
        let above = self
            .epochs
            .last()
            .is_none_or(|last| generation > last.generation && start_offset >= last.start_offset);
        if above {
            self.epochs.push(EpochEntry {
                generation,
                start_offset,
            });
        }
    }

    pub fn label_epochs(&mut self, from: u64, list: &[EpochEntry]) {
        self.epochs.retain(|entry| entry.start_offset < from);
        for entry in list {
            self.record_epoch(entry.generation, entry.start_offset.max(from));
        }
    }

    pub fn accept(&mut self, generation: u64, leader: Option<&str>) -> Result<Acceptance, Refused> {
        if leader.is_some_and(|leader| leader.is_empty() || leader.len() > 1024) {
            return Err(Refused::InvalidInput);
        }
        if generation < self.generation {
            let accepted = self.generation;
            return Ok(Acceptance::Superseded { accepted });
        }
        let leader = leader.map(str::to_owned);
        if generation > self.generation {
            self.generation = generation;
            self.leader = leader;
            self.given_up = false;
            self.stored_commit = self.commit;
            return Ok(Acceptance::Raised);
        }
        Ok(match (self.given_up, self.leader.clone(), leader) {
            (true, ..) => Acceptance::GivenUp,
            (false, Some(recorded), Some(leader)) if recorded != leader => {
                Acceptance::Promised { recorded }
            }
            (false, None, named) => {
                self.leader = named;
                Acceptance::Current
            }
            (false, Some(_), _) => Acceptance::Current,
        })
    }

    pub fn give_up(&mut self) {
        if self.generation > 0 {
            self.given_up = true;
            self.leader = None;
        }
    }

    pub fn advance_commit(&mut self, commit: u64) {
        self.commit = self.commit.max(commit);
    }
}
