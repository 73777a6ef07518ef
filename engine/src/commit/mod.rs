//! Group commit: one flush makes the records of all who wait durable (Felix 8.5).
//!
//! The one who holds the flush lock notes the tail, syncs, and publishes what the sync covered as the durable bound. Whoever
//! waits for records checks the bound first; if no flush runs, the waiting thread runs one itself, so that a single writer
//! syncs in a loop without ever changing threads. If one runs, the thread parks. When the flush returns, those that it covered
//! are woken, each by itself, and the flush lock is handed to exactly one of the others, whose flush covers them all.
//!
//! Futures and waits with a time limit never flush: the [background](crate::background) does it for them, and also for
//! handles that were dropped before their records were durable.
//!
//! A failed sync ends it all: nothing becomes durable any more, whatever a later sync says, because that says nothing about
//! the pages that the failed one lost. After a cut an offset may be given to another record, so every handle knows the era
//! that it was made in.

mod eras;
mod error;
mod flush;
mod follow;
mod group;
mod handle;
mod held;
mod queue;
mod state;
mod waiter;

pub use error::CommitError;
pub use flush::Flush;
pub use handle::Commit;
pub use held::Held as Exclusive;

use std::ops::Range;
use std::sync::{Arc, Weak};

use crate::background::Background;
use group::Group;

/// The durable bound of one log, and those who wait for it.
///
/// ```
/// use std::io;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use ondisk_engine::background::Background;
/// use ondisk_engine::commit::{Flush, GroupCommit};
///
/// /// A log that is nothing but its tail.
/// #[derive(Default)]
/// struct Tail(AtomicU64);
///
/// impl Flush for Tail {
///     fn flush(&self) -> io::Result<u64> {
///         let tail = self.0.load(Ordering::Acquire);
///         // Here a log syncs its files.
///         Ok(tail)
///     }
/// }
///
/// let log = Arc::new(Tail::default());
/// let flush: Arc<dyn Flush> = log.clone();
/// let commits = GroupCommit::new(0, Arc::downgrade(&flush), &Background::default());
/// log.0.store(3, Ordering::Release);
/// let commit = commits.handle(0..3, false);
/// assert!(!commit.is_acknowledged());
/// commit.wait()?;
/// assert_eq!(commits.durable(), 3);
/// # Ok::<(), ondisk_engine::commit::CommitError>(())
/// ```
#[derive(Debug)]
pub struct GroupCommit {
    group: Arc<Group>,
}

impl GroupCommit {
    /// Records below `durable` are durable; `flush` makes others so. When what it refers to is gone, whoever waits is told
    /// [`CommitError::Closed`].
    #[must_use]
    pub fn new(durable: u64, flush: Weak<dyn Flush>, background: &Background) -> Self {
        let group = Arc::new_cyclic(|group: &Weak<Group>| {
            let group = Weak::clone(group);
            let task = background.task(move || {
                if let Some(group) = group.upgrade() {
                    group.run();
                }
            });
            Group::new(durable, flush, Box::new(move || task.wake()))
        });
        Self { group }
    }

    /// One past the last durable offset. It only rises, except by [`lower`](Self::lower) and
    /// [`restart`](Self::restart).
    #[must_use]
    pub fn durable(&self) -> u64 {
        self.group.durable()
    }

    /// The handle of records that were just appended; `acknowledged` when the log says so ahead of its flush, which makes
    /// it as cheap as the numbers in it.
    ///
    /// To be called while the records cannot be cut off yet, under the lock of the append: a handle stands for the records
    /// that have these offsets now.
    #[must_use]
    pub fn handle(&self, offsets: Range<u64>, acknowledged: bool) -> Commit {
        if acknowledged {
            Commit::acknowledged(offsets)
        } else {
            Commit::pending(offsets, Arc::clone(&self.group))
        }
    }

    /// Makes everything durable that was appended before the call: joins a flush that begins after it, or runs one. Returns
    /// the bound. Runs wakers, so no lock may be held that they could want.
    ///
    /// # Errors
    /// [`CommitError::SyncFailed`] when a sync failed, this one or an earlier one; [`CommitError::Closed`].
    pub fn flush(&self) -> Result<u64, CommitError> {
        self.group.flush()
    }

    /// Waits for the flush lock: while the guard lives no flush runs, so that the log can be cut or closed.
    #[must_use]
    pub fn exclusive(&self) -> Exclusive<'_> {
        self.group.exclusive()
    }

    /// Records below `to` are durable by a sync other than a flush: that of a seal. Nothing is published after a failed
    /// sync. May be called under any lock.
    pub fn raise(&self, to: u64) {
        self.group.raise(to);
    }

    /// The log was cut back to `to`: the bound is at most that, and whoever holds a handle of records that end
    /// above is told [`CommitError::Rewound`], also when other records are given their offsets. To be called under
    /// [`exclusive`](Self::exclusive), before anything is appended behind the cut. May be called under any lock.
    pub fn lower(&self, to: u64) {
        self.group.lower(to);
    }

    /// The log was emptied and goes on at `to`, which may lie anywhere: that is the bound, and whoever holds a handle of
    /// records of before is told [`CommitError::Rewound`], wherever they ended. To be called like [`lower`](Self::lower).
    pub fn restart(&self, to: u64) {
        self.group.restart(to);
    }

    /// A sync failed. For good: records that are not durable by now never will be, as far as anybody is told. May be called
    /// under any lock.
    pub fn poison(&self) {
        self.group.poison();
    }

    /// Whether a sync failed.
    #[must_use]
    pub fn is_poisoned(&self) -> bool {
        self.group.is_poisoned()
    }

    /// Nothing is flushed from now on, except what runs already: to be called under [`exclusive`](Self::exclusive), after
    /// its last flush. May be called under any lock.
    pub fn close(&self) {
        self.group.close();
    }
}
