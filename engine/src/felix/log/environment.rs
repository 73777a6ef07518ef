//! What several logs share.

use std::sync::Arc;

use super::read::Budget;
use crate::background::Background;
use crate::clock::{Clock, SystemClock};

/// The time, the threads and the limits that logs share; a store gives all of its logs the same.
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
