//! Doing what a plan says.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::SegmentHeader;
use ondisk::felix::name::{SegmentFile, Sidecar};

use super::{Plan, Scans, Step, write_again};
use crate::disk::{self, Directory, EntryKind, File, Replace};
use crate::felix::error::StorageError;
use crate::felix::segment::index::Builder;
use crate::felix::segment::{self, Access, Header, Source};
use crate::felix::sidecar::store;
use crate::map;

/// What was done of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Files that keep what was cut off.
    pub saved: Vec<SegmentFile>,
    /// Segments whose index could not be written; it is derived, so they do without.
    pub without_index: Vec<u64>,
}

/// Looks again before each step; an error keeps that step and all behind it from being done.
pub type Guard<'g> = &'g mut dyn FnMut(&Step) -> Result<(), StorageError>;

/// Does the steps of a plan in their order, each durably before the next. A crash in between leaves a directory whose own
/// plan does the rest.
///
/// `now_micros` is the creation time of a segment that is created. `scans` are those that the plan was made over; an index
/// that they collected is not scanned for again.
///
/// # Errors
/// Those of `guard`, and [`StorageError::Io`] when the disk does not do a step, or when a segment that it takes away from
/// has another length than the plan knows. Nothing behind that step is done: without room for what is to be saved nothing
/// is cut.
pub fn apply(
    plan: &Plan,
    directory: &Arc<dyn Directory>,
    now_micros: u64,
    scans: Option<&Scans<'_>>,
    guard: Guard<'_>,
) -> Result<Applied, StorageError> {
    let mut doing = Doing {
        plan,
        directory: &**directory,
        now_micros,
        scans,
        lengths: plan.listed.iter().copied().collect(),
        pattern: plan
            .listed
            .iter()
            .find_map(|(file, _)| directory.file(&file.to_string()).ok()),
    };
    let mut applied = Applied::default();
    for step in &plan.steps {
        guard(step)?;
        doing.step(step, &mut applied)?;
    }
    Ok(applied)
}

struct Doing<'a> {
    plan: &'a Plan,
    directory: &'a dyn Directory,
    now_micros: u64,
    scans: Option<&'a Scans<'a>>,
    /// What the segments are long after the steps done so far.
    lengths: BTreeMap<SegmentFile, u64>,
    /// A file whose owner a new segment takes, also when that file is gone by then.
    pattern: Option<Arc<dyn File>>,
}

