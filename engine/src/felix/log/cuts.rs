//! Where the log was cut back, so that whoever stands above a cut is told (Felix 14.1).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The truncations and resets of a log since it was opened, counted.
///
/// A reader notes the count when it begins and compares it before it hands anything out, one atomic load a record. Only
/// when the count has moved does it look where the cuts were.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    count: AtomicU64,
    history: Mutex<History>,
}

#[derive(Debug, Default)]
struct History {
    /// The newest cuts: the count after each, and where the log ended then.
    newest: VecDeque<(u64, u64)>,
    /// The newest of those that are no longer in `newest`, and the lowest place that any of them cut to.
    forgotten: Option<(u64, u64)>,
}

/// Cuts that are told apart; older ones are remembered by the lowest of them.
const REMEMBERED: usize = 256;

impl Cuts {
    /// How many there were, and how often it was stirred.
    #[inline]
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Notes a cut to `to`. What the cut replaces must be in place before.
    pub(super) fn note(&self, to: u64) {
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.count.load(Ordering::Relaxed) + 1;
        history.newest.push_back((count, to));
        if history.newest.len() > REMEMBERED
            && let Some((count, oldest)) = history.newest.pop_front()
        {
            let least = history
                .forgotten
                .map_or(oldest, |(_, least)| least.min(oldest));
            history.forgotten = Some((count, least));
        }
        self.count.store(count, Ordering::Release);
    }

    /// Has whoever reads ask for its bound anew, as after a cut, though none was made.
    pub(super) fn stir(&self) {
        let _history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.count.load(Ordering::Relaxed) + 1;
        self.count.store(count, Ordering::Release);
    }

    /// The lowest cut after the first `seen`, if there was one.
    pub(super) fn lowest_since(&self, seen: u64) -> Option<u64> {
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        let remembered = history
            .newest
            .iter()
            .filter(|&&(count, _)| count > seen)
            .map(|&(_, to)| to)
            .min();
        let forgotten = history
            .forgotten
            .filter(|&(newest, _)| newest > seen)
            .map(|(_, least)| least);
        [remembered, forgotten].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cuts, REMEMBERED};

    #[test]
    fn the_lowest_cut_since() {
        let cuts = Cuts::default();
        assert_eq!(cuts.lowest_since(0), None);
        for to in [9, 4, 7] {
            cuts.note(to);
        }
        let since = [0, 1, 2, 3].map(|seen| cuts.lowest_since(seen));
        assert_eq!(since, [Some(4), Some(4), Some(7), None]);
        assert_eq!(cuts.count(), 3);
    }

    #[test]
    fn forgotten_cuts_still_count() {
        let cuts = Cuts::default();
        cuts.note(3);
        cuts.note(5);
        for _ in 0..REMEMBERED {
            cuts.note(100);
        }
        assert_eq!(cuts.lowest_since(0), Some(3));
        assert_eq!(cuts.lowest_since(2), Some(100));
    }

    #[test]
    fn stirring_cuts_nothing() {
        let cuts = Cuts::default();
        cuts.note(3);
        cuts.stir();
        assert_eq!(cuts.count(), 2);
        assert_eq!(cuts.lowest_since(1), None);
        for _ in 0..REMEMBERED {
            cuts.note(100);
        }
        assert_eq!(cuts.lowest_since(0), Some(3));
        assert_eq!(cuts.lowest_since(1), Some(100));
    }
}
