//! Between two cuts an offset means one record: that is an era.

/// What went, and where the log goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Records that end above are gone.
    pub above: u64,
    /// Where the next one is appended.
    pub to: u64,
}

/// The cuts of a log, as far as a handle of an older era must know them.
pub struct Eras {
    now: u64,
    /// The cuts with the era that each began. Eras and places ascend: a cut that a later one undercuts says nothing any more.
    cuts: Vec<(u64, Cut)>,
}

/// Cuts that are told apart. Beyond, the oldest two count as one at the lower of their places, which can fail a handle that
/// is older than all of them though its records are still there, and can never acknowledge one.
const REMEMBERED: usize = 1024;

impl Eras {
    /// The first.
    pub const FIRST: u64 = 0;

    /// No cut yet.
    pub const fn new() -> Self {
        Self {
            now: Self::FIRST,
            cuts: Vec::new(),
        }
    }

    /// The era it is.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The log is cut. Returns the era that begins.
    pub fn cut(&mut self, cut: Cut) -> u64 {
        self.now += 1;
        while self
            .cuts
            .last()
            .is_some_and(|(_, other)| other.above >= cut.above)
        {
            self.cuts.pop();
        }
        self.cuts.push((self.now, cut));
        if self.cuts.len() > REMEMBERED {
            let (_, lower) = self.cuts.remove(0);
            if let Some((_, oldest)) = self.cuts.first_mut() {
                *oldest = lower;
            }
        }
        self.now
    }

    /// The lowest cut after `era`.
    pub fn lowest_since(&self, era: u64) -> Option<Cut> {
        let later = self.cuts.partition_point(|&(began, _)| began <= era);
        self.cuts.get(later).map(|&(_, cut)| cut)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Eras, REMEMBERED};

    fn at(to: u64) -> Cut {
        Cut { above: to, to }
    }

    #[test]
    fn the_lowest_cut_since() {
        let mut eras = Eras::new();
        let mut all = Vec::new();
        for to in [9, 4, 7, 7, 3, 8, 5, 6] {
            all.push(to);
            assert_eq!(eras.cut(at(to)), all.len() as u64);
            for era in 0..=all.len() {
                let lowest = all[era..].iter().min().copied().map(at);
                assert_eq!(eras.lowest_since(era as u64), lowest, "{all:?} since {era}");
            }
        }
    }

    #[test]
    fn what_is_forgotten_counts_as_the_lower_place() {
        let mut eras = Eras::new();
        for to in 0..2 * REMEMBERED as u64 {
            eras.cut(at(to));
        }
        assert!(eras.cuts.len() <= REMEMBERED);
        assert_eq!(eras.lowest_since(0), Some(at(0)));
        assert_eq!(eras.lowest_since(7), Some(at(0)));
        let last = 2 * REMEMBERED as u64;
        assert_eq!(eras.lowest_since(last - 1), Some(at(last - 1)));
        assert_eq!(eras.lowest_since(last), None);
    }

    #[test]
    fn of_two_at_one_place_the_later_counts() {
        let mut eras = Eras::new();
        eras.cut(Cut { above: 0, to: 90 });
        eras.cut(Cut { above: 0, to: 7 });
        eras.cut(at(80));
        assert_eq!(eras.lowest_since(0), Some(Cut { above: 0, to: 7 }));
        assert_eq!(eras.lowest_since(2), Some(at(80)));
    }
}
