//! What is drawn by a seed.

use super::fingerprint::Mix;

/// The same numbers for the same seed.
pub(super) struct Chance(Mix);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        let mut mix = Mix::default();
        mix.add(seed);
        Self(mix)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0.add(0);
        self.0.number()
    }

    /// A number below `count`, which is not 0.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.next() % count.max(1)
    }

    /// Whether something happens that does once in so many times.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// How old or new something is found. The numbers are of operations.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    /// As it was synced.
    Old,
    /// As readers saw it.
    New,
    /// As it was behind this operation.
    UpTo(u64),
    /// Each piece for itself.
    Each,
}

impl Fate {
    /// A fate of one thing of many.
    pub(super) fn of_one(moment: u64, chance: &mut Chance) -> Self {
        match chance.below(4) {
            0 => Self::Old,
            1 => Self::New,
            2 => Self::UpTo(moment),
            _ => Self::Each,
        }
    }

    /// Which of the versions made by `operations` is found; none when the synced one is. First, last and anything between
    /// are as likely.
    pub(super) fn pick(
        self,
        operations: impl ExactSizeIterator<Item = u64>,
        chance: &mut Chance,
    ) -> Option<usize> {
        let count = operations.len();
        let found = match self {
            Self::Old => 0,
            Self::New => count,
            Self::UpTo(moment) => operations.take_while(|&at| at <= moment).count(),
            Self::Each => match chance.below(3) {
                0 => 0,
                1 => count,
                _ => usize::try_from(chance.below(count as u64 + 1)).unwrap_or(0),
            },
        };
        found.checked_sub(1)
    }
}

/// The fates of what lies on one disk.
pub(super) struct Fates {
    pub(super) names: Fate,
    /// None: each file has its own.
    bytes: Option<Fate>,
    moment: u64,
}

impl Fates {
    /// All old, all new, all up to one moment, and three mixtures are as likely. `moment` is an operation since which
    /// something is not synced.
    pub(super) fn draw(moment: u64, chance: &mut Chance) -> Self {
        let all = |fate| Self {
            names: fate,
            bytes: Some(fate),
            moment,
        };
        match chance.below(6) {
            0 => all(Fate::Old),
            1 => all(Fate::New),
            2 => all(Fate::UpTo(moment)),
            3 => all(Fate::Each),
            _ => Self {
                names: Fate::of_one(moment, chance),
                bytes: None,
                moment,
            },
        }
    }

    pub(super) fn of_file(&self, chance: &mut Chance) -> Fate {
        self.bytes
            .unwrap_or_else(|| Fate::of_one(self.moment, chance))
    }
}
