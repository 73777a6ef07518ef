//! Following a log as it grows.

use std::time::{Duration, Instant};

use super::record::Place;
use super::{Record, Records};
use crate::felix::error::StorageError;

/// Reads on and on: at the end of the log it waits, and is woken by whatever moves the bound.
///
/// A log of this process wakes it; one that another process writes is looked at every 20 milliseconds while it waits.
#[derive(Debug)]
pub struct Follow {
    records: Records,
}

impl Follow {
    pub(in crate::felix::log) fn new(records: Records) -> Self {
        Self { records }
    }

    /// Leaves generation starts out.
    #[must_use]
    pub fn without_generation_starts(mut self) -> Self {
        self.records = self.records.without_generation_starts();
        self
    }

    /// The offset of the next record.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.records.position()
    }

    /// The next record, for as long as it takes.
    ///
    /// # Errors
    /// Those of [`Records::next`]; [`StorageError::Closed`] ends it, and so does [`StorageError::SyncFailed`] once all that
    /// is durable of a poisoned log was handed out.
    #[expect(
        clippy::should_implement_trait,
        reason = "each record borrows from the follower"
    )]
    pub fn next(&mut self) -> Result<Record<'_>, StorageError> {
        loop {
            if let Some(place) = self.wait(None)? {
                return self.records.take(place);
            }
        }
    }

    /// The next record, if one comes within `time`.
    ///
    /// # Errors
    /// Those of [`next`](Self::next).
    pub fn next_timeout(&mut self, time: Duration) -> Result<Option<Record<'_>>, StorageError> {
        match self.wait(Some(time))? {
            Some(place) => self.records.take(place).map(Some),
            None => Ok(None),
        }
    }

    /// Where the next record lies, once there is one.
    fn wait(&mut self, time: Option<Duration>) -> Result<Option<Place>, StorageError> {
        let end = time.and_then(|time| Instant::now().checked_add(time));
        loop {
            if let Some(place) = self.records.ready()? {
                return Ok(Some(place));
            }
            let log = self.records.view();
            if log.is_poisoned() {
                return Err(StorageError::SyncFailed);
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            let pause = match log.refresh()? {
                Some(look_again) => Some(left.map_or(look_again, |left| left.min(look_again))),
                None => left,
            };
            let (bound, position, seen) = self.records.stands();
            log.signal().wait(pause, || {
                log.limit(bound) > position
                    || log.published().cuts.count() != seen
                    || log.is_poisoned()
                    || log.check().is_err()
            });
        }
    }
}
