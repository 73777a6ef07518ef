//! All that a repair is about to do to a shard.

use ondisk::felix::DurableMark;
use ondisk_engine::felix::recovery::{Plan, Step};

use super::held::HeldRoot;
use crate::look::{Seen, Verdict};
use crate::verify::steps;

/// What is ahead.
pub(super) struct Ahead<'p> {
    /// The plan as it was made, which has the id that `verify` shows.
    pub(super) planned: &'p Plan,
    /// The plan as it is done.
    pub(super) plan: Plan,
    /// Whether records that were acknowledged may be lost.
    pub(super) may_have_lost_acknowledged: bool,
    /// Whether the data directory gets a new storage id.
    pub(super) new_storage_id: bool,
    /// The generation that is given up.
    pub(super) gives_up: Option<u64>,
    /// What the durable mark says afterwards.
    pub(super) mark: Option<DurableMark>,
}

impl<'p> Ahead<'p> {
    /// What is ahead of a shard that a plan was made for.
    pub(super) fn of(seen: &Seen<'_>, planned: &'p Plan, root: Option<&HeldRoot>) -> Self {
        let lost = planned.may_have_lost_acknowledged();
        Self {
            planned,
            plan: planned.saving_everything(seen.shard),
            may_have_lost_acknowledged: lost,
            new_storage_id: lost && root.is_some_and(HeldRoot::keeps_its_id),
            gives_up: planned.generation_to_give_up(seen.opening.state.accepted.as_ref()),
            mark: planned.mark_to_lower(),
        }
    }

    /// Step by step, in words; without what is written anew as a matter of course.
    pub(super) fn told(&self, verdict: &Verdict<'_>) -> Vec<String> {
        self.all(steps::told(&self.plan.steps, verdict))
    }

    /// Every step.
    pub(super) fn every_step(&self) -> Vec<String> {
        self.all(self.plan.steps.iter())
    }

    fn all<'s>(&self, steps: impl Iterator<Item = &'s Step>) -> Vec<String> {
        let id = self
            .new_storage_id
            .then(|| "write a new storage-id to the data directory".to_owned());
        let generation = self.gives_up.map(|generation| {
            format!("give up generation {generation}: write a ballot of no leader")
        });
        let mark = self.mark.map(|mark| {
            let (segment, bytes) = (mark.segment, mark.synced_bytes);
            format!(
                "lower durable.mark to what is left: {bytes} bytes of segment {segment}, sync it"
            )
        });
        let steps = steps.map(Step::to_string);
        id.into_iter()
            .chain(generation)
            .chain(steps)
            .chain(mark)
            .collect()
    }
}
