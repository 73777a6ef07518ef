//! Reading a log as a plan leaves it, before anything of the plan is done (Felix 9).

use std::ops::ControlFlow;

use ondisk::felix::IndexEntry;

use super::error::{Corruption, StorageError};
use super::recovery::{PlannedLog, PlannedSegment, Scans};
use super::segment::index::Builder;
use super::segment::{self, Access, Header, Kinds, Met, Source};

/// Reads the segments that a plan leaves, each up to the length that it leaves of it.
///
/// ```
/// use std::ops::ControlFlow;
///
/// # use ondisk_engine::disk::real::RealDirectory;
/// # use ondisk_engine::felix::mark::Mark;
/// # use ondisk_engine::felix::segment::Access;
/// # use ondisk_engine::felix::shard::Shard;
/// use ondisk_engine::felix::reader::Reader;
/// use ondisk_engine::felix::recovery::{Scans, Settings, plan};
///
/// # use ondisk_engine::felix::log::{Config, Entry, Log};
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("shard");
/// # let log = Log::open(&path, Config::default())?;
/// # log.append(&[Entry::new(b"one"), Entry::new(b"two")])?;
/// # log.close()?;
/// # let segment = path.join("00000000000000000000.log");
/// # let mut segment = std::fs::File::options().append(true).open(segment)?;
/// # std::io::Write::write_all(&mut segment, b"torn")?;
/// let shard = Shard::look(RealDirectory::open(&path)?, None)?;
/// let scans = Scans::new(&shard, Access::default());
/// let plan = plan(&scans, Mark(None), &[], &Settings::default())?;
/// let log = plan.log.expect("it opens");
/// let mut payloads = Vec::new();
/// Reader::new(&scans, &log).read(1, &mut |_segment, met| {
///     payloads.push(met.record.payload().to_vec());
///     ControlFlow::Continue(())
/// })??;
/// assert_eq!(payloads, [b"two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    scans: &'a Scans<'a>,
    log: &'a PlannedLog,
}

/// What is done with each record: the segment that it is in, and the record. The read ends after one that breaks.
pub type VisitLog<'v> = &'v mut dyn FnMut(&PlannedSegment, &Met<'_>) -> ControlFlow<()>;

impl<'a> Reader<'a> {
    /// A reader of `log`, which was planned over `scans`.
    #[must_use]
    pub fn new(scans: &'a Scans<'a>, log: &'a PlannedLog) -> Self {
        Self { scans, log }
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> &'a PlannedLog {
        self.log
    }

    /// The scans that were made already.
    #[must_use]
    pub fn scans(&self) -> &'a Scans<'a> {
        self.scans
    }

    /// Reads from offset `from` on, all records in order, generation starts too. A start at or past the tail is an empty
    /// read. The inner error is what cannot be decoded, with its site; what came before it was handed out.
    ///
    /// # Errors
    /// [`StorageError::Trimmed`] for a start below the base, [`StorageError::Io`] when a segment cannot be read.
    pub fn read(
        &self,
        from: u64,
        visit: VisitLog<'_>,
    ) -> Result<Result<(), Corruption>, StorageError> {
        if from < self.log.base {
            return Err(StorageError::Trimmed {
                requested: from,
                oldest: self.log.base,
            });
        }
        let first = self
            .log
            .segments
            .partition_point(|segment| segment.next_offset <= from);
        for segment in &self.log.segments[first..] {
            match self.read_segment(segment, from, visit)? {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(corruption) => return Ok(Err(corruption)),
            }
        }
        Ok(Ok(()))
    }

    /// Reads the records of one segment of the log from offset `from` on.
    ///
    /// # Errors
    /// [`StorageError::Io`]; the inner error is what cannot be decoded.
    pub fn read_segment(
        &self,
        segment: &PlannedSegment,
        from: u64,
        visit: VisitLog<'_>,
    ) -> Result<Result<ControlFlow<()>, Corruption>, StorageError> {
        let reading = || self.scans.reading(segment.id);
        let corrupt = |kind: super::error::CorruptionKind, position| {
            Ok(Err(kind
                .at(segment.id, position)
                .in_shard(self.scans.shard().label())))
        };
        let mut source = self.source(segment, self.scans.access())?;
        let header = match Header::read(&mut source).map_err(reading())? {
            Ok(header) => header,
            Err(kind) => return corrupt(kind, 0),
        };
        let start = if from <= segment.base_offset {
            segment::HEADER_BYTES
        } else {
            let entries = self.scans.index(segment.id, segment.base_offset).ok();
            let hint =
                entries.and_then(|entries| entries.last_until(from, segment.valid_bytes).ok()?);
            match segment::seek(&mut source, header, hint, from).map_err(reading())? {
                Ok(position) => position,
                Err(failure) => return corrupt(failure.kind, failure.position),
            }
        };
        let mut flow = ControlFlow::Continue(());
        let mut visit = |met: &Met<'_>| {
            flow = visit(segment, met);
            flow
        };
        let offset = from.max(segment.base_offset);
        let scan =
            segment::resume(&mut source, header, start, offset, &mut visit).map_err(reading())?;
        match scan.failure {
            Some(failure) => corrupt(failure.kind, failure.position),
            None => Ok(Ok(flow)),
        }
    }

    /// Hands out the bytes of a segment up to its planned length, piece by piece.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn bytes(
        &self,
        segment: &PlannedSegment,
        sink: &mut dyn FnMut(&[u8]),
    ) -> Result<(), StorageError> {
        let mut source = self.source(
            segment,
            Access {
                progress: None,
                ..self.scans.access()
            },
        )?;
        let mut position = 0;
        while position < source.len() {
            let bytes = source
                .at(position, 1)
                .map_err(self.scans.reading(segment.id))?;
            sink(bytes);
            position += bytes.len() as u64;
        }
        Ok(())
    }

    /// Reads all of the log: what it holds, and the index that a full scan makes of each segment.
    ///
    /// # Errors
    /// [`StorageError::Io`]; the inner error is what cannot be decoded.
    pub fn survey(
        &self,
        index_spacing_bytes: u64,
        visit: &mut dyn FnMut(&PlannedSegment, &Met<'_>),
    ) -> Result<Result<Survey, Corruption>, StorageError> {
        let mut survey = Survey::default();
        for segment in &self.log.segments {
            let mut index = Builder::new(index_spacing_bytes);
            let mut each = |segment: &PlannedSegment, met: &Met<'_>| {
                index.meet(met);
                survey.kinds.count(met.record.kind());
                visit(segment, met);
                ControlFlow::Continue(())
            };
            if let Err(corruption) = self.read_segment(segment, segment.base_offset, &mut each)? {
                return Ok(Err(corruption));
            }
            survey.indexes.push((segment.id, index.finish()));
        }
        Ok(Ok(survey))
    }

    fn source(
        &self,
        segment: &PlannedSegment,
        access: Access<'a>,
    ) -> Result<Source<'a>, StorageError> {
        let mut source = self.scans.shard().open(segment.file, access)?;
        source.end_at(segment.valid_bytes);
        Ok(source)
    }
}

/// What a log holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Its records by kind.
    pub kinds: Kinds,
    /// The index of each segment by its id, as a full scan builds it.
    pub indexes: Vec<(u64, Vec<IndexEntry>)>,
}
