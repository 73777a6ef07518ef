//! What each step does to the data directory and to its ledger.

use ondisk::felix::name::StreamKey;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Acceptance, Entry, Log, Mark};
use ondisk_engine::felix::store::{Family, ShardPlace, Store};

use super::found::{broken, in_bins};
use super::run::{Run, Stopped, failed};
use super::script::stream_of;
use super::stream::Standing;
use super::{Op, stream_key};
use crate::promise::{Promise, Violation};
use crate::shard::{self, Payload};

/// Who asks for a generation.
const LEADER: &str = "a";

impl Run<'_> {
    pub(super) fn perform(&mut self, op: &Op) -> Result<(), Stopped> {
        if let Op::Open(place) | Op::Append(place, _) | Op::Raise(place) = op {
            self.stage(|run| run.open(place))?;
        }
        match op {
            Op::Open(_) | Op::Cut(_) => Ok(()),
            Op::Append(place, size) => self.stage(|run| run.append(place, *size)),
            Op::Raise(place) => self.stage(|run| run.raise(place)),
            Op::Close(place) => self.stage(|run| run.close(place)),
            Op::Delete(family, stream, through) => {
                self.stage(|run| run.delete((*family, stream_key(stream)), *through))
            }
            Op::Background => self.stage(Self::run_background),
            Op::Register(incarnation) => self.stage(|run| run.register(*incarnation)),
            Op::NodeId => self.stage(Self::node_id),
            Op::NewId => self.stage(Self::new_id),
            Op::Stop => {
                self.stage(Self::shutdown)?;
                Ok(self.started()?)
            }
            Op::Drop => Ok(self.started()?),
        }
    }

    fn store(&self) -> Store {
        self.store.clone().expect("started between steps")
    }

    fn open(&mut self, place: &ShardPlace) -> Result<(), Stopped> {
        self.logs.remove(place);
        let (before, stream) = (self.expected.clone(), stream_of(place));
        let gone = |standing| standing == Standing::Gone;
        let is_gone = self.expected.standings(place).into_iter().any(gone);
        let opened = before.with_stream(stream.clone(), |state| {
            let there = (!gone(state.standing(place.incarnation))).then(|| state.opened(place));
            there.into_iter().collect()
        });
        self.about_to(before.with_stream(stream.clone(), |state| state.opening(place)));
        match self.store().open_shard(place) {
            Ok(log) => {
                self.expected = opened;
                if self.expected.states(place).is_empty() {
                    return Err(broken(format!("{place} was gone, and is opened")).into());
                }
                self.show(place, log)
            }
            Err(StorageError::NotFound { .. }) if is_gone => {
                self.expected = before.with_stream(stream, |state| {
                    let there = gone(state.standing(place.incarnation)).then(|| state.clone());
                    there.into_iter().collect()
                });
                Ok(())
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Holds what an open log shows against what is owed. What it says is flushed is owed from now on.
    fn show(&mut self, place: &ShardPlace, log: Log) -> Result<(), Stopped> {
        let found = shard::Found::of(&log).map_err(failed)?;
        let mut refused = None;
        let states = self.expected.states(place);
        states.retain(|state| {
            let owed = state.shards.get(place);
            match owed.map_or(Ok(()), |owed| owed.log.accept(&found)) {
                Ok(()) => true,
                Err(violation) => {
                    refused = Some(violation);
                    false
                }
            }
        });
        if let (true, Some(violation)) = (states.is_empty(), refused) {
            return Err(violation.into());
        }
        if found.durable == found.tail {
            let has_failed = self.disk.struck() > 0;
            for owed in self.expected.logs(place) {
                let mut shown = shard::Ledger::of(&found).after(owed.ledger());
                if has_failed {
                    // The ballot of an attempt that failed may lie there.
                    shown.votes.extend(owed.ledger().votes.iter().cloned());
                }
                *owed = shown.into();
            }
        }
        self.logs.insert(place.clone(), log);
        Ok(())
    }

    fn append(&mut self, place: &ShardPlace, size: u16) -> Result<(), Stopped> {
        let Some(log) = self.logs.get(place).cloned() else {
            return Ok(());
        };
        let mut bytes = self.number.to_string().into_bytes();
        self.number += 1;
        bytes.resize(bytes.len().max(size.into()), b'.');
        let payload = Payload {
            mark: Mark::Ordinary,
            bytes: bytes.into(),
        };
        let tail = log.tail();
        let mut meanwhile = self.expected.clone();
        for owed in meanwhile.logs(place) {
            owed.each(|ledger| ledger.append(tail, std::slice::from_ref(&payload)));
        }
        self.about_to(meanwhile);
        let commit = log.append(&[Entry::new(&payload.bytes)]).map_err(failed)?;
        if commit.offsets() != (tail..tail + 1) {
            let what = format!("offsets {:?} at tail {tail}", commit.offsets());
            return Err(Violation::new(Promise::GoesOn, what).into());
        }
        commit.wait().map_err(failed)?;
        if !self.script.early {
            for owed in self.expected.logs(place) {
                owed.each(|ledger| ledger.acknowledge(tail..tail + 1));
            }
        }
        Ok(())
    }

    fn raise(&mut self, place: &ShardPlace) -> Result<(), Stopped> {
        let Some(log) = self.logs.get(place).cloned() else {
            return Ok(());
        };
        let generation = log.accepted().generation + 1;
        let vote = (generation, Some(LEADER.to_owned()), false);
        let mut meanwhile = self.expected.clone();
        for owed in meanwhile.logs(place) {
            owed.each(|ledger| ledger.votes.push(vote.clone()));
        }
        self.about_to(meanwhile);
        let answer = log.accept(generation, Some(LEADER)).map_err(failed)?;
        if answer != Acceptance::Raised {
            let what = format!("generation {generation} is {answer:?}");
            return Err(Violation::new(Promise::KeepsVotes, what).into());
        }
        for owed in self.expected.logs(place) {
            owed.each(|ledger| ledger.votes = vec![vote.clone()]);
        }
        Ok(())
    }

    fn close(&mut self, place: &ShardPlace) -> Result<(), Stopped> {
        let Some(log) = self.logs.remove(place) else {
            return Ok(());
        };
        let tail = log.tail();
        match log.close() {
            Ok(()) => {
                for owed in self.expected.logs(place) {
                    owed.each(|ledger| ledger.flushed(tail));
                }
                Ok(())
            }
            // Its stream went on to another incarnation, or is deleted.
            Err(StorageError::Closed { .. }) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    fn delete(&mut self, stream: (Family, StreamKey), through: u64) -> Result<(), Stopped> {
        let before = self.expected.clone();
        let after = before.with_stream(stream.clone(), |state| vec![state.deleted(through)]);
        self.about_to(before.between(&after));
        let (family, key) = stream;
        let deleted = match family {
            Family::Streams => self.store().delete_stream(&key, through),
            Family::Caches => self.store().delete_cache(&key, through),
        };
        deleted.map_err(failed)?;
        self.expected = after;
        Ok(())
    }

    fn run_background(&mut self) -> Result<(), Stopped> {
        self.background.run_ready();
        let left = in_bins(&self.disk.copy())?;
        // What cannot be removed waits for the next start.
        match left.is_empty() || self.disk.struck() > 0 {
            true => Ok(()),
            false => Err(broken(format!("{left:?} is left in the bins")).into()),
        }
    }

    fn register(&mut self, incarnation: u64) -> Result<(), Stopped> {
        let mut after = self.expected.clone();
        after.identity.registrations = vec![Some(incarnation)];
        self.about_to(self.expected.between(&after));
        self.store().register(incarnation).map_err(failed)?;
        self.expected = after;
        Ok(())
    }

    fn node_id(&mut self) -> Result<(), Stopped> {
        let mut meanwhile = self.expected.clone();
        meanwhile.identity.any_node |= self.armed;
        self.about_to(meanwhile);
        let told = self.store().node_id().map_err(failed)?;
        let identity = &mut self.expected.identity;
        let known = identity.nodes.iter().flatten().next();
        if known.is_some_and(|known| *known != told) {
            return Err(broken(format!("the node id {known:?} becomes {told}")).into());
        }
        identity.nodes = vec![Some(told)];
        identity.any_node = false;
        Ok(())
    }

    fn new_id(&mut self) -> Result<(), Stopped> {
        let mut meanwhile = self.expected.clone();
        meanwhile.identity.any_id |= self.armed;
        self.about_to(meanwhile);
        let id = self.store().new_storage_id().map_err(failed)?;
        let identity = &mut self.expected.identity;
        if identity.ids.contains(&Some(id))
            || self.store.as_ref().and_then(Store::storage_id) != Some(id)
        {
            return Err(broken(format!("the new storage id {id:x?}")).into());
        }
        identity.ids = vec![Some(id)];
        identity.any_id = false;
        Ok(())
    }
}
