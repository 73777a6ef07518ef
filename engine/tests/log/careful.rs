//! A log that is used while its disk fails, and what must be there afterwards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ondisk::felix::{EpochEntry, ProducerTag};
use ondisk_engine::background::Background;
use ondisk_engine::clock::{Clock, ManualClock};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::memory::MemoryDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::{Commit, Config, Entry, Environment, FsyncMode, Log, Mark};

use crate::faulty::{Call, Faults, faulty};
use crate::look::Look;

/// What a script does is kept track of: what must be there, and what may.
pub struct Careful {
    pub faults: Arc<Faults>,
    directory: Arc<dyn Directory>,
    /// The same, and nothing fails.
    disk: MemoryDirectory,
    clock: Arc<ManualClock>,
    environment: Environment,
    config: Config,
    log: Option<Log>,
    /// Acknowledged, so that it must be there.
    must: BTreeMap<u64, Vec<u8>>,
    /// Neither acknowledged nor refused for good, or cut off by a call that failed.
    may: BTreeMap<u64, Vec<Vec<u8>>>,
    epochs: Vec<Vec<EpochEntry>>,
    leaders: Vec<(u64, Option<String>, bool)>,
    number: u64,
    /// Why it did not open.
    why_not: Option<StorageError>,
    /// What failed did so before the log was opened.
    failed_before: bool,
    /// Nobody has waited for these.
    pub waiting: Vec<Commit>,
}

impl Careful {
    pub fn new(config: Config) -> Self {
        let clock = Arc::new(ManualClock::at(1_000_000));
        let environment = Environment {
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            background: Background::manual(Arc::clone(&clock) as Arc<dyn Clock>),
            ..Environment::default()
        };
        let faults = Arc::new(Faults::default());
        let disk = MemoryDirectory::new("shard");
        let directory = faulty(disk.clone(), &faults);
        Self {
            faults,
            directory,
            disk,
            clock,
            environment,
            config,
            log: None,
            must: BTreeMap::new(),
            may: BTreeMap::new(),
            epochs: vec![Vec::new()],
            leaders: vec![(0, None, false)],
            number: 0,
            why_not: None,
            failed_before: false,
            waiting: Vec::new(),
        }
    }

