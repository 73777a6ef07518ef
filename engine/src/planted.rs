//! Mistakes that can be planted, to see that a test would catch them.
//!
//! Whoever trusts a proof wants to see it fail. With the feature `planted` one of these mistakes can be switched on for the
//! thread that is running; without it [`is`] is a constant and nothing of this is compiled in.

/// A mistake, each of them one that some storage system has shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// A roll does not sync the directory that got the new segment.
    RollWithoutDirectorySync,
    /// A commit is acknowledged ahead of its flush, whatever the mode.
    AcknowledgedBeforeFlush,
    /// A sidecar is renamed into place without a sync of its bytes.
    RenameWithoutSync,
    /// The durable mark is written ahead of the sync that it speaks of.
    MarkBeforeSync,
    /// A truncation cuts segments ahead of the manifest that names them.
    SegmentBeforeManifest,
    /// The entry of a new directory is not synced.
    NewDirectoryNotSynced,
    /// The durable bound stays where it was when records below it are cut off.
    BoundNotLowered,
    /// A vote is stored after the replica state that rests on it: power that goes in between leaves a generation that was
    /// accepted for nobody, where a raise is to be found whole or not at all.
    BallotAfterReplica,
    /// A failed sync is not remembered: the log stays usable, and the next sync that succeeds acknowledges what was lost.
    PoisonCleared,
    /// An open trusts the page cache, and does not write again what a failed sync may have lost.
    CacheTrusted,
    /// A truncation leaves the snapshot of the producers whose batches it cut off. It counts again once the log is as long
    /// as it was.
    SnapshotKept,
}

impl Planted {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::RollWithoutDirectorySync,
        Self::AcknowledgedBeforeFlush,
        Self::RenameWithoutSync,
        Self::MarkBeforeSync,
        Self::SegmentBeforeManifest,
        Self::NewDirectoryNotSynced,
        Self::BoundNotLowered,
        Self::BallotAfterReplica,
        Self::PoisonCleared,
        Self::CacheTrusted,
        Self::SnapshotKept,
    ];
}

#[cfg(feature = "planted")]
mod switched {
    use std::cell::Cell;

    use super::Planted;

    thread_local! {
        static PLANTED: Cell<Option<Planted>> = const { Cell::new(None) };
    }

    /// Plants a mistake for what `act` does on this thread.
    pub fn with<T>(planted: Planted, act: impl FnOnce() -> T) -> T {
        struct Restore(Option<Planted>);
        impl Drop for Restore {
            fn drop(&mut self) {
                PLANTED.set(self.0);
            }
        }
        let _restore = Restore(PLANTED.replace(Some(planted)));
        act()
    }

    /// Whether a mistake is planted on this thread.
    #[must_use]
    pub fn is(planted: Planted) -> bool {
        PLANTED.get() == Some(planted)
    }
}

#[cfg(feature = "planted")]
pub use switched::{is, with};

/// Whether a mistake is planted: never, in this build.
#[cfg(not(feature = "planted"))]
#[must_use]
pub const fn is(_planted: Planted) -> bool {
    false
}
