//! Seeds for fuzz targets: every vector, and the instances nested in them.

use std::collections::{BTreeMap, BTreeSet};

use ondisk::page::file_stem;
use ondisk::promise::join;

use crate::Harness;
use crate::files::{hold, hold_names};
use crate::problems::Problems;

impl Harness {
    /// The seeds of each fuzz target are the vectors of its kind.
    ///
    /// # Panics
    /// With those that are stale.
    pub fn seeds_are_fresh(&self) {
        let Some(directory) = &self.places.seeds else {
            return;
        };
        let mut problems = Problems::default();
        let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (target, name, input) in self.seeds() {
            hold(&directory.join(&target).join(&name), &input, &mut problems);
            names.entry(target).or_default().insert(name);
        }
        for (target, names) in &names {
            hold_names(&directory.join(target), "", names, &mut problems);
        }
        problems.report();
    }

    /// Target, name and input of each.
    fn seeds(&self) -> Vec<(String, String, Vec<u8>)> {
        let mut seeds = Vec::new();
        for vector in self.vectors.iter().filter(|vector| vector.parts.len() == 1) {
            let part = &vector.parts[0];
            if let Some(entry) = self.entry(&part.kind) {
                let input = join(entry.kind, part.version, &vector.bytes);
                seeds.push((target_of(entry.kind), vector.name.replace('/', "_"), input));
            }
        }
        for instance in self.instances() {
            let kind = instance.entry.kind;
            let input = join(kind, instance.version, &instance.bytes);
            let same = |(target, _, known): &(String, String, Vec<u8>)| {
                *target == target_of(kind) && *known == input
            };
            if !seeds.iter().any(same) {
                seeds.push((target_of(kind), instance.stem(), input));
            }
        }
        seeds
    }
}

/// The name of the fuzz target of a kind.
pub(crate) fn target_of(kind: &ondisk::Kind) -> String {
    file_stem(kind).replace('-', "_")
}