    pub fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }

    /// Opens it if it can be, with what is changed of the configuration.
    pub fn open(&mut self) {
        self.log = None;
        self.failed_before = self.faults.fired();
        let opened = Log::open_in(
            Arc::clone(&self.directory),
            self.config.clone(),
            &self.environment,
        );
        match opened {
            Ok(log) => self.log = Some(log),
            Err(error) => self.why_not = Some(error),
        }
    }

    pub fn append(&mut self, sizes: &[usize]) {
        let marks = vec![Mark::Ordinary; sizes.len()];
        self.append_marked(sizes, &marks);
    }

    /// A batch of a producer: whole, or the first `held` of it.
    pub fn produce(&mut self, sequence: u64, len: u32, held: usize) {
        let mut marks = vec![Mark::Continues; held];
        marks[0] = Mark::Opens(ProducerTag {
            producer_id: 7,
            sequence,
            len,
        });
        self.append_marked(&vec![9; held], &marks);
    }

    pub fn start_generation(&mut self, generation: u64) {
        let Some(log) = &self.log else { return };
        let tail = log.tail();
        let payload = generation.to_be_bytes().to_vec();
        match log.append_generation_start(generation) {
            Ok(commit) if commit.wait().is_ok() => {
                self.must.insert(tail, payload);
            }
            Err(_) if !log.metrics().poisoned => assert_eq!(log.tail(), tail),
            _ => {
                assert!(log.metrics().poisoned);
                self.allow([(tail, payload)]);
            }
        }
    }

    fn append_marked(&mut self, sizes: &[usize], marks: &[Mark]) {
        let Some(log) = &self.log else { return };
        let first = log.tail();
        let payloads: Vec<_> = sizes
            .iter()
            .map(|&size| {
                self.number += 1;
                let mut payload = self.number.to_string().into_bytes();
                payload.resize(size.max(payload.len()), b'.');
                payload
            })
            .collect();
        let entries: Vec<_> = payloads
            .iter()
            .zip(marks)
            .map(|(payload, &mark)| Entry::new(payload).marked(mark))
            .collect();
        let offsets = first..first + payloads.len() as u64;
        match log.append(&entries) {
            Ok(commit) => {
                assert_eq!(commit.offsets(), offsets);
                if commit.wait().is_ok() {
                    self.must.extend(offsets.zip(payloads));
                } else {
                    assert!(log.metrics().poisoned, "it said no without a reason");
                    self.waiting.push(commit);
                    self.allow(offsets.zip(payloads));
                }
            }
            // What could not be cut off again may be there.
            Err(_) if log.metrics().poisoned => self.allow(offsets.zip(payloads)),
            Err(_) => assert_eq!(log.tail(), first),
        }
    }

    fn allow(&mut self, records: impl IntoIterator<Item = (u64, Vec<u8>)>) {
        for (offset, payload) in records {
            self.may.entry(offset).or_default().push(payload);
        }
    }

    pub fn sync(&mut self) {
        let Some(log) = &self.log else { return };
        match log.sync() {
            Ok(bound) => assert_eq!(bound, log.tail()),
            Err(_) => assert!(log.metrics().poisoned),
        }
    }

    pub fn roll(&mut self) {
        let Some(log) = &self.log else { return };
        let tail = log.tail();
        let _may_fail = log.roll();
        assert_eq!(log.tail(), tail);
    }

    pub fn run_ready(&mut self) {
        self.environment.background.run_ready();
        // Retention has its timer.
        self.forget_below_base();
    }

    fn forget_below_base(&mut self) {
        let Some(log) = &self.log else { return };
        let kept = self.must.split_off(&log.base());
        let gone = std::mem::replace(&mut self.must, kept);
        // One whose removal fails comes back.
        self.allow(gone);
    }

    /// What a crash can leave behind the last record of the newest segment, or behind that segment.
    pub fn leave_debris(&mut self, debris: Debris) {
        // Behind debris that no open has cleared away nothing more is left.
        if self.log.take().is_none() {
            return;
        }
        let entries = self.disk.entries().expect("memory");
        let names = entries.iter().filter_map(|entry| entry.name.to_str());
        let newest = names.filter(|name| name.ends_with(".log")).max();
        // A reset may have failed between two segments.
        let Some(newest) = newest.map(str::to_owned) else {
            return;
        };
        let id: u64 = newest[..20].parse().expect("digits");
        let (name, at, bytes) = match debris {
            Debris::Torn => (newest, None, ondisk_record(self.must.len() as u64)),
            Debris::Garbage => (newest, None, vec![0xa5; 60]),
            Debris::Zeros => (newest, None, vec![0; 600]),
            Debris::Blank => (format!("{:020}.log", id + 1), Some(0), Vec::new()),
            Debris::Temporary => (format!("{:020}.log.tmp", id + 1), Some(0), vec![1; 40]),
        };
        let file = match at {
            Some(_) => self.disk.create(&name),
            None => self.disk.edit(&name),
        };
        let Ok(file) = file else { return };
        let end = file.stat().expect("memory").len;
        ondisk_engine::disk::write_all_at(&*file, &bytes, end).expect("memory");
    }

    pub fn advance(&mut self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub fn truncate(&mut self, offset: u64) {
        let Some(log) = &self.log else { return };
        let nothing = offset >= log.tail();
        let cut = log.truncate(offset);
        if nothing && cut.is_ok() {
            return;
        }
        let poisoned = log.metrics().poisoned;
        self.cut(cut, poisoned, offset);
    }

    pub fn reset(&mut self, base: u64) {
        let Some(log) = &self.log else { return };
        let reset = log.reset_to(base);
        let poisoned = log.metrics().poisoned;
        let done = reset.is_ok();
        self.cut(reset, poisoned, 0);
        if done {
            self.epochs = vec![Vec::new()];
        } else {
            self.epochs.push(Vec::new());
        }
    }

    pub fn restore(&mut self, offset: u64) {
        let Some(log) = &self.log else { return };
        let commit = log.accepted().commit;
        let nothing = offset >= log.tail();
        let restored = log.restore_to(offset);
        if nothing && restored.is_ok() {
            return;
        }
        let poisoned = log.metrics().poisoned;
        if restored.is_err() && !poisoned {
            assert_eq!(log.accepted().commit, commit, "nothing was cut");
            return;
        }
        self.cut(restored, poisoned, offset);
    }

    /// What a call that cuts did; `offset` is above what stays.
    fn cut(&mut self, cut: Result<(), StorageError>, poisoned: bool, offset: u64) {
        let gone = self.must.split_off(&offset);
        match cut {
            Ok(()) => {
                self.may.split_off(&offset);
                for epochs in &mut self.epochs {
                    epochs.retain(|entry| entry.start_offset < offset);
                }
            }
            Err(_) => {
                assert!(poisoned, "half a cut is no state to go on from");
                self.allow(gone);
                let mut cut = self.epochs.clone();
                for epochs in &mut cut {
                    epochs.retain(|entry| entry.start_offset < offset);
                }
                self.epochs.extend(cut);
            }
        }
    }

    /// Cuts unless that would drop what is committed, or the log is poisoned.
    pub fn truncate_if_free(&mut self, offset: u64) {
        let free = self.log().is_some_and(|log| {
            let committed = log.accepted().commit.min(log.tail());
            !log.metrics().poisoned && offset.max(log.base()) >= committed
        });
        if free {
            self.truncate(offset);
        }
    }

    pub fn reset_if_free(&mut self, base: u64) {
        let free = self.log().is_some_and(|log| {
            let committed = log.accepted().commit.min(log.tail());
            !log.metrics().poisoned && base.max(log.base()) >= committed
        });
        if free {
            self.reset(base);
        }
    }

    pub fn record_newer_epoch(&mut self, generation: u64) {
        let Some(log) = &self.log else { return };
        let newer = log
            .epochs()
            .last()
            .is_none_or(|last| last.generation < generation && last.start_offset <= log.tail());
        if newer {
            let tail = log.tail();
            self.record_epoch(generation, tail);
        }
    }

    pub fn accept_newer(&mut self, generation: u64) {
        let Some(log) = &self.log else { return };
        if generation > log.accepted().generation {
            self.accept(generation, generation.is_multiple_of(2).then_some("a"));
        }
    }

    pub fn retain(&mut self) {
        let Some(log) = &self.log else { return };
        // Nothing is lost with a segment that cannot be removed.
        let _may_fail = log.retain();
        self.forget_below_base();
    }

    pub fn record_epoch(&mut self, generation: u64, start_offset: u64) {
        let Some(log) = &self.log else { return };
        let before = log.epochs();
        let done = log.record_epoch(generation, start_offset);
        let mut after = before;
        after.push(EpochEntry {
            generation,
            start_offset,
        });
        match done {
            Ok(()) => self.epochs = vec![after],
            Err(_) => self.epochs.push(after),
        }
    }

    pub fn accept(&mut self, generation: u64, leader: Option<&str>) {
        let Some(log) = &self.log else { return };
        let after = (generation, leader.map(str::to_owned), false);
        match log.accept(generation, leader) {
            Ok(_) => self.now_led(after),
            Err(_) => self.leaders.push(after),
        }
    }

    /// A call succeeded. The ballot of an attempt that failed may be there, and counts after a reopen if it is of a later
    /// generation and nobody was named since.
    fn now_led(&mut self, now: (u64, Option<String>, bool)) {
        let named = now.1.is_some() || now.2;
        self.leaders
            .retain(|(generation, leader, _)| !named && *generation > now.0 && leader.is_some());
        self.leaders.push(now);
    }

    pub fn give_up(&mut self) {
        let Some(log) = &self.log else { return };
        let generation = log.accepted().generation;
        if generation == 0 {
            return log.give_up_generation().unwrap_or_default();
        }
        let after = (generation, None, true);
        match log.give_up_generation() {
            Ok(()) => self.now_led(after),
            Err(_) => self.leaders.push(after),
        }
    }

    pub fn advance_commit(&mut self, commit: u64) {
        let Some(log) = &self.log else { return };
        log.advance_commit(commit).expect("it is open");
    }

    pub fn close(&mut self) {
        if let Some(log) = self.log.take() {
            let poisoned = log.metrics().poisoned;
            let closed = log.close();
            assert!(!poisoned || matches!(closed, Err(StorageError::SyncFailed)));
            assert!(matches!(log.roll(), Err(StorageError::Closed { .. })));
        }
    }

    /// The disk works again: the log does too, or it says that it is poisoned; and once it is reopened, all is there.
    pub fn check(mut self) {
        let fired = self.faults.heal();
        if let Some(log) = self.log.clone() {
            let poisoned = log.metrics().poisoned;
            let segment = |name: &str| name.ends_with(".log");
            if let Some((Call::SyncFile, name)) = &fired
                && segment(name)
                && !self.failed_before
            {
                assert!(poisoned, "a failed sync of {name}");
            }
            match poisoned {
                true => self.check_poisoned(&log),
                false => {
                    self.append(&[3, 40]);
                    assert_eq!(self.must.keys().next_back(), Some(&(log.tail() - 1)));
                    self.sync();
                    self.check_accept(&log);
                }
            }
        }
        self.close();
        self.check_reopened();
    }

    fn check_accept(&mut self, log: &Log) {
        let Some((generation, leader, given_up)) = self.leaders.last().cloned() else {
            return;
        };
        // What failed can be asked for again, and then it is so.
        if given_up {
            log.give_up_generation().expect("the disk works");
        } else if generation > 0 {
            let again = log.accept(generation, leader.as_deref());
            again.expect("the disk works");
        }
        let now = log.accepted();
        assert_eq!((now.generation, now.given_up), (generation, given_up));
        self.now_led((generation, now.leader, given_up));
    }

    fn check_poisoned(&mut self, log: &Log) {
        let durable = log.durable();
        let refused = |result: Result<(), StorageError>| {
            assert!(
                matches!(result, Err(StorageError::SyncFailed)),
                "{result:?}"
            );
        };
        refused(log.append(&[Entry::new(b"x")]).map(drop));
        refused(log.append_at(log.tail(), &[Entry::new(b"x")]).map(drop));
        refused(log.sync().map(drop));
        refused(log.roll());
        refused(log.truncate(0));
        refused(log.reset_to(0));
        refused(log.restore_to(log.base()));
        refused(log.record_epoch(99, 0));
        refused(log.accept(99, None).map(drop));
        refused(log.give_up_generation());
        self.environment.background.run_ready();
        for commit in self.waiting.drain(..) {
            commit.wait().expect_err("nothing is acknowledged any more");
            assert!(!commit.is_acknowledged());
        }
        assert_eq!(log.durable(), durable);
    }

    fn check_reopened(&mut self) {
        self.open();
        let log = self.log.clone().unwrap_or_else(|| {
            let why = self.why_not.take();
            panic!("it does not open though the disk works: {why:?}")
        });
        let look = Look::at(&self.directory);
        let offsets: Vec<_> = look.records.iter().map(|record| record.offset).collect();
        let dense = log.base()..log.tail();
        assert_eq!(offsets, dense.collect::<Vec<_>>());
        for record in &look.records {
            let must = self.must.remove(&record.offset);
            let may = self.may.get(&record.offset);
            let allowed = must.as_ref() == Some(&record.payload)
                || must.is_none() && may.is_some_and(|may| may.contains(&record.payload));
            let payload = String::from_utf8_lossy(&record.payload);
            assert!(allowed, "{payload} at {}, not {must:?}", record.offset);
        }
        assert!(self.must.is_empty(), "lost: {:?}", self.must);
        let up_to_tail = |mut epochs: Vec<EpochEntry>| {
            epochs.retain(|entry| entry.start_offset <= log.tail());
            epochs
        };
        let epochs: Vec<_> = self.epochs.drain(..).map(up_to_tail).collect();
        assert!(epochs.contains(&log.epochs()), "{:?}", log.epochs());
        let now = log.accepted();
        let leader = (now.generation, now.leader, now.given_up);
        assert!(self.leaders.contains(&leader), "{leader:?}");
        self.append(&[1]);
        self.roll();
        self.append(&[2]);
        self.close();
        let look = Look::sound(&self.directory);
        assert_eq!(look.bounds(), (log.base(), log.tail()));
    }
}

/// What a crash leaves.
#[derive(Clone, Copy, Debug)]
pub enum Debris {
    /// The front of a record.
    Torn,
    /// Bytes that are no record.
    Garbage,
    /// A file that is longer than its data.
    Zeros,
    /// A next segment without a header.
    Blank,
    /// A segment that was being written anew.
    Temporary,
}

/// A record without its last byte.
fn ondisk_record(offset: u64) -> Vec<u8> {
    let record = ondisk::felix::Record {
        kind: ondisk::felix::RecordKind::Ordinary,
        offset,
        timestamp_micros: 1,
        tag: None,
        payload: b"never finished",
    };
    let version = ondisk::WriteVersion::at(3, &ondisk::FeatureLevels::NONE).expect("version 3");
    let mut bytes = Vec::new();
    record.encode(version, &mut bytes).expect("it encodes");
    bytes.pop();
    bytes
}

/// The modes in which an append is acknowledged.
pub const MODES: [FsyncMode; 3] = [
    FsyncMode::OnCommit,
    FsyncMode::None,
    FsyncMode::Periodic {
        interval: Duration::from_secs(1),
    },
];
