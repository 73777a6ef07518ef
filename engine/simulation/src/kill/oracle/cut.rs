//! What a call that cuts a log back leaves when it is done, and meanwhile.

use ondisk::felix::EpochEntry;

use crate::kill::said::Act;

/// A truncation, a reset, or going back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The lowest offset that goes.
    pub(super) to: u64,
    /// Where the log begins anew when no record stays.
    pub(super) new_base: Option<u64>,
    /// Generations are forgotten, wherever they began.
    forgets: bool,
}

impl Cut {
    /// The cut that `act` is, in a log with this base.
    pub(super) fn of(act: &Act, base: u64) -> Option<Self> {
        match *act {
            Act::Truncate(to) | Act::Restore(to) => Some(Self {
                to,
                new_base: (to <= base).then_some(to),
                forgets: false,
            }),
            Act::Reset(base) => Some(Self {
                to: 0,
                new_base: Some(base),
                forgets: true,
            }),
            _ => None,
        }
    }

    /// The lowest tail that the log can have meanwhile: segments go one by one, the newest first.
    pub(super) fn least_tail(&self, base: u64) -> u64 {
        match self.new_base {
            Some(new_base) => new_base.min(base),
            None => self.to,
        }
    }

    /// What is left of a history.
    pub(super) fn epochs(&self, history: &[EpochEntry]) -> Vec<EpochEntry> {
        let mut kept = history.to_vec();
        kept.retain(|entry| !self.forgets && entry.start_offset < self.to);
        kept
    }
}
