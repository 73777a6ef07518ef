//! Opening a log (Felix 7.9).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use ondisk::felix::name::SegmentFile;
use ondisk::felix::{IndexEntry, feature};

use super::accepted::AcceptedGeneration;
use super::config::Config;
use super::environment::Environment;
use super::epochs::EpochHistory;
use super::live::LiveSegment;
use super::manifest::OffloadManifest;
use super::mark::DurableMark;
use super::metrics::Counters;
use super::published::Published;
use super::read::{Opener, Signal};
use super::recovered::Recovered;
use super::retention::LastPass;
use super::shared::Shared;
use super::tasks::Tasks;
use super::writer::{IndexWriter, Writer};
use crate::commit::{Flush, GroupCommit};
use crate::disk::{Directory, File, Lock};
use crate::felix::error::StorageError;
use crate::felix::mark::Mark;
use crate::felix::opening::{self, Sidecars, State};
use crate::felix::recovery::{Applied, Plan, PlannedSegment, Scans, apply, write_again};
use crate::felix::segment::index::Entries;
use crate::felix::segment::{Access, HEADER_BYTES, Header, Mode, Source};
use crate::felix::shard::Shard;

impl Shared {
    /// Opens the log in `directory`.
    pub(super) fn open(
        directory: Arc<dyn Directory>,
        config: Config,
        environment: &Environment,
    ) -> Result<Arc<Self>, StorageError> {
        config.validate()?;
        let lock = directory
            .lock()
            .map_err(StorageError::io(directory.path(), "lock"))?;
        let label = config.key.as_ref().map(ToString::to_string);
        let shard = Shard::look(Arc::clone(&directory), label)?;
        let sidecars = Sidecars::load(&shard)?;
        // Read once from front to back, with errors as errors.
        let access = Access {
            mode: Mode::Windowed,
            ..Access::default()
        };
        let scans = Scans::new(&shard, access).collecting_newest_index(config.index_spacing_bytes);
        let (plan, state) = planned(&scans, &sidecars, &config)?;
        let now = environment.clock.wall_micros();
        let applied = apply(&plan, &directory, now, Some(&scans), &mut |_| Ok(()))?;
        let segments = Segments::of(&plan, &*directory, &config)?;
        segments.write_again(&*directory, plan.mark)?;
        let epochs_loaded = sidecars.epochs.sound().map_or(0, Vec::len);
        let log = segments.build(Parts {
            directory,
            config,
            environment: environment.clone(),
            lock,
            label: shard.label().to_owned(),
            sidecars,
            state,
            plan,
            applied,
        });
        log.mark
            .set(log.published.active().id, log.published.active().bytes())
            .and_then(|()| log.directory.sync())
            .map_err(StorageError::io(log.directory.path(), "sync"))?;
        log.epochs.forget_past_tail(&*log.directory, epochs_loaded);
        log.tasks.start(&log.config, log.clock.monotonic());
        log.tell_of_recovery();
        Ok(log)
    }

    fn tell_of_recovery(&self) {
        for report in &self.recovered.reports {
            tracing::warn!(shard = %self.label, %report, "recovered");
        }
        for feature in &self.recovered.feature_behind {
            tracing::warn!(shard = %self.label, feature, "feature_behind: its level lies below what is on disk");
        }
    }
}

fn planned(
    scans: &Scans<'_>,
    sidecars: &Sidecars,
    config: &Config,
) -> Result<(Plan, State), StorageError> {
    let opening = opening::open(scans, sidecars, config.kind, &config.recovery())?;
    match (opening.refusal, opening.plan) {
        (Some(refusal), _) => {
            let shard = scans.shard();
            Err(refusal.into_error(shard.label(), shard.path()))
        }
        (None, Some(plan)) => Ok((plan, opening.state)),
        (None, None) => Err(StorageError::NotFound {
            what: "a plan".to_owned(),
        }),
    }
}

/// The segments that recovery leaves.
struct Segments {
    sealed: Vec<PlannedSegment>,
    active: PlannedSegment,
    file: Arc<dyn File>,
    entries: Vec<IndexEntry>,
    index: Option<Arc<dyn File>>,
    base: u64,
    tail: u64,
}

impl Segments {
    fn of(plan: &Plan, directory: &dyn Directory, config: &Config) -> Result<Self, StorageError> {
        let mut sealed = plan
            .log
            .as_ref()
            .map(|log| log.segments.clone())
            .unwrap_or_default();
        let active = match sealed.pop() {
            Some(active) => active,
            // A fresh log: the plan created its first segment.
            None => fresh(directory, config.open_at)?,
        };
        let base = sealed.first().unwrap_or(&active).base_offset;
        let name = SegmentFile::Log { id: active.id }.to_string();
        let file = directory
            .edit(&name)
            .map_err(StorageError::io(directory.path().join(&name), "open"))?;
        // Derived: one that does not load is done without.
        let (index, entries) = match index_of(directory, &active) {
            Some((file, entries)) => (Some(file), entries),
            None => (None, Vec::new()),
        };
        Ok(Self {
            base,
            tail: active.next_offset,
            sealed,
            active,
            file,
            entries,
            index,
        })
    }

    /// Writes what no mark vouches for again, and syncs it.
    fn write_again(&self, directory: &dyn Directory, mark: Mark) -> Result<(), StorageError> {
        let failed = |id, operation| {
            let name = SegmentFile::Log { id }.to_string();
            StorageError::io(directory.path().join(name), operation)
        };
        if let Some(last) = self.sealed.last()
            && mark.synced_through(last.id) < last.valid_bytes
        {
            let name = SegmentFile::Log { id: last.id }.to_string();
            let file = directory.edit(&name).map_err(failed(last.id, "open"))?;
            write_again(&*file, mark.synced_through(last.id), last.valid_bytes)
                .map_err(failed(last.id, "sync"))?;
        }
        let from = mark.synced_through(self.active.id);
        write_again(&*self.file, from, self.active.valid_bytes)
            .map_err(failed(self.active.id, "sync"))
    }

