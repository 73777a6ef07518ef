//! Copying one shard.

use std::sync::Arc;

use super::error::CopyError;
use super::segments::{Segments, Trouble};
use super::sidecars;
use super::target::{self, Target};
use super::{CopySettings, Extent};
use crate::disk::Directory;
use crate::felix::error::StorageError;
use crate::felix::mark::Mark;
use crate::felix::opening::{self, LogKind, Sidecars};
use crate::felix::recovery::{Plan, PlannedSegment, Report, Scans, Settings};
use crate::felix::segment::{Access, HEADER_BYTES, Mode};
use crate::felix::shard::{Moved, Shard, is_moved};

/// A shard that was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedShard {
    /// Its path below the data directory that it was copied with; empty by itself.
    pub path: String,
    /// The oldest offset.
    pub base: u64,
    /// One past the newest offset.
    pub tail: u64,
    /// Number of segments.
    pub segments: u64,
    /// Bytes of them all.
    pub bytes: u64,
    /// Segments among them that share blocks with the original.
    pub shared: u64,
    /// Records of the original that are not flushed and were left.
    pub left: u64,
}

/// Tries that are made with a shard that is cut or replaced while it is copied.
const TRIES: u32 = 5;

/// Copies a shard into an empty directory, and leaves nothing there when it fails.
///
/// A shard that somebody writes is copied as it is at one moment. What an open would take out of it without a loss is not
/// in the copy; a shard that may have lost what it acknowledged is not copied, since the copy would no longer tell.
///
/// # Errors
/// Those of [`copy_to`](super::copy_to).
pub fn copy_shard(
    source: &Arc<dyn Directory>,
    target: &Arc<dyn Directory>,
    settings: &CopySettings<'_>,
) -> Result<CopiedShard, CopyError> {
    let taken = Target::take(target)?;
    let copied = into(source, target, settings)?;
    taken.finish();
    Ok(copied)
}

/// The same into a directory that is taken already.
pub(super) fn into(
    source: &Arc<dyn Directory>,
    target: &Arc<dyn Directory>,
    settings: &CopySettings<'_>,
) -> Result<CopiedShard, CopyError> {
    let mut tries = 1;
    loop {
        let trouble = match once(source, target, settings) {
            Ok(copied) => return Ok(copied),
            Err(trouble) => trouble,
        };
        target::clear(target).map_err(StorageError::io(target.path(), "empty"))?;
        match trouble {
            Trouble::Moved(_) if tries < TRIES => tries += 1,
            Trouble::Moved(Some(damaged)) => return Err(damaged),
            Trouble::Moved(None) => {
                let busy = std::io::Error::other("it is cut or replaced again and again");
                return Err(StorageError::io(source.path(), "copy")(busy).into());
            }
            Trouble::Failed(error) => return Err(error),
        }
    }
}

fn once(
    source: &Arc<dyn Directory>,
    target: &Arc<dyn Directory>,
    settings: &CopySettings<'_>,
) -> Result<CopiedShard, Trouble> {
    let shard = Shard::look(Arc::clone(source), None)?;
    let sidecars = Sidecars::load(&shard)?;
    sidecars::are_read(&sidecars, source)?;
    let access = Access {
        mode: Mode::WindowedOnce,
        ..Access::default()
    };
    let scans = Scans::new(&shard, access);
    let plan = match planned(&scans, &sidecars) {
        // Somebody writes there; damage of a moment is none. What only grew may be damaged all the same.
        Err(Trouble::Failed(damaged @ CopyError::Damaged { .. })) => {
            let moved = shard.moved()?;
            let grew = |moved: &Moved| matches!(moved, Moved::Grew { .. });
            return Err(match moved.is_empty() {
                true => Trouble::Failed(damaged),
                false => Trouble::Moved(moved.iter().all(grew).then_some(damaged)),
            });
        }
        planned => planned?,
    };
    let (base, tail, planned) = match &plan.log {
        Some(log) => (log.base, log.tail, log.segments.as_slice()),
        None => (0, 0, &[][..]),
    };
    let ends = ends(planned, plan.mark, settings.extent);
    let mut segments = Segments::new(source, target, settings, base);
    for &(segment, end) in &ends {
        let copied = segments.copy(segment, end);
        copied.map_err(|trouble| segments.judge(trouble, &shard))?;
    }
    segments.stood_still(&shard)?;
    let copied = CopiedShard {
        path: String::new(),
        base,
        tail: segments.tail,
        segments: ends.len() as u64,
        bytes: segments.bytes,
        shared: segments.shared,
        left: tail.saturating_sub(segments.tail),
    };
    sidecars::store(&sidecars, target, base, copied.tail)?;
    segments.finish()?;
    Ok(copied)
}

/// What an open would leave of the original, if it opens and has lost nothing.
fn planned(scans: &Scans<'_>, sidecars: &Sidecars) -> Result<Plan, Trouble> {
    let shard = scans.shard();
    let damaged = |what: String| {
        Trouble::Failed(CopyError::Damaged {
            path: shard.path().to_owned(),
            what,
        })
    };
    // What the records are does not matter to their copy.
    let opening = opening::open(scans, sidecars, LogKind::Stream, &Settings::default());
    let opening = match opening {
        Err(error) if is_moved(&error) => return Err(Trouble::Moved(None)),
        opening => opening?,
    };
    match (opening.refusal, opening.plan) {
        (None, Some(plan)) => {
            let mut reports = plan.reports.iter();
            match reports.find(|report| Report::may_have_lost_acknowledged(report)) {
                Some(report) => Err(damaged(report.to_string())),
                None => Ok(plan),
            }
        }
        (Some(refusal), _) => Err(damaged(refusal.to_string())),
        (None, None) => Err(damaged("there is no plan for it".to_owned())),
    }
}

/// The segments that are copied, each with where it ends: up to the first of which not all is known to be flushed.
fn ends(planned: &[PlannedSegment], mark: Mark, extent: Extent) -> Vec<(&PlannedSegment, u64)> {
    let mut ends: Vec<(&PlannedSegment, u64)> = Vec::with_capacity(planned.len());
    for segment in planned {
        let flushed = match (mark.0, extent) {
            (None, _) | (_, Extent::Tail) => u64::MAX,
            (Some(_), Extent::Durable) => mark.synced_through(segment.id),
        };
        // A log has a segment, if only an empty one.
        if flushed < HEADER_BYTES && !ends.is_empty() {
            break;
        }
        ends.push((segment, segment.valid_bytes.min(flushed.max(HEADER_BYTES))));
        if flushed < segment.valid_bytes {
            break;
        }
    }
    ends
}
