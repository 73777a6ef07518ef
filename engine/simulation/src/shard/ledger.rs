//! What a log owes: what must be in it, and what may.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use ondisk::felix::{EpochEntry, ManifestEntry};

use super::found::{Found, Payload, Vote};
use super::producers::Producers;
use crate::promise::{Promise, Violation};

/// What is known of a log from what was done to it and what it answered.
///
/// A record that was acknowledged as durable *must* be there. One that was appended and not acknowledged, whose append
/// failed, or that a cut which failed was to drop, *may* be there. Nothing else may. The same goes for sidecars: the value
/// that was stored last, or any that was tried since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// Where the log may begin.
    pub base: RangeInclusive<u64>,
    must: BTreeMap<u64, Payload>,
    /// The newest last.
    may: BTreeMap<u64, Vec<Payload>>,
    /// All that was ever appended, cut off or not: what a disk that shows stale blocks may show.
    ever: BTreeMap<u64, Vec<Payload>>,
    /// Histories of generations.
    pub epochs: Vec<Vec<EpochEntry>>,
    /// Accepted generations.
    pub votes: Vec<Vote>,
    /// Commits that may be stored.
    pub commit: RangeInclusive<u64>,
    /// Manifests.
    pub manifests: Vec<Vec<ManifestEntry>>,
}

impl Default for Ledger {
    /// That of an empty directory.
    fn default() -> Self {
        Self {
            base: 0..=0,
            must: BTreeMap::new(),
            may: BTreeMap::new(),
            ever: BTreeMap::new(),
            epochs: vec![Vec::new()],
            votes: vec![(0, None, false)],
            commit: 0..=0,
            manifests: vec![Vec::new()],
        }
    }
}

impl Ledger {
    /// That of a log whose open has shown this: an open makes durable what it shows.
    #[must_use]
    pub fn of(found: &Found) -> Self {
        Self {
            base: found.base..=found.base,
            must: found.records.clone(),
            may: BTreeMap::new(),
            ever: BTreeMap::new(),
            epochs: vec![found.epochs.clone()],
            votes: vec![found.vote.clone()],
            commit: found.commit..=found.commit,
            manifests: vec![found.manifest.clone()],
        }
    }

    /// Records were handed over for these offsets.
    pub fn append(&mut self, first: u64, payloads: &[Payload]) {
        for (offset, payload) in (first..).zip(payloads) {
            self.may.entry(offset).or_default().push(payload.clone());
            self.ever.entry(offset).or_default().push(payload.clone());
        }
    }

