//! What a data directory owes.

use std::collections::BTreeMap;

use ondisk::felix::name::StreamKey;
use ondisk_engine::felix::store::{Family, ShardPlace};

use super::found::Found;
use super::identity::Identity;
use super::script::stream_of;
use super::stream::{Owed, Standing, Stream, accept};
use crate::promise::Violation;
use crate::shard::{self, Expectation};

/// What is known of a data directory from what was done to it and what it answered: of each file of identity the values
/// that it may have, of each stream the states that it may be in, and of each shard what a log owes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub(super) identity: Identity,
    /// Of each stream those of which one must hold.
    pub(super) streams: BTreeMap<(Family, StreamKey), Vec<Stream>>,
}

impl Ledger {
    /// That of a data directory in which a start has shown this, and every log what it has.
    #[must_use]
    pub fn of(found: &Found) -> Self {
        let mut ledger = Self {
            identity: Identity::of(found),
            streams: BTreeMap::new(),
        };
        for (stream, found) in &found.streams {
            let owed = |log: &Option<shard::Found>| Owed {
                log: log
                    .as_ref()
                    .map_or_else(Expectation::default, |log| shard::Ledger::of(log).into()),
                may_be_gone: false,
            };
            let shards = found.shards.iter();
            let state = Stream {
                marker: found.marker.clone(),
                shards: shards
                    .map(|(place, log)| (place.clone(), owed(log)))
                    .collect(),
            };
            ledger.streams.insert(stream.clone(), vec![state]);
        }
        ledger
    }

    /// The same when a start has shown which of the states hold.
    #[must_use]
    pub fn settled(&self, found: &Found) -> Self {
        let mut settled = Self {
            identity: Identity::of(found),
            streams: BTreeMap::new(),
        };
        for (stream, states) in &self.streams {
            let found = found.stream(stream);
            let mut states: Vec<_> = states
                .iter()
                .filter(|state| state.matches(&found))
                .cloned()
                .collect();
            for state in &mut states {
                state
                    .shards
                    .retain(|place, _| found.shards.contains_key(place));
                let owed = state.shards.values_mut();
                owed.for_each(|owed| owed.may_be_gone = false);
            }
            states.dedup();
            settled.streams.insert(stream.clone(), states);
        }
        settled
    }

    /// What may be found while this turns into `after`.
    #[must_use]
    pub fn between(&self, after: &Self) -> Self {
        let mut between = self.clone();
        between.identity = self.identity.between(&after.identity);
        for (stream, states) in &after.streams {
            let all = between
                .streams
                .entry(stream.clone())
                .or_insert_with(|| vec![Stream::default()]);
            for state in states {
                if !all.contains(state) {
                    all.push(state.clone());
                }
            }
        }
        between
    }

    /// Whether what was found is allowed.
    ///
    /// # Errors
    /// The first promise that it breaks.
    pub fn accept(&self, found: &Found, early: bool) -> Result<(), Violation> {
        self.identity.accept(found, early)?;
        let nobodys = [Stream::default()];
        for (stream, found) in &found.streams {
            let states = self.streams.get(stream).map_or(&nobodys[..], Vec::as_slice);
            let within =
                |violation: Violation| violation.within(format!("{} of {:?}", stream.1, stream.0));
            accept(states, found).map_err(within)?;
        }
        Ok(())
    }

    /// The states of the stream of a shard.
    pub(super) fn states(&mut self, place: &ShardPlace) -> &mut Vec<Stream> {
        self.stream(stream_of(place))
    }

    pub(super) fn stream(&mut self, stream: (Family, StreamKey)) -> &mut Vec<Stream> {
        let states = self.streams.entry(stream);
        states.or_insert_with(|| vec![Stream::default()])
    }

    /// What it comes to for a shard to be opened, in each of the states of its stream.
    pub(super) fn standings(&mut self, place: &ShardPlace) -> Vec<Standing> {
        let states = self.states(place).iter();
        states
            .map(|state| state.standing(place.incarnation))
            .collect()
    }

    /// Each expectation of the log of a shard.
    pub(super) fn logs(&mut self, place: &ShardPlace) -> impl Iterator<Item = &mut Expectation> {
        let states = self.states(place).iter_mut();
        states.filter_map(|state| Some(&mut state.shards.get_mut(place)?.log))
    }

    /// The same, with every state of its stream turned into another one.
    pub(super) fn with_stream(
        &self,
        stream: (Family, StreamKey),
        turn: impl Fn(&Stream) -> Vec<Stream>,
    ) -> Self {
        let mut after = self.clone();
        let states = after.stream(stream);
        let mut turned: Vec<Stream> = Vec::new();
        for state in states.iter().flat_map(turn) {
            if !turned.contains(&state) {
                turned.push(state);
            }
        }
        *states = turned;
        after
    }
}