    fn build(self, parts: Parts) -> Arc<Shared> {
        let Parts {
            directory,
            config,
            environment,
            lock,
            label,
            sidecars,
            state,
            plan,
            applied,
        } = parts;
        let mut segments: Vec<_> = self
            .sealed
            .iter()
            .map(|segment| {
                Arc::new(LiveSegment::sealed(
                    segment.id,
                    segment.base_offset,
                    segment.version,
                    segment.valid_bytes,
                ))
            })
            .collect();
        let entries = self.entries.len();
        let active = Arc::new(LiveSegment::active(
            self.active.id,
            self.active.base_offset,
            self.active.version,
            self.active.valid_bytes,
            self.entries,
            Arc::clone(&self.file),
        ));
        active.note_synced(self.active.valid_bytes);
        segments.push(Arc::clone(&active));
        let mut producers = state.producers;
        let behind = segments.iter().any(|segment| segment.version >= 4)
            && !config.allows(feature::GENERATION_START);
        let recovered = Recovered {
            plan: plan.id(),
            reports: plan.reports,
            saved: applied.saved,
            foreign: plan.foreign,
            producers: producers.as_ref().map(|rebuilt| rebuilt.snapshot),
            feature_behind: behind
                .then_some(feature::GENERATION_START.name)
                .into_iter()
                .collect(),
        };
        let writer = Writer {
            active,
            file: self.file,
            bytes: self.active.valid_bytes,
            tail: self.tail,
            index: IndexWriter::new(config.index_spacing_bytes, self.index, entries),
            buffer: Vec::new(),
            producers: producers
                .take()
                .map(|rebuilt| rebuilt.state)
                .unwrap_or_default(),
            reserved: 0,
        };
        let mark = DurableMark::open(&*directory);
        let opener = Opener::new(
            Arc::clone(&directory),
            config.read_mode,
            config.segment_size_bytes,
            config.max_open_sealed_segments,
            environment.budget.clone(),
        );
        let tail = self.tail;
        Arc::new_cyclic(|weak: &Weak<Shared>| Shared {
            commit: GroupCommit::new(
                tail,
                Weak::clone(weak) as Weak<dyn Flush>,
                &environment.background,
            ),
            tasks: Tasks::new(weak, &environment.background),
            published: Arc::new(Published::new(segments, self.base, tail)),
            epochs: EpochHistory::new(state.epochs, &sidecars.epochs),
            accepted: AcceptedGeneration::new(
                state.accepted.unwrap_or_default(),
                sidecars.replica.sound(),
            ),
            manifest: OffloadManifest::new(sidecars.manifest.sound().cloned().unwrap_or_default()),
            last_pass: Mutex::new(LastPass::at(&*environment.clock)),
            clock: environment.clock,
            opener,
            mark,
            writer: Mutex::new(writer),
            gate: Mutex::default(),
            ahead: AtomicUsize::new(0),
            removing: Mutex::default(),
            prepared: Mutex::default(),
            retired: Mutex::new(VecDeque::new()),
            appended: Signal::default(),
            metrics: Counters::default(),
            closed: AtomicBool::new(false),
            calls: RwLock::default(),
            hold_retention: AtomicBool::new(false),
            lock: Mutex::new(Some(lock)),
            config,
            label,
            directory,
            recovered,
        })
    }
}

/// What a log is built from.
struct Parts {
    directory: Arc<dyn Directory>,
    config: Config,
    environment: Environment,
    lock: Lock,
    label: String,
    sidecars: Sidecars,
    state: State,
    plan: Plan,
    applied: Applied,
}

/// The first segment of a log that recovery found fresh.
fn fresh(directory: &dyn Directory, base: u64) -> Result<PlannedSegment, StorageError> {
    let file = SegmentFile::Log { id: 0 };
    let name = file.to_string();
    let path = directory.path().join(&name);
    let header = directory
        .file(&name)
        .and_then(|file| Source::new(file, HEADER_BYTES, Access::default()))
        .and_then(|mut source| Header::read(&mut source))
        .map_err(StorageError::io(path, "read"))?;
    let header = header.map_err(|kind| kind.at(0, 0))?;
    debug_assert_eq!(header.base_offset, base);
    Ok(PlannedSegment {
        id: 0,
        file,
        version: header.version,
        base_offset: header.base_offset,
        next_offset: header.base_offset,
        file_bytes: HEADER_BYTES,
        valid_bytes: HEADER_BYTES,
    })
}

/// The index file of the active segment, and the entries in it.
fn index_of(
    directory: &dyn Directory,
    active: &PlannedSegment,
) -> Option<(Arc<dyn File>, Vec<IndexEntry>)> {
    let name = SegmentFile::Index { id: active.id }.to_string();
    let file = directory.edit(&name).ok()?;
    let len = file.stat().ok()?.len;
    let mut loaded = Entries::open(Arc::clone(&file), len, active.base_offset).ok()?;
    let mut entries = Vec::new();
    while let Some(entry) = loaded.next_entry().ok()? {
        entries.push(entry);
    }
    // They stay as long as the segment is appended to.
    entries.shrink_to_fit();
    Some((file, entries))
}

impl Shared {
    /// Lets go of the directory, so that another log can be opened on it.
    pub(super) fn unlock(&self) {
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
