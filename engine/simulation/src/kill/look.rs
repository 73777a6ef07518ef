//! What lies in a shard directory, read without changing it: what the next open will find.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use ondisk::felix::{EpochEntry, ProducerTag, RecordKind, RecordView};
use ondisk_engine::disk::Directory;
use ondisk_engine::disk::real::RealDirectory;
use ondisk_engine::felix::error::StorageError;
use ondisk_engine::felix::log::Mark;
use ondisk_engine::felix::opening::{self, LogKind, Opening, Sidecars};
use ondisk_engine::felix::reader::Reader;
use ondisk_engine::felix::recovery::{Report, Scans, Settings};
use ondisk_engine::felix::segment::Access;
use ondisk_engine::felix::shard::Shard;
use ondisk_engine::felix::sidecar::accepted::Accepted;

/// A shard as it was found.
#[derive(Debug)]
pub struct Look {
    /// What an open makes of it.
    pub opening: Opening,
    /// Its records, in order; none when the open is refused.
    pub records: Vec<Found>,
}

/// A record as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its offset.
    pub offset: u64,
    /// What it is for.
    pub mark: Mark,
    /// Its payload.
    pub payload: Vec<u8>,
}

impl Found {
    fn of(record: RecordView<'_>) -> Self {
        let mark = match (record.kind(), record.tag()) {
            (RecordKind::Opens, Some(tag)) => Mark::Opens(ProducerTag {
                producer_id: tag.producer_id(),
                sequence: tag.sequence(),
                len: tag.len(),
            }),
            (RecordKind::Continues, _) => Mark::Continues,
            (RecordKind::GenerationStart, _) => Mark::GenerationStart,
            _ => Mark::Ordinary,
        };
        Self {
            offset: record.offset(),
            mark,
            payload: record.payload().to_vec(),
        }
    }
}

impl Look {
    /// Looks at the directory at `path`; none when it is not there.
    ///
    /// # Errors
    /// What keeps it from being read.
    pub fn at(path: &Path) -> Result<Option<Self>, String> {
        if !path.try_exists().map_err(|error| error.to_string())? {
            return Ok(None);
        }
        let directory = RealDirectory::open(path).map_err(|error| error.to_string())?;
        Self::of(&directory)
            .map(Some)
            .map_err(|error| format!("it cannot be looked at: {error}"))
    }

    /// Looks at a directory.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn of(directory: &Arc<dyn Directory>) -> Result<Self, StorageError> {
        let shard = Shard::look(Arc::clone(directory), None)?;
        let sidecars = Sidecars::load(&shard)?;
        let scans = Scans::new(&shard, Access::default());
        let settings = Settings {
            verify_all_on_open: true,
            ..Settings::default()
        };
        let opening = opening::open(&scans, &sidecars, LogKind::Stream, &settings)?;
        let mut records = Vec::new();
        if let Some(log) = opening.plan.as_ref().and_then(|plan| plan.log.as_ref()) {
            let reader = Reader::new(&scans, log);
            let read = reader.read(log.base, &mut |_, met| {
                records.push(Found::of(met.record));
                ControlFlow::Continue(())
            })?;
            read?;
        }
        Ok(Self { opening, records })
    }

    /// Base and tail.
    #[must_use]
    pub fn bounds(&self) -> (u64, u64) {
        let plan = self.opening.plan.as_ref();
        let log = plan.and_then(|plan| plan.log.as_ref());
        log.map_or((0, 0), |log| (log.base, log.tail))
    }

    /// Bytes of all segments.
    #[must_use]
    pub fn segment_bytes(&self) -> u64 {
        let plan = self.opening.plan.as_ref();
        plan.map_or(0, |plan| plan.listed.iter().map(|&(_, bytes)| bytes).sum())
    }

    /// What is reported of it, besides an index that is right.
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        let reports = self.opening.reports().iter();
        reports.filter(|report| report.is_damage())
    }

    /// Where each generation begins.
    #[must_use]
    pub fn epochs(&self) -> &[EpochEntry] {
        &self.opening.state.epochs
    }

    /// Which leader is accepted, and the commit.
    #[must_use]
    pub fn accepted(&self) -> Accepted {
        self.opening.state.accepted.clone().unwrap_or_default()
    }
}
