//! A disk of which one operation fails, counted over a directory and its files.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ondisk_engine::disk::Directory;
use ondisk_engine::disk::hooked::{Call, HookedDirectory, Verdict};

/// Operations that change something are counted down; the one at 0 fails, as do all behind it. A write that fails may have
/// written some of its bytes.
pub(crate) struct Faulty {
    left: Arc<AtomicI64>,
    pub(crate) directory: Arc<dyn Directory>,
}

impl Faulty {
    pub(crate) fn after(operations: i64, inner: Arc<dyn Directory>) -> Self {
        let left = Arc::new(AtomicI64::new(operations));
        let counted = Arc::clone(&left);
        let directory = HookedDirectory::over(inner, move |call, _| {
            let counts = call.changes() && call != Call::Allocate;
            if counts && counted.fetch_sub(1, Ordering::Relaxed) <= 0 {
                return Verdict::HalfThenFail(io::ErrorKind::StorageFull.into());
            }
            Verdict::Go
        });
        Self { left, directory }
    }

    /// Whether it came to the failure.
    pub(crate) fn failed(&self) -> bool {
        self.left.load(Ordering::Relaxed) < 0
    }
}