impl Doing<'_> {
    fn step(&mut self, step: &Step, applied: &mut Applied) -> Result<(), StorageError> {
        let directory = self.directory;
        match *step {
            Step::Save {
                segment,
                from,
                bytes,
                to,
            } => {
                let save = || self.save(segment, from, bytes, to);
                save().map_err(self.failed(to, "save to"))?;
                applied.saved.push(to);
            }
            Step::Cut { segment, position } => {
                let file = SegmentFile::Log { id: segment };
                let cut = || {
                    let edited = directory.edit(&file.to_string())?;
                    self.planned_length(file, edited.stat()?.len)?;
                    // A record that was kept of an earlier log on this directory may still show these pages.
                    if !self.may_be_cut_in_place(segment, position) || map::is_mapped(&*edited)? {
                        store::replace_by_prefix(directory, &*edited, segment, position)?;
                        return Ok(());
                    }
                    edited.set_len(position)?;
                    edited.sync_data()
                };
                cut().map_err(self.failed(file, "cut"))?;
                self.lengths.insert(file, position);
            }
            Step::Unlink { file } => {
                let unlink = || {
                    self.look_again(file)?;
                    remove(directory, &file.to_string())
                };
                unlink().map_err(self.failed(file, "remove"))?;
            }
            Step::Rename { from, to } => {
                let rename = || {
                    self.look_again(from)?;
                    let (old, new) = (from.to_string(), to.to_string());
                    directory.rename(&old, directory, &new, Replace::No)
                };
                rename().map_err(self.failed(from, "rename"))?;
                if matches!(to, SegmentFile::Cut { .. }) {
                    applied.saved.push(to);
                }
            }
            Step::RemoveMark => {
                let name = Sidecar::DurableMark.file_name();
                let path = directory.path().join(name);
                remove(directory, name).map_err(StorageError::io(path, "remove"))?;
            }
            Step::SyncDirectory => {
                let path = directory.path();
                directory.sync().map_err(StorageError::io(path, "sync"))?;
            }
            Step::WriteIndex { segment } => {
                self.settle_sealed(segment)
                    .map_err(self.failed(SegmentFile::Log { id: segment }, "sync"))?;
                if self.write_index(segment).is_err() {
                    let name = SegmentFile::Index { id: segment }.to_string();
                    let _derived = remove(directory, &name);
                    applied.without_index.push(segment);
                }
            }
            Step::Create {
                segment,
                base_offset,
            } => {
                let file = SegmentFile::Log { id: segment };
                let indexed = self
                    .create(segment, base_offset)
                    .map_err(self.failed(file, "create"))?;
                if !indexed {
                    applied.without_index.push(segment);
                }
            }
        }
        Ok(())
    }

    fn failed(
        &self,
        file: SegmentFile,
        operation: &'static str,
    ) -> impl FnOnce(io::Error) -> StorageError {
        StorageError::io(self.directory.path().join(file.to_string()), operation)
    }

    /// Whether a crash in the middle of the cut leaves what the next plan cuts as well. The old length may be found then,
    /// with zeros behind the cut, and only a mark that ends ahead of them proves them unflushed (Felix 7.3, rule 2).
    fn may_be_cut_in_place(&self, segment: u64, position: u64) -> bool {
        let unsynced_from = self.plan.mark.unsynced_from(segment);
        self.plan.settings.provable.past_durable_mark
            && unsynced_from.is_some_and(|from| from <= position)
    }

    /// The index of a sealed segment says of all before its last entry that it needs no look. So what no mark vouches for
    /// gets to the device first: a crash in between must not leave the index without its records.
    fn settle_sealed(&self, segment: u64) -> io::Result<()> {
        let segments = self.plan.log.iter().flat_map(|log| &log.segments);
        let mut segments = segments.skip_while(|planned| planned.id != segment);
        let (Some(sealed), Some(_active)) = (segments.next(), segments.next()) else {
            return Ok(());
        };
        let from = self.plan.mark.synced_through(segment);
        if from >= sealed.valid_bytes {
            return Ok(());
        }
        let name = SegmentFile::Log { id: segment }.to_string();
        write_again(&*self.directory.edit(&name)?, from, sealed.valid_bytes)
    }

    /// Refuses to take bytes away that the plan does not know, as of a log that another process writes.
    fn planned_length(&self, file: SegmentFile, len: u64) -> io::Result<()> {
        match self.lengths.get(&file) {
            Some(&planned) if planned != len => Err(io::Error::other(format!(
                "it has {len} bytes, and {planned} when the plan was made"
            ))),
            _ => Ok(()),
        }
    }

    fn look_again(&self, file: SegmentFile) -> io::Result<()> {
        if !self.lengths.contains_key(&file) {
            return Ok(());
        }
        match self.directory.stat(&file.to_string())? {
            (EntryKind::File, stat) => self.planned_length(file, stat.len),
            _ => Err(io::Error::other("no regular file any more")),
        }
    }

    /// The end of a segment in a file of its own, before it is cut off.
    fn save(&self, segment: u64, from: u64, bytes: u64, to: SegmentFile) -> io::Result<()> {
        let name = SegmentFile::Log { id: segment }.to_string();
        let source = self.directory.file(&name)?;
        self.planned_length(SegmentFile::Log { id: segment }, source.stat()?.len)?;
        let name = to.to_string();
        let file = self.directory.create(&name)?;
        let copied = file
            .take_owner_of(&*source)
            .and_then(|()| disk::copy(&*source, from..from.saturating_add(bytes), &*file))
            .and_then(|()| file.sync_all());
        if copied.is_err() {
            // Half a copy is worth nothing while the original is there.
            let _left = self.directory.unlink(&name);
        }
        copied?;
        self.directory.sync()
    }

    /// Scans the segment as the plan leaves it. The entries are no part of the plan, so that a directory which lost all
    /// its indexes needs no memory in proportion to its size.
    fn write_index(&self, id: u64) -> io::Result<()> {
        let planned = self
            .plan
            .log
            .iter()
            .flat_map(|log| &log.segments)
            .find(|segment| segment.id == id);
        let planned = planned.ok_or(io::ErrorKind::NotFound)?;
        let collected = self
            .scans
            .and_then(|scans| scans.collected_index(id, planned.valid_bytes));
        if let Some(entries) = collected {
            return store::index(self.directory, id, planned.base_offset, &entries);
        }
        let name = SegmentFile::Log { id }.to_string();
        let file = self.directory.file(&name)?;
        let mut source = Source::new(file, planned.valid_bytes, Access::default())?;
        let header = Header {
            version: planned.version,
            base_offset: planned.base_offset,
            created_at_micros: 0,
        };
        let mut index = Builder::new(self.plan.settings.index_spacing_bytes);
        let scan = segment::resume(&mut source, header, 0, planned.base_offset, &mut |met| {
            index.meet(met);
            ControlFlow::Continue(())
        })?;
        if scan.failure.is_some() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        store::index(self.directory, id, planned.base_offset, &index.finish())
    }

    /// The first segment of a fresh log (Felix 8.3). Whether its index could be created: it is derived, a log does
    /// without.
    fn create(&self, id: u64, base_offset: u64) -> io::Result<bool> {
        let directory = self.directory;
        let file = directory.create(&SegmentFile::Log { id }.to_string())?;
        if let Some(pattern) = &self.pattern {
            file.take_owner_of(&**pattern)?;
        }
        directory.sync()?;
        let header = SegmentHeader {
            base_offset,
            created_at_micros: self.now_micros,
        };
        disk::write_all_at(&*file, &store::encoded(&header)?, 0)?;
        let indexed = store::index(directory, id, base_offset, &[]).is_ok();
        file.sync_data()?;
        Ok(indexed)
    }
}

/// Unlinks a name; one that is free is fine.
fn remove(directory: &dyn Directory, name: &str) -> io::Result<()> {
    match directory.unlink(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
