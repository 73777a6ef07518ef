//! What an append hands back.

use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::error::CommitError;
use super::follow::Polled;
use super::group::Group;

/// Records that were appended, on their way to being durable.
///
/// [`wait`](Self::wait) for them in a thread, or await them as a future. Dropping the handle cancels nothing: the records
/// become durable all the same, by a flush in the background, and without anybody being told.
///
/// ```
/// use ondisk_engine::felix::log::{Config, Entry, FsyncMode, Log};
///
/// # let place = tempfile::tempdir()?;
/// # let path = place.path();
/// let config = Config {
///     fsync: FsyncMode::OnCommit,
///     ..Config::default()
/// };
/// let log = Log::open(path, config)?;
/// let first = log.append(&[Entry::new(b"a"), Entry::new(b"b")])?;
/// let second = log.append(&[Entry::new(b"c")])?;
/// assert_eq!((first.offsets(), second.first()), (0..2, 2));
/// // One flush covers both.
/// second.wait()?;
/// assert!(first.is_acknowledged());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Commit {
    offsets: Range<u64>,
    /// None when they are acknowledged as they are.
    pending: Option<Pending>,
}

/// Where to learn what becomes of them.
struct Pending {
    group: Arc<Group>,
    /// That in which they were appended: later, others may have their offsets.
    era: u64,
    /// While somebody polls.
    polled: Option<Polled>,
    /// What a poll has returned.
    settled: Option<Result<(), CommitError>>,
}

impl Commit {
    /// Records that are acknowledged ahead of their flush.
    pub(super) const fn acknowledged(offsets: Range<u64>) -> Self {
        Self {
            offsets,
            pending: None,
        }
    }

    /// Records that a flush must cover first.
    pub(super) fn pending(offsets: Range<u64>, group: Arc<Group>) -> Self {
        let pending = Pending {
            era: group.era(),
            group,
            polled: None,
            settled: None,
        };
        Self {
            offsets,
            pending: Some(pending),
        }
    }

    /// The offsets that the records were given.
    #[must_use]
    pub fn offsets(&self) -> Range<u64> {
        self.offsets.clone()
    }

    /// The first of them.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.offsets.start
    }

    /// Whether the records are acknowledged: durable, or in a log that acknowledges ahead of its flushes. Does not wait,
    /// and says no as well when they never will be.
    #[must_use]
    pub fn is_acknowledged(&self) -> bool {
        match &self.pending {
            None => true,
            Some(pending) => match pending.settled {
                Some(outcome) => outcome.is_ok(),
                None => pending.group.is_covered(self.offsets.end, pending.era),
            },
        }
    }

    /// Waits until the records are acknowledged. Where no flush runs, this thread runs it; otherwise it joins those that
    /// wait for the next, of which one runs it for all.
    ///
    /// # Errors
    /// [`CommitError`] when they will not be.
    pub fn wait(&self) -> Result<(), CommitError> {
        match &self.pending {
            None => Ok(()),
            Some(Pending {
                settled: Some(outcome),
                ..
            }) => *outcome,
            Some(pending) => pending.group.wait(self.offsets.end, pending.era),
        }
    }

    /// Waits until the records are acknowledged, for `time` at most; whether they are. A flush cannot be given up half-way,
    /// so it is the background that runs it: a little slower than [`wait`](Self::wait).
    ///
    /// # Errors
    /// [`CommitError`] when they will not be.
    pub fn wait_timeout(&self, time: Duration) -> Result<bool, CommitError> {
        match &self.pending {
            None => Ok(true),
            Some(Pending {
                settled: Some(outcome),
                ..
            }) => outcome.map(|()| true),
            Some(pending) => pending.group.wait_for(self.offsets.end, pending.era, time),
        }
    }
}

/// Ready when the records are acknowledged, or will not be. Polling never blocks on a disk: the background flushes.
impl Future for Commit {
    type Output = Result<(), CommitError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let Some(pending) = &mut this.pending else {
            return Poll::Ready(Ok(()));
        };
        if let Some(outcome) = pending.settled {
            return Poll::Ready(outcome);
        }
        let end = this.offsets.end;
        let poll = pending
            .group
            .poll(end, pending.era, &mut pending.polled, cx.waker());
        if let Poll::Ready(outcome) = poll {
            pending.settled = Some(outcome);
        }
        poll
    }
}

impl fmt::Debug for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commit")
            .field("offsets", &self.offsets)
            .field("acknowledged", &self.is_acknowledged())
            .finish_non_exhaustive()
    }
}

impl Drop for Commit {
    fn drop(&mut self) {
        if let Some(pending) = &mut self.pending
            && pending.settled.is_none()
        {
            let polled = pending.polled.take();
            pending.group.abandon(self.offsets.end, pending.era, polled);
        }
    }
}
