//! A disk in memory that does what a test says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};
use ondisk_engine::disk::memory::MemoryDirectory;

/// What becomes of a call, by what it is of.
type Rule = dyn FnMut(Call, &str) -> Verdict + Send;

/// A directory whose calls go as a rule says; without one they all succeed.
pub struct RuledDisk {
    pub directory: Arc<dyn Directory>,
    rule: Arc<Mutex<Option<Box<Rule>>>>,
}

impl RuledDisk {
    pub fn new() -> Self {
        let rule = Arc::new(Mutex::new(None));
        let asked = Arc::clone(&rule);
        let disk = Arc::new(MemoryDirectory::new("shard"));
        let directory = HookedDirectory::over(disk, move |call, name| {
            let mut rule: MutexGuard<'_, Option<Box<Rule>>> = locked(&asked);
            rule.as_mut().map_or(Verdict::Go, |rule| rule(call, name))
        });
        Self { directory, rule }
    }

    pub fn rule(&self, rule: impl FnMut(Call, &str) -> Verdict + Send + 'static) {
        *locked(&self.rule) = Some(Box::new(rule));
    }

    /// All calls succeed again.
    pub fn heal(&self) {
        *locked(&self.rule) = None;
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
