//! Finding a log that somebody else may be writing: what a recovery would leave of it, and how it ends.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use ondisk::felix::{EpochEntry, IndexEntry};

use crate::disk::{Directory, Stat};
use crate::felix::error::StorageError;
use crate::felix::log::config::Config;
use crate::felix::log::live::LiveSegment;
use crate::felix::log::published::Published;
use crate::felix::log::recovered::Recovered;
use crate::felix::opening::{self, Sidecars};
use crate::felix::recovery::Scans;
use crate::felix::segment::{self, Access, Source};
use crate::felix::shard::Shard;
use crate::felix::sidecar::accepted::Accepted;

/// What tells whether the end of the log is still the one that was seen.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) segment: Arc<LiveSegment>,
    pub(super) stat: Stat,
    /// Position, offset and checksum of its last record, if it has one.
    pub(super) record: Option<RecordAt>,
    /// Up to where the mark vouched for the log at the open.
    pub(super) durable: u64,
}

/// A log as a recovery would leave it.
pub(super) struct Found {
    pub(super) label: String,
    pub(super) segments: Vec<Arc<LiveSegment>>,
    pub(super) base: u64,
    pub(super) tail: u64,
    pub(super) epochs: Vec<EpochEntry>,
    pub(super) accepted: Accepted,
    pub(super) recovered: Recovered,
}

impl Found {
    /// Whether it is the log that is published.
    pub(super) fn is(&self, published: &Published) -> bool {
        let segments = published.segments();
        let ends = |of: &[Arc<LiveSegment>]| -> Vec<(u64, u64)> {
            of.iter()
                .map(|segment| (segment.id, segment.bytes()))
                .collect()
        };
        (self.base, self.tail) == (published.base(), published.tail())
            && ends(&self.segments) == ends(&segments)
    }
}

/// Plans the log in `directory` as it is now, and notes how it ends.
pub(super) fn find(
    directory: &Arc<dyn Directory>,
    config: &Config,
) -> Result<(Box<Found>, Last), StorageError> {
    let label = config.key.as_ref().map(ToString::to_string);
    let shard = Shard::look(Arc::clone(directory), label)?;
    let sidecars = Sidecars::load(&shard)?;
    let scans =
        Scans::new(&shard, Access::default()).collecting_newest_index(config.index_spacing_bytes);
    let opening = opening::open(&scans, &sidecars, config.kind, &config.recovery())?;
    if let Some(refusal) = opening.refusal {
        return Err(refusal.into_error(shard.label(), shard.path()));
    }
    let nothing = || StorageError::NotFound {
        what: format!("a log in {}", directory.path().display()),
    };
    let plan = opening.plan.ok_or_else(nothing)?;
    let log = plan.log.as_ref().filter(|log| !log.is_fresh());
    let log = log.ok_or_else(nothing)?;
    let segments: Vec<_> = log
        .segments
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
    let newest = log.segments.last().ok_or_else(nothing)?;
    let last = segments.last().map(Arc::clone).ok_or_else(nothing)?;
    let durable = match plan.mark.0 {
        Some(mark) if mark.segment == newest.id && mark.synced_bytes >= newest.valid_bytes => {
            log.tail
        }
        Some(mark) if mark.segment >= newest.id => newest.base_offset,
        _ => log.base,
    };
    let hint = scans
        .collected_index(newest.id, newest.valid_bytes)
        .and_then(|entries| entries.last().copied());
    let name = newest.file.to_string();
    let path = directory.path().join(&name);
    let (stat, record) =
        last_record(&**directory, &name, &last, hint).map_err(StorageError::io(path, "read"))?;
    let last = Last {
        segment: last,
        stat,
        record,
        durable,
    };
    let found = Found {
        label: shard.label().to_owned(),
        base: log.base,
        tail: log.tail,
        segments,
        epochs: opening.state.epochs,
        accepted: opening.state.accepted.unwrap_or_default(),
        recovered: Recovered {
            plan: plan.id(),
            reports: plan.reports.clone(),
            saved: Vec::new(),
            foreign: plan.foreign.clone(),
            producers: opening.state.producers.map(|rebuilt| rebuilt.snapshot),
            feature_behind: Vec::new(),
        },
    };
    Ok((Box::new(found), last))
}

/// A record by its position, offset and checksum.
pub(super) type RecordAt = (u64, u64, u32);

fn last_record(
    directory: &dyn Directory,
    name: &str,
    segment: &LiveSegment,
    hint: Option<IndexEntry>,
) -> io::Result<(Stat, Option<RecordAt>)> {
    let file = directory.file(name)?;
    let stat = Stat {
        len: segment.bytes(),
        ..file.stat()?
    };
    let mut source = Source::new(file, segment.bytes(), Access::default())?;
    let mut newest = None;
    let header = segment.header();
    // The plan has walked up to there already.
    let (position, offset) = hint.map_or((0, segment.base_offset), |entry| {
        (entry.position, entry.offset)
    });
    segment::resume(&mut source, header, position, offset, &mut |met| {
        newest = Some((met.position, met.record.offset(), met.record.checksum()));
        ControlFlow::Continue(())
    })?;
    Ok((stat, newest))
}
