//! Keeping what a plan would just cut.
//!
//! An open drops the end of an unfinished record, which nobody was told of. A repair is made while somebody wonders what
//! happened, so it keeps that end as well.

use std::collections::{BTreeMap, BTreeSet};

use ondisk::felix::name::SegmentFile;

use super::{Plan, Step};
use crate::felix::shard::Shard;

impl Plan {
    /// The same with a step that saves before each cut which has none; `shard` is the one that was planned for. It has another
    /// id, so whoever compares ids uses the one that was planned.
    #[must_use]
    pub fn saving_everything(&self, shard: &Shard) -> Self {
        let mut lengths: BTreeMap<u64, u64> = self
            .listed
            .iter()
            .filter_map(|&(file, bytes)| match file {
                SegmentFile::Log { id } => Some((id, bytes)),
                _ => None,
            })
            .collect();
        let mut taken: BTreeSet<SegmentFile> = self.steps.iter().filter_map(creates).collect();
        let mut steps = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            if let Step::Cut { segment, position } = *step {
                let length = lengths.insert(segment, position).unwrap_or(position);
                let bytes = length.saturating_sub(position);
                if bytes > 0 && !is_saved(&steps, segment, position) {
                    let mut number = position;
                    let mut to = SegmentFile::Cut {
                        id: segment,
                        number,
                    };
                    while shard.has(to) || !taken.insert(to) {
                        number = number.wrapping_add(1);
                        to = SegmentFile::Cut {
                            id: segment,
                            number,
                        };
                    }
                    steps.push(Step::Save {
                        segment,
                        from: position,
                        bytes,
                        to,
                    });
                }
            }
            steps.push(step.clone());
        }
        Self {
            steps,
            ..self.clone()
        }
    }
}

/// The name of a side file that a step makes.
fn creates(step: &Step) -> Option<SegmentFile> {
    match *step {
        Step::Save { to, .. } | Step::Rename { to, .. } => Some(to),
        _ => None,
    }
}

fn is_saved(steps: &[Step], segment: u64, position: u64) -> bool {
    steps.iter().any(|step| {
        matches!(step, Step::Save { segment: id, from, .. } if *id == segment && *from == position)
    })
}
