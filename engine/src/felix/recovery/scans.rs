//! Scans of the segments of one shard, each made once.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ondisk::felix::IndexEntry;
use ondisk::felix::name::SegmentFile;

use crate::felix::error::{CorruptionKind, StorageError};
use crate::felix::segment::index::{Builder, Check, Entries, Standing, Unusable};
use crate::felix::segment::{self, Access, Header, Scan, Source};
use crate::felix::shard::Shard;

/// What a full scan of a segment finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The pass over its records; the inner error is the header's.
    pub records: Result<Scan, CorruptionKind>,
    /// What its index turns out to be.
    pub index: Standing,
}

/// The segments of a shard, scanned as often as a plan needs and read once: their lengths are fixed, so what a scan finds
/// does not change. Shared by threads.
///
/// ```
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::mark::Mark;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::recovery::Scans;
/// use ondisk_engine::felix::segment::index::Standing;
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let scans = Scans::new(&shard, Access::default());
/// let scanned = scans.full(0)?;
/// assert_eq!(scanned.index, Standing::Right);
/// assert_eq!(scanned.records.as_ref().map(|scan| scan.next_offset), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scans<'a> {
    shard: &'a Shard,
    access: Access<'a>,
    done: Mutex<HashMap<u64, Arc<Scanned>>>,
    /// The newest segment, whose index is always written anew, with the spacing of that index and what it comes to.
    newest: Option<(u64, u64)>,
    newest_index: Mutex<Option<Vec<IndexEntry>>>,
}

impl<'a> Scans<'a> {
    /// Nothing is scanned yet.
    #[must_use]
    pub fn new(shard: &'a Shard, access: Access<'a>) -> Self {
        Self {
            shard,
            access,
            done: Mutex::default(),
            newest: None,
            newest_index: Mutex::default(),
        }
    }

    /// Collects the index of the newest segment while that is scanned, so that whoever applies a plan need not scan it
    /// again. `spacing` is in record bytes.
    #[must_use]
    pub fn collecting_newest_index(mut self, spacing: u64) -> Self {
        let newest = self.shard.segments().next_back();
        self.newest = newest.map(|segment| (segment.id, spacing));
        self
    }

    /// The index entries of a segment below `end`, if they were collected.
    #[must_use]
    pub fn collected_index(&self, id: u64, end: u64) -> Option<Vec<IndexEntry>> {
        let (newest, _) = self.newest?;
        let index = self
            .newest_index
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let entries = index.as_ref().filter(|_| newest == id)?;
        let below = entries.partition_point(|entry| entry.position < end);
        Some(entries[..below].to_vec())
    }

    /// The shard.
    #[must_use]
    pub fn shard(&self) -> &'a Shard {
        self.shard
    }

    /// How files are read.
    #[must_use]
    pub fn access(&self) -> Access<'a> {
        self.access
    }

    /// A full scan of a segment.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn full(&self, id: u64) -> Result<Arc<Scanned>, StorageError> {
        if let Some(scanned) = self.known(id) {
            return Ok(scanned);
        }
        let mut source = self.shard.open(SegmentFile::Log { id }, self.access)?;
        let scanned = Arc::new(self.scan(id, &mut source).map_err(self.reading(id))?);
        self.done
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, Arc::clone(&scanned));
        Ok(scanned)
    }

    /// The scan of a segment, if it was made already.
    #[must_use]
    pub fn known(&self, id: u64) -> Option<Arc<Scanned>> {
        self.done
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&id)
            .cloned()
    }

    /// Scans these segments in full, on as many threads as the access allows. What cannot be read is left to whoever
    /// asks for it.
    pub fn warm(&self, ids: &[u64]) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(&id) = ids.get(next.fetch_add(1, Ordering::Relaxed)) {
                let _left_to_whoever_asks = self.full(id);
            }
        };
        let jobs = self.access.jobs.get().min(ids.len());
        thread::scope(|scope| {
            for _ in 1..jobs {
                // A thread that cannot be had leaves its work to the others.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }

    /// Opens a segment for a look that does not count as progress.
    ///
    /// # Errors
    /// Those of [`Shard::open`].
    pub fn open(&self, id: u64) -> Result<Source<'a>, StorageError> {
        self.glance(SegmentFile::Log { id })
    }

    /// The same, under whatever name the segment has now.
    pub(super) fn glance(&self, file: SegmentFile) -> Result<Source<'a>, StorageError> {
        let access = Access {
            progress: None,
            ..self.access
        };
        self.shard.open(file, access)
    }

    /// Says that a segment of `bytes` is done with.
    pub(super) fn settled(&self, bytes: u64) {
        if let Some(progress) = self.access.progress {
            progress(bytes);
        }
    }

    /// The entries of a segment's index.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn index(&self, id: u64, base_offset: u64) -> Result<Entries, Unusable> {
        let (file, len) = self.shard.open_index(id).ok_or(Unusable::Absent)?;
        Entries::open(file, len, base_offset)
    }

    /// What a failed read of a segment is.
    pub fn reading(&self, id: u64) -> impl FnOnce(io::Error) -> StorageError {
        StorageError::io(
            self.shard.path().join(SegmentFile::Log { id }.to_string()),
            "read",
        )
    }

    fn scan(&self, id: u64, source: &mut Source<'_>) -> io::Result<Scanned> {
        let header = match Header::read(source)? {
            Ok(header) => header,
            Err(kind) => {
                return Ok(Scanned {
                    records: Err(kind),
                    index: Standing::Unusable(Unusable::Absent),
                });
            }
        };
        let mut check = Check::new(self.index(id, header.base_offset));
        let spacing = self.newest.filter(|&(newest, _)| newest == id);
        let mut index = spacing.map(|(_, spacing)| Builder::new(spacing));
        let records = segment::full(source, &mut |met| {
            check.meet(met);
            if let Some(index) = &mut index {
                index.meet(met);
            }
            ControlFlow::Continue(())
        })?;
        if let Some(index) = index {
            *self
                .newest_index
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = Some(index.finish());
        }
        let failure = records.as_ref().ok().and_then(|scan| scan.failure);
        Ok(Scanned {
            records,
            index: check.finish(failure.map(|failure| failure.position)),
        })
    }
}
