//! What reading needs of a log, be it one that is written here or one that is only looked at.

use std::fmt;
use std::sync::Arc;

use super::{Bound, Opener, Signal};
use crate::felix::error::StorageError;
use crate::felix::log::published::Published;

/// A log to read from.
pub(in crate::felix::log) trait View: fmt::Debug + Send + Sync {
    /// Its name in errors.
    fn label(&self) -> &str;

    /// Its segments and bounds.
    fn published(&self) -> &Arc<Published>;

    /// How its segments are opened.
    fn opener(&self) -> &Opener;

    /// One past the newest record that may be read under `bound`.
    fn limit(&self, bound: Bound) -> u64;

    /// Refuses to go on once the log is closed.
    fn check(&self) -> Result<(), StorageError>;

    /// Whether a failed sync ended all writing, so that nothing more will come.
    fn is_poisoned(&self) -> bool;

    /// What is told of every change.
    fn signal(&self) -> &Signal;

    /// Looks whether the log went on where nobody tells; how soon to look again, if that is so.
    fn refresh(&self) -> Result<Option<std::time::Duration>, StorageError>;

    /// Looks whether the records that were seen are still there, where nobody tells that they were cut off.
    fn look_back(&self) -> Result<(), StorageError>;
}
