//! What is owed of one stream or cache: its marker, and the shards that are there.

use std::collections::BTreeMap;

use ondisk::felix::StreamMarker;
use ondisk_engine::felix::store::ShardPlace;

use super::found;
use super::op::spelled;
use crate::promise::{Promise, Violation};
use crate::shard::Expectation;

/// What an absent marker says.
pub(super) const NOTHING: StreamMarker = StreamMarker {
    incarnation: None,
    deleting: false,
    deleted_through: None,
};

/// One state of a stream between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    pub(super) marker: StreamMarker,
    pub(super) shards: BTreeMap<ShardPlace, Owed>,
}

/// A shard that is in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Owed {
    pub(super) log: Expectation,
    /// It is on its way out.
    pub(super) may_be_gone: bool,
}

/// What becomes of a stream when a shard of it is opened in an incarnation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is the one that is held.
    Held,
    /// It becomes that.
    Later,
    /// It was deleted, or a later one is held.
    Gone,
}

impl Default for Stream {
    /// One that nobody asked for.
    fn default() -> Self {
        Self {
            marker: NOTHING,
            shards: BTreeMap::new(),
        }
    }
}

/// What a marker says of an incarnation (Felix 11.10).
pub(super) fn standing(marker: &StreamMarker, incarnation: u64) -> Standing {
    let deleted = marker.deleted_through;
    // An old stream needs no marker.
    let held = marker.incarnation.unwrap_or(0);
    if deleted.is_some_and(|through| incarnation <= through) || incarnation < held {
        Standing::Gone
    } else if incarnation == held {
        Standing::Held
    } else {
        Standing::Later
    }
}

impl Stream {
    pub(super) fn standing(&self, incarnation: u64) -> Standing {
        standing(&self.marker, incarnation)
    }

    /// It when a shard was opened that may be.
    pub(super) fn opened(&self, place: &ShardPlace) -> Self {
        let mut after = self.held(place);
        if after.standing(place.incarnation) == Standing::Held {
            let owed = after.shards.entry(place.clone()).or_default();
            owed.may_be_gone = false;
        }
        after
    }

    /// All that may be found while a shard is opened.
    pub(super) fn opening(&self, place: &ShardPlace) -> Vec<Self> {
        let mut all = vec![self.clone()];
        if self.standing(place.incarnation) == Standing::Later {
            let mut leaving = self.clone();
            for (there, owed) in &mut leaving.shards {
                owed.may_be_gone |= there.incarnation < place.incarnation;
            }
            all.push(leaving);
            all.push(self.held(place));
        }
        all.push(self.opened(place));
        all
    }

    /// It when the incarnation of a shard is held, and the older ones are gone.
    fn held(&self, place: &ShardPlace) -> Self {
        let mut after = self.clone();
        if self.standing(place.incarnation) == Standing::Later {
            after.marker.incarnation = Some(place.incarnation);
            after
                .shards
                .retain(|there, _| there.incarnation >= place.incarnation);
        }
        after
    }

    /// It when every incarnation up to `through` was deleted.
    pub(super) fn deleted(&self, through: u64) -> Self {
        let mut after = self.clone();
        if self
            .marker
            .deleted_through
            .is_some_and(|gone| gone >= through)
        {
            return after;
        }
        after.marker = StreamMarker {
            incarnation: self.marker.incarnation.filter(|&held| held > through),
            deleting: false,
            deleted_through: Some(through),
        };
        after.shards.retain(|there, _| there.incarnation > through);
        after
    }

    /// Whether a stream that was found has this marker and these shards, whatever is in them.
    pub(super) fn matches(&self, found: &found::Stream) -> bool {
        let there = |place: &ShardPlace| found.shards.contains_key(place);
        self.marker == found.marker
            && found
                .shards
                .keys()
                .all(|place| self.shards.contains_key(place))
            && self
                .shards
                .iter()
                .all(|(place, owed)| owed.may_be_gone || there(place))
    }

    /// Whether what was read of its shards is allowed.
    pub(super) fn accept_logs(&self, found: &found::Stream) -> Result<(), Violation> {
        for (place, log) in &found.shards {
            if let (Some(owed), Some(log)) = (self.shards.get(place), log) {
                let within = |violation: Violation| violation.within(spelled(place));
                owed.log.accept(log).map_err(within)?;
            }
        }
        Ok(())
    }
}

/// Whether a stream that was found is one of these.
pub(super) fn accept(states: &[Stream], found: &found::Stream) -> Result<(), Violation> {
    let mut refused = None;
    for state in states.iter().filter(|state| state.matches(found)) {
        match state.accept_logs(found) {
            Ok(()) => return Ok(()),
            Err(violation) => refused = Some(violation),
        }
    }
    Err(refused.unwrap_or_else(|| {
        let told = |marker: &StreamMarker, shards: Vec<String>| {
            format!("{marker:?} with {}", shards.join(" "))
        };
        let owed: Vec<_> = states
            .iter()
            .map(|state| told(&state.marker, state.shards.keys().map(spelled).collect()))
            .collect();
        let what = told(&found.marker, found.shards.keys().map(spelled).collect());
        let what = format!("{what}, not one of {}", owed.join("; "));
        Violation::new(Promise::KeepsTheStore, what)
    }))
}
