//! How much of the system readers may hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Caps on mappings and descriptors, over all logs that share it. Beyond a cap nothing fails: segments are read by `pread`
/// and opened for as long as one reader is in them.
#[derive(Clone, Debug)]
pub struct Budget {
    counts: Arc<Counts>,
}

#[derive(Debug)]
struct Counts {
    mappings: Count,
    descriptors: Count,
}

#[derive(Debug)]
struct Count {
    now: AtomicUsize,
    most: usize,
}

/// One mapping or descriptor that is counted, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    counts: Arc<Counts>,
    is_mapping: bool,
}

impl Default for Budget {
    /// 16,384 mappings, a quarter of what Linux grants a process, and 256 descriptors.
    fn default() -> Self {
        Self::new(16_384, 256)
    }
}

impl Budget {
    /// At most so many mappings and descriptors for reading. What logs write to is not counted.
    #[must_use]
    pub fn new(mappings: usize, descriptors: usize) -> Self {
        let count = |most| Count {
            now: AtomicUsize::new(0),
            most,
        };
        Self {
            counts: Arc::new(Counts {
                mappings: count(mappings),
                descriptors: count(descriptors),
            }),
        }
    }

    /// Mappings and descriptors that are held now.
    #[must_use]
    pub fn held(&self) -> (usize, usize) {
        let now = |count: &Count| count.now.load(Ordering::Relaxed);
        (now(&self.counts.mappings), now(&self.counts.descriptors))
    }

    pub(super) fn mapping(&self) -> Option<Permit> {
        self.take(true)
    }

    pub(super) fn descriptor(&self) -> Option<Permit> {
        self.take(false)
    }

    fn take(&self, is_mapping: bool) -> Option<Permit> {
        let counts = Arc::clone(&self.counts);
        let count = counts.of(is_mapping);
        let below = |now: usize| (now < count.most).then_some(now + 1);
        let taken = count
            .now
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, below);
        taken.ok()?;
        Some(Permit { counts, is_mapping })
    }
}

impl Counts {
    fn of(&self, is_mapping: bool) -> &Count {
        if is_mapping {
            &self.mappings
        } else {
            &self.descriptors
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let count = self.counts.of(self.is_mapping);
        count.now.fetch_sub(1, Ordering::Relaxed);
    }
}
