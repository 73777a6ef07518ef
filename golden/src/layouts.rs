//! The layout lock.

use std::fs;

use ondisk::lock::{compare, lock};

use crate::Harness;
use crate::files::{hold, updating};
use crate::problems::Problems;

const HEAD: &str = "# The layout of every kind in every version: offset | size | field | type | meaning.
# What stands here is released and never changes; another layout is another version. UPDATE=1 adds new kinds and
# versions; nothing rewrites a block that is here.

";

impl Harness {
    /// What the lock says of a released layout is still so, and nothing is missing from it.
    ///
    /// # Panics
    /// With what changed, in words.
    pub fn layouts_are_locked(&self) {
        let mut problems = Problems::default();
        let path = &self.places.lock;
        let released = fs::read_to_string(path).unwrap_or_default();
        let now = lock(&self.kinds());
        let comparison = compare(&released, &now);
        for change in &comparison.broken {
            problems.add(format!("a released layout changed: {change}"));
        }
        if comparison.broken.is_empty() && updating() {
            hold(path, format!("{HEAD}{now}").as_bytes(), &mut problems);
        } else {
            for title in &comparison.added {
                problems.add(format!(
                    "{title} is not in {}; UPDATE=1 adds it",
                    path.display()
                ));
            }
        }
        problems.report();
    }
}
