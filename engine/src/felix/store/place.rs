//! Where a shard lies in a data directory.

use std::fmt;

use ondisk::felix::name::{self, ShardKey};

/// A shard of a store, in one of its incarnations. Displays as the label of its key.
///
/// ```
/// use ondisk::felix::name::{ShardKey, Store};
/// use ondisk_engine::felix::store::ShardPlace;
///
/// let key = ShardKey::new("acme", "default", "orders", 0);
/// let old = ShardPlace::new(Store::Streams, key);
/// let new = old.clone().of_incarnation(0x6411_a0cc_f2e4_0000);
/// assert_eq!(old.to_string(), new.to_string());
/// assert_ne!(old.directory_name(), new.directory_name());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardPlace {
    /// The store.
    pub store: name::Store,
    /// The key.
    pub key: ShardKey,
    /// The incarnation, 0 for what was created before there were any (Felix 2.4).
    pub incarnation: u64,
}

impl ShardPlace {
    /// A shard without an incarnation.
    #[must_use]
    pub const fn new(store: name::Store, key: ShardKey) -> Self {
        Self {
            store,
            key,
            incarnation: 0,
        }
    }

    /// The same in another incarnation.
    #[must_use]
    pub fn of_incarnation(mut self, incarnation: u64) -> Self {
        self.incarnation = incarnation;
        self
    }

    /// Name of its directory.
    #[must_use]
    pub fn directory_name(&self) -> String {
        self.key.directory_name(self.incarnation)
    }
}

impl fmt::Display for ShardPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}
