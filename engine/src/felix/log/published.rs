//! What readers see of a log, without ever waiting for a writer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::cuts::Cuts;
use super::live::LiveSegment;

/// The segments of a log and its bounds.
///
/// The order of changes is what makes a look at it consistent. An append raises the length of the active segment, then the
/// tail, so whoever sees a tail finds the bytes below it. A cut lowers the tail, puts the segments in place that hold what
/// is left, then notes the cut: whoever still walks the old segments meets only what was there, and learns of the cut
/// before an offset could mean another record.
#[derive(Debug)]
pub(super) struct Published {
    segments: RwLock<Arc<[Arc<LiveSegment>]>>,
    base: AtomicU64,
    tail: AtomicU64,
    /// Where the log was cut back.
    pub(super) cuts: Cuts,
}

impl Published {
    /// The segments, oldest first, the active one last; there is at least that.
    pub(super) fn new(segments: Vec<Arc<LiveSegment>>, base: u64, tail: u64) -> Self {
        Self {
            segments: RwLock::new(segments.into()),
            base: base.into(),
            tail: tail.into(),
            cuts: Cuts::default(),
        }
    }

    /// The segments as they are now.
    pub(super) fn segments(&self) -> Arc<[Arc<LiveSegment>]> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&segments)
    }

    /// The segment that is appended to.
    pub(super) fn active(&self) -> Arc<LiveSegment> {
        let segments = self.segments.read().unwrap_or_else(PoisonError::into_inner);
        // There is always one: every list that is put in place ends with the active segment.
        #[expect(clippy::expect_used, reason = "an invariant of this type")]
        let active = segments.last().expect("a log has an active segment");
        Arc::clone(active)
    }

    /// The oldest offset that can be read.
    pub(super) fn base(&self) -> u64 {
        self.base.load(Ordering::Acquire)
    }

    /// One past the newest offset.
    pub(super) fn tail(&self) -> u64 {
        self.tail.load(Ordering::Acquire)
    }

    /// After an append: `bytes` is the length of the active segment, which `tail` ends.
    pub(super) fn append(&self, active: &LiveSegment, bytes: u64, tail: u64) {
        active.publish(bytes);
        self.tail.store(tail, Ordering::Release);
    }

    /// After a roll or a retention pass: other segments, the same records from `base` on.
    pub(super) fn replace(&self, segments: Vec<Arc<LiveSegment>>, base: u64) {
        self.base.store(base, Ordering::Release);
        *self
            .segments
            .write()
            .unwrap_or_else(PoisonError::into_inner) = segments.into();
    }

    /// After a retention pass that could not remove the oldest segment: the records from `base` on are there as before. Who
    /// reads one of them finds its segment.
    pub(super) fn put_back(&self, segments: Vec<Arc<LiveSegment>>, base: u64) {
        *self
            .segments
            .write()
            .unwrap_or_else(PoisonError::into_inner) = segments.into();
        self.base.store(base, Ordering::Release);
    }

    /// Ahead of a cut: nobody begins to read at or above `to` any more.
    pub(super) fn lower_tail(&self, to: u64) {
        self.tail.store(to, Ordering::Release);
    }

    /// After a cut to `to`: what the log is now.
    pub(super) fn cut(&self, segments: Vec<Arc<LiveSegment>>, base: u64, tail: u64, to: u64) {
        self.replace(segments, base);
        self.tail.store(tail, Ordering::Release);
        self.cuts.note(to);
    }
}
