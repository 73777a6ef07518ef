//! What is owed of the files that say which data directory this is.

use std::fmt::Debug;

use ondisk::felix::RunPhase;

use super::found::Found;
use crate::promise::{Promise, Violation};

/// A storage id.
pub(super) type Id = [u8; 16];

/// What each file of identity may say; what was stored last, or any value that was tried since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// How the last run ended; none before the first one.
    pub(super) runs: Vec<Option<RunPhase>>,
    pub(super) ids: Vec<Option<Id>>,
    /// A failure may have left an id that nobody was told.
    pub(super) any_id: bool,
    pub(super) registrations: Vec<Option<u64>>,
    pub(super) nodes: Vec<Option<String>>,
    /// The same of a node id.
    pub(super) any_node: bool,
}

impl Default for Identity {
    fn default() -> Self {
        Self {
            runs: vec![None],
            ids: vec![None],
            any_id: false,
            registrations: vec![None],
            nodes: vec![None],
            any_node: false,
        }
    }
}

impl Identity {
    /// That of a data directory whose start has shown this, while that run goes on.
    pub(super) fn of(found: &Found) -> Self {
        Self {
            runs: vec![Some(RunPhase::Running)],
            ids: vec![Some(found.id)],
            any_id: false,
            registrations: vec![found.registration],
            nodes: vec![found.node.clone()],
            any_node: false,
        }
    }

    /// What may be found while this turns into `after`.
    pub(super) fn between(&self, after: &Self) -> Self {
        Self {
            runs: both(&self.runs, &after.runs),
            ids: both(&self.ids, &after.ids),
            any_id: self.any_id || after.any_id,
            registrations: both(&self.registrations, &after.registrations),
            nodes: both(&self.nodes, &after.nodes),
            any_node: self.any_node || after.any_node,
        }
    }

    /// Whether a start has found one of these. One that may have lost what was acknowledged `early` makes another storage id.
    pub(super) fn accept(&self, found: &Found, early: bool) -> Result<(), Violation> {
        one_of("the last run", &found.run, &self.runs)?;
        let lost = early && found.run == Some(RunPhase::Running);
        let is_right = |owed: &Option<Id>| match (owed, lost) {
            (None, _) | (_, true) => found.new_id.is_some() && Some(found.id) != *owed,
            (Some(owed), false) => found.new_id.is_none() && *owed == found.id,
        };
        if !self.any_id && !self.ids.iter().any(is_right) {
            let (id, why, run) = (found.id, found.new_id, found.run);
            let what = format!(
                "storage id {id:x?} (new: {why:?}) after a run {run:?}, of {:x?}",
                self.ids
            );
            return Err(Violation::new(Promise::KeepsTheStore, what));
        }
        one_of("the registration", &found.registration, &self.registrations)?;
        match self.any_node && found.node.is_some() {
            true => Ok(()),
            false => one_of("the node id", &found.node, &self.nodes),
        }
    }
}

fn both<T: Clone + PartialEq>(one: &[T], other: &[T]) -> Vec<T> {
    let mut both = one.to_vec();
    for value in other {
        if !both.contains(value) {
            both.push(value.clone());
        }
    }
    both
}

fn one_of<T: Debug + PartialEq>(name: &str, found: &T, owed: &[T]) -> Result<(), Violation> {
    if owed.contains(found) {
        return Ok(());
    }
    let what = format!("{name} is {found:?}, not one of {owed:?}");
    Err(Violation::new(Promise::KeepsTheStore, what))
}
