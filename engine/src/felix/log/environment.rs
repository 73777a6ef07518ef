//! What several logs share.

use std::sync::Arc;

use super::read::Budget;
use crate::background::Background;
use crate::clock::{Clock, SystemClock};

/// The time, the threads and the limits that logs share; a store gives all of its logs the same.
///
/// ```
/// use ondisk_engine::felix::log::{Config, Environment, Log};
///
/// # let place = tempfile::tempdir()?;
/// let shared = Environment::default();
/// let one = Log::open_with(place.path().join("one"), Config::default(), &shared)?;
/// let two = Log::open_with(place.path().join("two"), Config::default(), &shared)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Environment {
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Who flushes, rolls and trims when nobody waits for it.
    pub background: Background,
    /// Mappings and descriptors that readers may hold, over all logs.
    pub budget: Budget,
}

impl Default for Environment {
    /// The system's clock, threads of its own, and limits far below those of the system.
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            background: Background::default(),
            budget: Budget::default(),
        }
    }
}
