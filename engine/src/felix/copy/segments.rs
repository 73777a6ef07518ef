//! Copying segments, and checking each record of the copy.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::name::{SegmentFile, Sidecar};

use super::CopySettings;
use super::error::CopyError;
use crate::disk::{self, Directory, File};
use crate::felix::error::StorageError;
use crate::felix::recovery::PlannedSegment;
use crate::felix::segment::index::Builder;
use crate::felix::segment::{self, Source};
use crate::felix::shard::{Moved, Shard};
use crate::felix::sidecar::mark::MarkFile;
use crate::felix::sidecar::store;

/// Why a copy ends early.
pub(super) enum Trouble {
    /// The original was cut or replaced meanwhile: to be tried again. With what it looked like, if it looked damaged.
    Moved(Option<CopyError>),
    /// It cannot be made.
    Failed(CopyError),
}

impl From<StorageError> for Trouble {
    fn from(error: StorageError) -> Self {
        Self::Failed(error.into())
    }
}

/// The segments of a copy so far.
pub(super) struct Segments<'a> {
    source: &'a Arc<dyn Directory>,
    target: &'a Arc<dyn Directory>,
    settings: &'a CopySettings<'a>,
    /// Names of the originals.
    taken: Vec<String>,
    /// Id and length of the newest.
    newest: Option<(u64, u64)>,
    /// One past the newest offset.
    pub(super) tail: u64,
    pub(super) bytes: u64,
    pub(super) shared: u64,
}

impl<'a> Segments<'a> {
    pub(super) fn new(
        source: &'a Arc<dyn Directory>,
        target: &'a Arc<dyn Directory>,
        settings: &'a CopySettings<'a>,
        base: u64,
    ) -> Self {
        Self {
            source,
            target,
            settings,
            taken: Vec::new(),
            newest: None,
            tail: base,
            bytes: 0,
            shared: 0,
        }
    }

    /// Copies a segment up to `end`, or to the last record that ends by then.
    pub(super) fn copy(&mut self, segment: &PlannedSegment, end: u64) -> Result<(), Trouble> {
        let name = segment.file.to_string();
        let file = match self.source.file(&name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Trouble::Moved(None));
            }
            opened => opened.map_err(self.reading(&name))?,
        };
        self.taken.push(name);
        let log = SegmentFile::Log { id: segment.id }.to_string();
        let copy = match self.write(&*file, &log, end) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(Trouble::Moved(None));
            }
            written => written.map_err(self.writing(&log))?,
        };
        let kept = self.check(segment, &copy, end)?;
        copy.set_len(kept)
            .and_then(|()| copy.sync_all())
            .map_err(self.writing(&log))?;
        self.newest = Some((segment.id, kept));
        self.bytes = self.bytes.saturating_add(kept);
        Ok(())
    }

    fn write(&mut self, from: &dyn File, log: &str, end: u64) -> io::Result<Arc<dyn File>> {
        let copy = self.target.create(log)?;
        copy.take_owner_of(from)?;
        if copy.clone_of(from)? {
            if copy.stat()?.len < end {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            copy.set_len(end)?;
            self.shared += 1;
        } else {
            disk::copy(from, 0..end, &*copy)?;
        }
        Ok(copy)
    }

    /// Reads the copy back, and writes its index. Returns where its last whole record ends.
    fn check(
        &mut self,
        segment: &PlannedSegment,
        copy: &Arc<dyn File>,
        end: u64,
    ) -> Result<u64, Trouble> {
        let log = SegmentFile::Log { id: segment.id }.to_string();
        let mut index = Builder::new(self.settings.index_spacing_bytes);
        let scan = Source::new(Arc::clone(copy), end, self.settings.access)
            .and_then(|mut source| {
                segment::full(&mut source, &mut |met| {
                    index.meet(met);
                    ControlFlow::Continue(())
                })
            })
            .map_err(self.writing(&log))?;
        let scan = match scan {
            Ok(scan) if scan.header.base_offset == self.tail => scan,
            // It was another one when it was planned.
            _ => return Err(Trouble::Moved(None)),
        };
        if let Some(failure) = &scan.failure {
            // Only where the copy ends ahead of the original may a record be cut off.
            if end >= segment.valid_bytes {
                let what = format!("byte {}: {}", failure.position, failure.kind);
                return Err(self.damaged(segment, &what));
            }
        }
        store::index(
            &**self.target,
            segment.id,
            segment.base_offset,
            &index.finish(),
        )
        .map_err(self.writing(&SegmentFile::Index { id: segment.id }.to_string()))?;
        self.tail = scan.next_offset;
        Ok(scan.valid_bytes)
    }

    /// Whether damage is none, but a moment of what somebody does there.
    pub(super) fn judge(&self, trouble: Trouble, shard: &Shard) -> Trouble {
        match trouble {
            Trouble::Failed(damaged @ CopyError::Damaged { .. }) => match self.stood_still(shard) {
                Ok(()) => Trouble::Failed(damaged),
                // Judged of files that are not what was listed.
                Err(_) => Trouble::Moved(None),
            },
            trouble => trouble,
        }
    }

    /// Whether all that was copied is of one moment: nothing was cut or replaced since it was listed. What retention takes
    /// at the front and what is appended at the end changes nothing of it.
    pub(super) fn stood_still(&self, shard: &Shard) -> Result<(), Trouble> {
        let mark = Sidecar::DurableMark.file_name();
        let mut gone = BTreeSet::new();
        for moved in shard.moved()? {
            match moved {
                Moved::Changed { name } if name == mark || self.taken.contains(&name) => {
                    return Err(Trouble::Moved(None));
                }
                Moved::Gone { name } => {
                    gone.insert(name);
                }
                Moved::Changed { .. } | Moved::Grew { .. } | Moved::New { .. } => {}
            }
        }
        let behind_the_front = self.taken.iter().skip_while(|name| gone.contains(*name));
        if behind_the_front.clone().any(|name| gone.contains(name)) {
            return Err(Trouble::Moved(None));
        }
        Ok(())
    }

    /// Lets the mark vouch for the copy, and makes it durable.
    pub(super) fn finish(&self) -> Result<(), StorageError> {
        let sync = || self.target.sync();
        sync().map_err(StorageError::io(self.target.path(), "sync"))?;
        let Some((id, bytes)) = self.newest else {
            return Ok(());
        };
        let mark = MarkFile::open(&**self.target);
        mark.write(id, bytes)
            .and_then(|()| mark.sync())
            .and_then(|()| sync())
            .map_err(self.writing(Sidecar::DurableMark.file_name()))
    }

    fn damaged(&self, segment: &PlannedSegment, what: &str) -> Trouble {
        Trouble::Failed(CopyError::Damaged {
            path: self.source.path().join(segment.file.to_string()),
            what: what.to_owned(),
        })
    }

    fn reading(&self, name: &str) -> impl FnOnce(io::Error) -> StorageError {
        StorageError::io(self.source.path().join(name), "read")
    }

    fn writing(&self, name: &str) -> impl FnOnce(io::Error) -> StorageError {
        StorageError::io(self.target.path().join(name), "write")
    }
}
