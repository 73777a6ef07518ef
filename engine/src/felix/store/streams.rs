//! The streams and caches that were asked for since the start, and the logs that are open.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use ondisk::felix::StreamMarker;
use ondisk::felix::name::{self, ShardDirectory};

use super::family::Family;
use crate::felix::error::StorageError;
use crate::felix::log::{Bound, Log};

/// Streams by family and marker name.
#[derive(Debug, Default)]
pub(super) struct Streams(Mutex<HashMap<(Family, String), Arc<Stream>>>);

/// One stream. Opening its shards takes it for reading, so that they open side by side; changing its incarnation and
/// deleting it take it for writing, so that nothing of it opens meanwhile.
#[derive(Debug, Default)]
pub(super) struct Stream(RwLock<Held>);

/// What is held of a stream.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// As on the disk; none when that is not known.
    pub(super) marker: Option<StreamMarker>,
    /// A write of the marker may have failed: what the disk shows need not be on the device.
    pub(super) is_in_doubt: bool,
    logs: Mutex<BTreeMap<(name::Store, String), Arc<Slot>>>,
}

/// The place of one log.
#[derive(Debug, Default)]
pub(super) struct Slot(Mutex<Option<Log>>);

/// How a log ended.
#[derive(Debug)]
pub(super) enum End {
    /// All that was appended is on the device.
    Clean,
    /// It may not be.
    Unclean(StorageError),
}

impl Streams {
    /// The stream of this name.
    pub(super) fn stream(&self, family: Family, marker: &str) -> Arc<Stream> {
        let mut streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(streams.entry((family, marker.to_owned())).or_default())
    }

    /// All logs that were opened, closed ones too.
    pub(super) fn logs(&self) -> Vec<Log> {
        let streams: Vec<_> = {
            let streams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            streams.values().map(Arc::clone).collect()
        };
        streams
            .iter()
            .flat_map(|stream| stream.read().logs())
            .collect()
    }
}

impl Stream {
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Held> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// The marker is about to be written.
    pub(super) fn forget_marker(&mut self) {
        self.marker = None;
        self.is_in_doubt = true;
    }

    /// The marker was written, durably.
    pub(super) fn keep_marker(&mut self, marker: StreamMarker) {
        self.marker = Some(marker);
        self.is_in_doubt = false;
    }

    /// The place of the log in a directory.
    pub(super) fn slot(&self, store: name::Store, directory: String) -> Arc<Slot> {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(logs.entry((store, directory)).or_default())
    }

    /// Closes the logs of the incarnations that are `gone`, and forgets them.
    pub(super) fn close_logs(&mut self, gone: impl Fn(u64) -> bool) {
        let logs = self.logs.get_mut().unwrap_or_else(PoisonError::into_inner);
        logs.retain(|(_, directory), slot| {
            let incarnation = ShardDirectory::parse(directory).map(|name| name.incarnation());
            let stays = !incarnation.is_some_and(&gone);
            if !stays && let Some(log) = slot.lock().take() {
                // It is thrown away: what a close could not write does not matter.
                let _ = end(&log);
            }
            stays
        });
    }

    fn logs(&self) -> Vec<Log> {
        let slots: Vec<_> = {
            let logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
            logs.values().map(Arc::clone).collect()
        };
        slots
            .iter()
            .filter_map(|slot| slot.lock().clone())
            .collect()
    }
}

impl Slot {
    pub(super) fn lock(&self) -> MutexGuard<'_, Option<Log>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a log was closed by whoever has a handle of it.
pub(super) fn is_closed(log: &Log) -> bool {
    matches!(
        log.read(log.tail(), Bound::Tail),
        Err(StorageError::Closed { .. })
    )
}

/// Closes a log if it is still open, and tells how it ended.
pub(super) fn end(log: &Log) -> End {
    match log.close() {
        Ok(()) => End::Clean,
        Err(StorageError::Closed { .. }) => {
            // Whoever closed it was told how; what is left to see is whether it was flushed.
            if log.metrics().poisoned || log.durable() < log.tail() {
                End::Unclean(StorageError::SyncFailed)
            } else {
                End::Clean
            }
        }
        Err(error) => End::Unclean(error),
    }
}
