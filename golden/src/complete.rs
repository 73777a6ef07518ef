//! Whether every kind has all that it must have.

use std::fs;

use ondisk::page::file_stem;

use crate::Harness;
use crate::files;
use crate::instances::Instance;
use crate::problems::Problems;
use crate::seeds::target_of;

impl Harness {
    /// Every kind has in every version that is read a vector or stands in one, and a snapshot and a lock entry with it;
    /// it has a page, and a fuzz target where there are any: its own, or `kinds`, which takes them all. While others
    /// write what is to be pinned, nothing is looked for.
    ///
    /// # Panics
    /// With what is missing.
    pub fn nothing_is_forgotten(&self) {
        if files::updating() {
            return;
        }
        let mut problems = Problems::default();
        let instances = self.instances();
        let lock = fs::read_to_string(&self.places.lock).unwrap_or_default();
        for entry in self.entries {
            let kind = entry.kind;
            for version in kind.read_range() {
                let mine = |instance: &Instance| {
                    instance.entry.kind == kind && instance.version == version
                };
                if !instances.iter().any(mine) {
                    problems.add(format!(
                        "no vector shows {} in version {version}",
                        kind.name
                    ));
                }
            }
            if let Some(targets) = &self.places.fuzz_targets {
                let target = targets.join(format!("{}.rs", target_of(kind)));
                if !target.is_file() && !targets.join("kinds.rs").is_file() {
                    problems.add(format!("{} is missing", target.display()));
                }
            }
        }
        for kind in self.kinds() {
            let page = self.places.pages.join(format!("{}.md", file_stem(kind)));
            if !page.is_file() {
                problems.add(format!("{} is missing", page.display()));
            }
            let title = |line: &str| line.split(' ').next() == Some(kind.name);
            if !lock.lines().any(title) {
                problems.add(format!("{} is not in the layout lock", kind.name));
            }
        }
        for (stem, ..) in self.dumps(&mut problems) {
            let snapshot = self.places.snapshots.join(format!("{stem}.snap"));
            if !snapshot.is_file() {
                problems.add(format!("{} is missing", snapshot.display()));
            }
        }
        problems.report();
    }
}
