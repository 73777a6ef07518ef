//! When a writer is killed.

use std::hint;

use super::doing::Doing;
use super::said::Line;
use crate::random::Random;

/// A moment in the life of a writer: counted in what it says, and then a little later. Never a time, so that a slow machine
/// is killed at the same places as a fast one.
#[derive(Clone, Debug)]
pub struct Aim {
    /// Lines that are read at least.
    lines: u64,
    /// Then up to the next line that begins this.
    at: Option<Doing>,
    /// Turns of an empty loop, then.
    spins: u64,
}

/// Lines that are read at most while waiting for the one that begins something.
const PATIENCE: u64 = 400;

/// What is aimed at by itself: what takes long enough to be hit, and is rare.
const TARGETS: [Doing; 17] = [
    Doing::Open,
    Doing::Append,
    Doing::LargeAppend,
    Doing::LargeAppend,
    Doing::LargeAppend,
    Doing::Sync,
    Doing::Roll,
    Doing::Truncate,
    Doing::Truncate,
    Doing::Reset,
    Doing::Restore,
    Doing::Retain,
    Doing::Epoch,
    Doing::Accept,
    Doing::GiveUp,
    Doing::Commit,
    Doing::Close,
];

/// The same of a data directory.
const STORE_TARGETS: [Doing; 5] = [
    Doing::StoreStart,
    Doing::Register,
    Doing::Hold,
    Doing::Delete,
    Doing::StoreStop,
];

impl Aim {
    /// A moment by chance: one in eight before the first word or in the first open, half of the others at something that was
    /// just begun.
    #[must_use]
    pub fn any(random: &mut Random, is_store: bool) -> Self {
        let spins = random.any_length(17);
        if random.one_in(8) {
            return Self {
                lines: random.below(2),
                at: None,
                spins,
            };
        }
        let at = match (random.below(4), is_store) {
            (0 | 1, _) => None,
            (2, true) => Some(random.pick(&STORE_TARGETS)),
            _ => Some(random.pick(&TARGETS)),
        };
        Self {
            lines: random.any_length(9),
            at,
            spins,
        }
    }

    /// Whether this is the moment, after so many lines of which this is the last.
    #[must_use]
    pub fn is_reached(&self, lines: u64, last: Option<&Line>) -> bool {
        let is_it = match self.at {
            None => true,
            Some(at) => last.and_then(Line::begins) == Some(at),
        };
        lines >= self.lines && is_it || lines >= self.lines + PATIENCE
    }

    /// Passes the rest of the time.
    pub fn spin(&self) {
        (0..self.spins).for_each(|_| hint::spin_loop());
    }
}
