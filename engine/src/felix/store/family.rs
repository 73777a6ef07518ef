//! Which stores belong together (Felix 2.1).

use ondisk::Feature;
use ondisk::felix::{feature, name};

/// Stores that share their markers and their bin: what is deleted and created again as one.
///
/// ```
/// use ondisk::felix::name::Store;
/// use ondisk_engine::felix::store::Family;
///
/// assert_eq!(Family::of(Store::Counters), Family::Caches);
/// assert_eq!(Family::Caches.stores(), [Store::Caches, Store::Counters]);
/// assert_eq!(Family::Caches.feature().name, "cache_incarnations");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Streams, with their groups and dead letters.
    Streams,
    /// Caches, with their counters.
    Caches,
}

impl Family {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Streams, Self::Caches];

    /// The one that a store is of.
    #[must_use]
    pub const fn of(store: name::Store) -> Self {
        match store {
            name::Store::Streams | name::Store::Groups | name::Store::DeadLetters => Self::Streams,
            name::Store::Caches | name::Store::Counters => Self::Caches,
        }
    }

    /// Its stores.
    #[must_use]
    pub const fn stores(self) -> &'static [name::Store] {
        match self {
            Self::Streams => &[
                name::Store::Streams,
                name::Store::Groups,
                name::Store::DeadLetters,
            ],
            Self::Caches => &[name::Store::Caches, name::Store::Counters],
        }
    }

    /// The level that allows incarnations (Felix 15.2).
    #[must_use]
    pub const fn feature(self) -> Feature {
        match self {
            Self::Streams => feature::STREAM_INCARNATIONS,
            Self::Caches => feature::CACHE_INCARNATIONS,
        }
    }

    /// Path of its markers below the root.
    pub(super) const fn markers(self) -> &'static str {
        self.first().markers()
    }

    /// Path of its bin below the root.
    pub(super) const fn bin(self) -> &'static str {
        self.first().bin()
    }

    const fn first(self) -> name::Store {
        match self {
            Self::Streams => name::Store::Streams,
            Self::Caches => name::Store::Caches,
        }
    }
}
