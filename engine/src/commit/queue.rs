//! Those that wait, by the end of their records.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::waiter::Waiter;

/// Those that wait for records to become durable.
#[derive(Default)]
pub struct Queue {
    /// Threads that can flush themselves.
    leaders: Line,
    /// Futures, and threads that must be able to give up: somebody else flushes for them.
    followers: Line,
    next: u64,
}

type Line = BTreeMap<Place, Entry>;

/// The end of its records and a number, so that two may wait for the same end.
pub type Place = (u64, u64);

struct Entry {
    waiter: Arc<Waiter>,
    /// Flushes that had begun when it came.
    since: u64,
}

impl Queue {
    /// Lines up a thread that waits for records up to `end`, and can flush itself.
    pub fn lead(&mut self, end: u64, waiter: Arc<Waiter>, since: u64) {
        let place = self.place(end);
        self.leaders.insert(place, Entry { waiter, since });
    }

    /// Lines up one that cannot. Returns its place.
    pub fn follow(&mut self, end: u64, waiter: Arc<Waiter>, since: u64) -> Place {
        let place = self.place(end);
        self.followers.insert(place, Entry { waiter, since });
        place
    }

    fn place(&mut self, end: u64) -> Place {
        self.next += 1;
        (end, self.next)
    }

    /// Takes a follower out, if it still waits.
    pub fn leave(&mut self, place: Place) -> Option<Arc<Waiter>> {
        self.followers.remove(&place).map(|entry| entry.waiter)
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.leaders.len() + self.followers.len()
    }

    /// Whether somebody waits who cannot flush.
    pub fn has_followers(&self) -> bool {
        !self.followers.is_empty()
    }

    /// Takes out the thread that flushes next.
    pub fn next_leader(&mut self) -> Option<Arc<Waiter>> {
        self.leaders.pop_first().map(|(_, entry)| entry.waiter)
    }

    /// Takes out one whose records end at or below `bound`.
    pub fn pop_covered(&mut self, bound: u64) -> Option<Arc<Waiter>> {
        self.lines().find_map(|line| {
            let first = line.first_entry().filter(|entry| entry.key().0 <= bound)?;
            Some(first.remove().waiter)
        })
    }

    /// Takes out one whose records end above `to`.
    pub fn pop_above(&mut self, to: u64) -> Option<Arc<Waiter>> {
        self.lines().find_map(|line| {
            let last = line.last_entry().filter(|entry| entry.key().0 > to)?;
            Some(last.remove().waiter)
        })
    }

    /// Takes out those that came before the flush that began as number `began`.
    pub fn take_older(&mut self, began: u64) -> Vec<Arc<Waiter>> {
        let mut older = Vec::new();
        for line in self.lines() {
            line.retain(|_, entry| {
                let stays = entry.since >= began;
                if !stays {
                    older.push(Arc::clone(&entry.waiter));
                }
                stays
            });
        }
        older
    }

    fn lines(&mut self) -> impl Iterator<Item = &mut Line> {
        [&mut self.leaders, &mut self.followers].into_iter()
    }
}
