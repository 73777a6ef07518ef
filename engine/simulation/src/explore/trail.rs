//! What happened on one disk, and what was expected when.

use ondisk_engine::disk::simulated::{Moment, SimulatedDisk};

/// What was expected while one step was under way, and when it had ended.
#[derive(Clone, Debug)]
pub struct Stage<E> {
    /// Operations of the disk before it.
    pub first: u64,
    /// What may be found while it is under way.
    pub during: E,
    /// What may be found once it has ended.
    pub after: E,
}

/// What happened on one disk: from an empty one or a power cut to the next power cut or the end.
#[derive(Debug)]
pub struct Trail<E> {
    /// The disk ahead of each operation.
    pub moments: Vec<Moment>,
    /// The disk as it was in the end.
    pub end: SimulatedDisk,
    /// The steps, in order; at least one.
    pub stages: Vec<Stage<E>>,
}

impl<E> Trail<E> {
    /// What may be found after a power cut ahead of operation `at`.
    #[must_use]
    pub fn expected_at(&self, at: u64) -> &E {
        // Stages that ended before it, and that in which it lies.
        let begun = self.stages.partition_point(|stage| stage.first < at);
        let Some(last) = begun.checked_sub(1) else {
            return &self.stages[0].during;
        };
        // Between two steps the first one has ended.
        let between = self.stages.get(begun).is_some_and(|next| next.first == at);
        let stage = &self.stages[last];
        if between { &stage.after } else { &stage.during }
    }

    /// What may be found after a power cut at the end.
    ///
    /// # Panics
    /// Without a stage.
    #[must_use]
    pub fn expected_at_end(&self) -> &E {
        let last = self.stages.last();
        &last.expect("at least one step").after
    }
}
