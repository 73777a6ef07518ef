//! Cutting back, and beginning anew.

use super::{Answer, Shard};
use crate::kill::said::Act;
use crate::random::Random;

impl Shard<'_> {
    /// The lowest offset that may be cut to.
    fn lowest(&self) -> u64 {
        let commit = self.log.accepted().commit;
        self.log.base().max(commit)
    }

    pub(super) fn truncate(&self, random: &mut Random) -> Answer {
        let (lowest, tail) = (self.lowest(), self.log.tail());
        if lowest >= tail {
            return Ok(());
        }
        // More often a little than nearly all.
        let back = (tail - lowest).min(random.any_length(9));
        let to = tail - back;
        self.act(Act::Truncate(to), |log| log.truncate(to))
    }

    pub(super) fn reset(&self, random: &mut Random) -> Answer {
        let (lowest, tail) = (self.lowest(), self.log.tail());
        let committed = self.log.accepted().commit.min(tail);
        let base = random.pick(&[lowest, tail, tail + 100]);
        if base < committed {
            return Ok(());
        }
        self.act(Act::Reset(base), |log| log.reset_to(base))
    }

    /// Committed records go too.
    pub(super) fn restore(&self, random: &mut Random) -> Answer {
        let (base, tail) = (self.log.base(), self.log.tail());
        // With retention by timer the base may be above it by then.
        if base == tail || self.settings.trims_by_timer {
            return Ok(());
        }
        let to = base + random.below(tail - base);
        self.act(Act::Restore(to), |log| log.restore_to(to))
    }
}
