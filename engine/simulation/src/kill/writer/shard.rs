//! One log, and what is done to it at random.

use std::collections::VecDeque;

use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Acceptance, Bound, Commit, KeptRecord, Log};

use super::Pipe;
use crate::kill::said::{Act, Ends, Place, Said};
use crate::kill::settings::Settings;
use crate::random::Random;

/// Whether all went as it must.
pub type Answer<T = ()> = Result<T, String>;

/// A log that is open.
pub struct Shard<'a> {
    pub(super) pipe: &'a Pipe,
    pub(super) place: Place,
    pub(super) settings: &'a Settings,
    pub(super) log: Log,
    /// Appends that were not waited for.
    pub(super) waiting: VecDeque<Commit>,
    /// Keeps pages in use, so that a cut has to leave them.
    kept: Option<KeptRecord>,
}

impl<'a> Shard<'a> {
    /// Opens it.
    ///
    /// # Errors
    /// What the open fails with.
    pub fn open(
        pipe: &'a Pipe,
        place: Place,
        settings: &'a Settings,
        open: impl FnOnce() -> Result<Log, StorageError>,
    ) -> Answer<Self> {
        pipe.of(place, Said::Begin(Act::Open));
        let log = open().map_err(|error| format!("open: {error}"))?;
        pipe.of(place, Said::Done(Ends::of(&log)));
        Ok(Self {
            pipe,
            place,
            settings,
            log,
            waiting: VecDeque::new(),
            kept: None,
        })
    }

    /// Does one thing.
    ///
    /// # Errors
    /// What it fails with.
    pub fn step(&mut self, random: &mut Random, next: &mut u64) -> Answer {
        match random.below(100) {
            0..50 => self.append(random, next),
            50..54 => self.append_from_threads(random, next),
            54..60 => self.wait(),
            60..65 => self.act(Act::Sync, |log| log.sync().map(drop)),
            65..70 => self.act(Act::Roll, Log::roll),
            70..76 => self.truncate(random),
            76..78 => self.reset(random),
            78..80 => self.restore(random),
            80..84 => self.act(Act::Retain, |log| log.retain().map(drop)),
            84..88 => self.record_epoch(random),
            88..92 => self.accept(random),
            92..94 => self.give_up(),
            94..97 => self.advance_commit(random),
            _ => self.keep(random),
        }
    }

    /// Ends it, in either way.
    ///
    /// # Errors
    /// What the close fails with.
    pub fn end(mut self, random: &mut Random) -> Answer {
        self.waiting.clear();
        if random.one_in(2) {
            return self.act(Act::Close, Log::close);
        }
        self.pipe.of(self.place, Said::Begin(Act::LetGo));
        let Self {
            log, pipe, place, ..
        } = self;
        let ends = Ends::of(&log);
        drop(log);
        // The last handle flushes.
        let durable = ends.tail;
        pipe.of(place, Said::Done(Ends { durable, ..ends }));
        Ok(())
    }

    /// Says what it is about to do, does it, and says that it is done.
    pub(super) fn act(
        &self,
        act: Act,
        does: impl FnOnce(&Log) -> Result<(), StorageError>,
    ) -> Answer {
        let name = act.to_string();
        self.pipe.of(self.place, Said::Begin(act));
        does(&self.log).map_err(|error| format!("{name}: {error}"))?;
        self.pipe.of(self.place, Said::Done(Ends::of(&self.log)));
        Ok(())
    }

    fn record_epoch(&self, random: &mut Random) -> Answer {
        let newest = self.log.epochs().last().map_or(0, |entry| entry.generation);
        let generation = newest + random.from(1, 3);
        let start = self.log.tail();
        self.act(Act::Epoch(generation, start), |log| {
            log.record_epoch(generation, start)
        })
    }

    fn accept(&self, random: &mut Random) -> Answer {
        let generation = self.log.accepted().generation + random.from(1, 3);
        let leader = random.pick(&[None, Some("a"), Some("b")]);
        let act = Act::Accept(generation, leader.map(str::to_owned));
        let mut answer = None;
        self.act(act, |log| {
            answer = Some(log.accept(generation, leader)?);
            Ok(())
        })?;
        match answer {
            Some(Acceptance::Raised) => Ok(()),
            other => Err(format!("accept {generation}: {other:?}")),
        }
    }

    fn give_up(&self) -> Answer {
        let now = self.log.accepted();
        if now.generation == 0 || now.given_up {
            return Ok(());
        }
        self.act(Act::GiveUp, Log::give_up_generation)
    }

    /// Never so far that nothing can be cut any more.
    fn advance_commit(&self, random: &mut Random) -> Answer {
        let (base, tail) = (self.log.base(), self.log.tail());
        let commit = base + random.below(tail - base + 1) / 2;
        if commit <= self.log.accepted().commit {
            return Ok(());
        }
        self.act(Act::Commit(commit), |log| log.advance_commit(commit))
    }

    /// Lets a reader hold a page of somewhere, or none.
    fn keep(&mut self, random: &mut Random) -> Answer {
        self.kept = None;
        let (base, tail) = (self.log.base(), self.log.tail());
        if base == tail {
            return Ok(());
        }
        let from = base + random.below(tail - base);
        let read = self.log.read(from, Bound::Tail).and_then(|mut records| {
            let record = records.next()?;
            Ok(record.map(|record| record.keep()))
        });
        match read {
            Ok(kept) => self.kept = kept,
            // Retention by timer was there first.
            Err(StorageError::Trimmed { .. }) => {}
            Err(error) => return Err(format!("read at {from}: {error}")),
        }
        Ok(())
    }
}
