//! What a campaign did.

use std::collections::BTreeMap;
use std::fmt;

use super::doing::Doing;
use super::subject::Count;

/// Sums over all rounds. Displays as a few lines.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Processes that were killed.
    pub rounds: u64,
    /// Directories that were written.
    pub directories: u64,
    /// Opens in this process after a kill; after the other kills the next writer opened.
    pub opened: u64,
    /// Records that were there and for which an append had returned, over all rounds: most are checked many times.
    pub checked: u64,
    /// Records that were there and for which none had.
    pub in_flight: u64,
    /// Copies of an image that were opened.
    pub images: u64,
    /// Copies that were made again because the device was written meanwhile.
    pub images_again: u64,
    hits: BTreeMap<Doing, u64>,
    reports: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// A writer was killed at this.
    pub fn killed(&mut self, at: Doing) {
        self.rounds += 1;
        *self.hits.entry(at).or_default() += 1;
    }

    /// All that must be there was.
    pub fn held(&mut self, count: Count, reports: &[&'static str]) {
        self.checked += count.known;
        self.in_flight += count.in_flight;
        for &report in reports {
            *self.reports.entry(report).or_default() += 1;
        }
    }

    /// Kills that hit this.
    #[must_use]
    pub fn hits(&self, doing: Doing) -> u64 {
        self.hits.get(&doing).copied().unwrap_or_default()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "kills        {} in {} directories, {} of them opened by the parent",
            self.rounds, self.directories, self.opened
        )?;
        let hits = Doing::ALL.iter().filter_map(|&doing| {
            let hits = self.hits(doing);
            (hits > 0).then(|| format!("{} {hits}", doing.name()))
        });
        writeln!(f, "where        {}", hits.collect::<Vec<_>>().join(", "))?;
        let found = self.reports.iter();
        let found: Vec<_> = found
            .map(|(name, times)| format!("{name} {times}"))
            .collect();
        writeln!(f, "left behind  {}", found.join(", "))?;
        write!(
            f,
            "records      {} checked, {} more of appends that had not returned",
            self.checked, self.in_flight
        )?;
        if self.images > 0 {
            write!(
                f,
                "\nimages       {} opened, {} copied again",
                self.images, self.images_again
            )?;
        }
        Ok(())
    }
}