    /// The same, with what was appended before another ledger took over.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        self.ever = before.ever.clone();
        self
    }

    /// Whether this record was appended at this offset, at any time.
    #[must_use]
    pub fn was_appended(&self, offset: u64, payload: &Payload) -> bool {
        let ever = self.ever.get(&offset);
        ever.is_some_and(|ever| ever.contains(payload))
    }

    /// The first offset that is owed and not among these, which ascend. What lies below the highest base is not owed.
    #[must_use]
    pub fn missing_from(&self, there: &[u64]) -> Option<u64> {
        let owed = self.must.range(*self.base.end()..);
        let mut missing = owed.map(|(&offset, _)| offset);
        missing.find(|offset| there.binary_search(offset).is_err())
    }

    /// What was appended last at these offsets is durable.
    pub fn acknowledge(&mut self, offsets: Range<u64>) {
        for offset in offsets {
            if let Some(payload) = self.may.remove(&offset).and_then(|mut may| may.pop()) {
                self.must.insert(offset, payload);
            }
        }
    }

    /// Everything below is durable.
    pub fn flushed(&mut self, durable: u64) {
        let first = self.may.keys().next().copied().unwrap_or(durable);
        self.acknowledge(first..durable);
    }

    /// Whether a record must be there.
    #[must_use]
    pub fn owes(&self, offset: u64) -> Option<&Payload> {
        self.must.get(&offset)
    }

    /// Everything at or above `offset` was dropped.
    pub fn cut(&mut self, offset: u64) {
        self.must.split_off(&offset);
        self.may.split_off(&offset);
        let low = *self.base.start();
        self.base = low.min(offset)..=(*self.base.end()).min(offset);
        for epochs in &mut self.epochs {
            epochs.retain(|entry| entry.start_offset < offset);
        }
        for manifest in &mut self.manifests {
            manifest.retain(|entry| entry.last_offset < offset);
        }
    }

    /// Everything was dropped, and the log goes on at `base`.
    pub fn reset(&mut self, base: u64) {
        self.cut(0);
        self.base = base..=base;
        self.epochs = vec![Vec::new()];
        self.manifests = vec![Vec::new()];
    }

    /// Everything at or above `offset` is being dropped, and nobody knows how far that went.
    #[must_use]
    pub fn being_cut(&self, offset: u64) -> Self {
        let mut cut = self.clone();
        for (offset, payload) in cut.must.split_off(&offset) {
            cut.may.entry(offset).or_default().push(payload);
        }
        let mut after = self.clone();
        after.cut(offset);
        cut.epochs.extend(after.epochs);
        // A reset forgets the history before it drops a record.
        if offset == 0 {
            cut.epochs.push(Vec::new());
        }
        cut.manifests.extend(after.manifests);
        cut
    }

    /// Retention goes up to `base`; what it removes may come back until that is durable.
    pub fn trim(&mut self, base: u64, may_come_back: bool) {
        let kept = self.must.split_off(&base);
        let gone = std::mem::replace(&mut self.must, kept);
        if may_come_back {
            for (offset, payload) in gone {
                self.may.entry(offset).or_default().push(payload);
            }
            self.base = *self.base.start()..=base;
        } else {
            self.may = self.may.split_off(&base);
            self.base = base..=base;
        }
    }

    /// What may be found while one of these turns into the other.
    #[must_use]
    pub fn between(&self, after: &Self) -> Self {
        let mut either = self.clone();
        either.base =
            *self.base.start().min(after.base.start())..=*self.base.end().max(after.base.end());
        either.commit = *self.commit.start().min(after.commit.start())
            ..=*self.commit.end().max(after.commit.end());
        either
            .must
            .retain(|offset, payload| after.must.get(offset) == Some(payload));
        for ledger in [self, after] {
            for (offset, payload) in &ledger.must {
                if !either.must.contains_key(offset) {
                    either.may.entry(*offset).or_default().push(payload.clone());
                }
            }
        }
        for (offset, payloads) in &after.may {
            let may = either.may.entry(*offset).or_default();
            may.extend(payloads.iter().cloned());
        }
        either.ever.clone_from(&after.ever);
        either.epochs.extend(after.epochs.iter().cloned());
        either.votes.extend(after.votes.iter().cloned());
        either.manifests.extend(after.manifests.iter().cloned());
        either
    }

    /// Whether a log that was found is one that this allows.
    ///
    /// # Errors
    /// The first promise that it breaks.
    pub fn accept(&self, found: &Found) -> Result<(), Violation> {
        if !self.base.contains(&found.base) {
            let what = format!("the base is {}, not in {:?}", found.base, self.base);
            return Err(Violation::new(Promise::KeepsItsBase, what));
        }
        self.accept_records(found)?;
        let known = Producers::of(&found.records, found.base, found.tail);
        if known != found.producers {
            let what = format!("{:?}, and the records say {known:?}", found.producers);
            return Err(Violation::new(Promise::KnowsProducers, what));
        }
        let up_to_tail = |epochs: &[EpochEntry]| -> Vec<EpochEntry> {
            let in_log = |entry: &&EpochEntry| entry.start_offset <= found.tail;
            epochs.iter().filter(in_log).cloned().collect()
        };
        let is_theirs = |epochs: &Vec<EpochEntry>| up_to_tail(epochs) == found.epochs;
        if !self.epochs.iter().any(is_theirs) {
            let what = format!("{:?}, not one of {:?}", found.epochs, self.epochs);
            return Err(Violation::new(Promise::KeepsEpochs, what));
        }
        if !self.votes.contains(&found.vote) {
            let what = format!("{:?}, not one of {:?}", found.vote, self.votes);
            return Err(Violation::new(Promise::KeepsVotes, what));
        }
        if !self.commit.contains(&found.commit) {
            let what = format!("{}, not in {:?}", found.commit, self.commit);
            return Err(Violation::new(Promise::KeepsTheCommit, what));
        }
        if !self.manifests.contains(&found.manifest) {
            let what = format!("{:?}, not one of {:?}", found.manifest, self.manifests);
            return Err(Violation::new(Promise::KeepsTheManifest, what));
        }
        let cut_off = |entry: &&ManifestEntry| entry.last_offset >= found.tail;
        if let Some(entry) = found.manifest.iter().find(cut_off) {
            let what = format!("it names {entry:?}, and the log ends at {}", found.tail);
            return Err(Violation::new(Promise::KeepsTheManifest, what));
        }
        Ok(())
    }

    fn accept_records(&self, found: &Found) -> Result<(), Violation> {
        let owed = self.must.range(found.base..).next_back();
        if let Some((&last, _)) = owed
            && found.tail <= last
        {
            let what = format!("the log ends at {}, offset {last} is owed", found.tail);
            return Err(Violation::new(Promise::KeepsAcknowledged, what));
        }
        for offset in found.base..found.tail {
            let Some(there) = found.records.get(&offset) else {
                let what = format!(
                    "offset {offset} is not there, {}..{}",
                    found.base, found.tail
                );
                return Err(Violation::new(Promise::HasNoHole, what));
            };
            match self.must.get(&offset) {
                Some(owed) if owed == there => {}
                Some(_) => {
                    let what = format!("another record at offset {offset}");
                    return Err(Violation::new(Promise::KeepsAcknowledged, what));
                }
                None => {
                    let may = self.may.get(&offset);
                    if !may.is_some_and(|may| may.contains(there)) {
                        let text = String::from_utf8_lossy(&there.bytes);
                        let text: String = text.chars().take(12).collect();
                        let what = format!("{text:?} at offset {offset}");
                        return Err(Violation::new(Promise::InventsNothing, what));
                    }
                }
            }
        }
        let beyond = found
            .records
            .keys()
            .find(|&&at| at < found.base || at >= found.tail);
        match beyond {
            None => Ok(()),
            Some(at) => {
                let what = format!("offset {at} outside of {}..{}", found.base, found.tail);
                Err(Violation::new(Promise::InventsNothing, what))
            }
        }
    }
}
