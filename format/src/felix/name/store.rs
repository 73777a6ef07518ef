//! The stores of a data directory, and what a name at the top of one is (Felix 2.1).

use super::identity::IdentityFile;
use super::shard::ShardDirectory;

/// A directory of shard directories. Streams lie at the root of the data directory itself, the others below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// The root: stream shards.
    Streams,
    /// `groups/`: consumer groups of streams.
    Groups,
    /// `dead-letters/`: dead letters of streams.
    DeadLetters,
    /// `caches/`.
    Caches,
    /// `counters/`.
    Counters,
}

impl Store {
    /// Every store.
    pub const ALL: [Self; 5] = [
        Self::Streams,
        Self::Groups,
        Self::DeadLetters,
        Self::Caches,
        Self::Counters,
    ];

    /// What it is called in the names of a bin: also its directory, but for the streams.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Streams => "streams",
            Self::Groups => "groups",
            Self::DeadLetters => "dead-letters",
            Self::Caches => "caches",
            Self::Counters => "counters",
        }
    }

    /// Reads what [`name`](Self::name) gives.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|store| store.name() == name)
    }

    /// Its directory below the root; none for the streams, which lie at the root.
    #[must_use]
    pub const fn directory(self) -> Option<&'static str> {
        match self {
            Self::Streams => None,
            store => Some(store.name()),
        }
    }

    /// Path below the root of the directory of its stream markers: caches and counters share one of their own.
    #[must_use]
    pub const fn markers(self) -> &'static str {
        match self {
            Self::Streams | Self::Groups | Self::DeadLetters => MARKERS,
            Self::Caches | Self::Counters => "caches/.streams",
        }
    }

    /// Path below the root of its bin: caches and counters share one of their own.
    #[must_use]
    pub const fn bin(self) -> &'static str {
        match self {
            Self::Streams | Self::Groups | Self::DeadLetters => BIN,
            Self::Caches | Self::Counters => "caches/.deleted",
        }
    }
}

const MARKERS: &str = ".streams";
const BIN: &str = ".deleted";

/// A name at the top of a store, classified. Whether it is a real directory or a regular file is for the reader to
/// find out; anything else under such a name is foreign all the same (Felix 1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreEntry<'a> {
    /// A shard directory.
    Shard(ShardDirectory<'a>),
    /// A directory that is a store of its own; at the root only.
    Store(Store),
    /// The directory of stream markers; at the root and in `caches/`.
    Markers,
    /// The bin; at the root and in `caches/`.
    Bin,
    /// A file of identity; at the root only.
    Identity(IdentityFile),
    /// What an unfinished write of a file of identity left.
    Temporary(IdentityFile),
    /// `<shard dir>.compacting`, left by an old build's compaction of a cache or counter shard (Felix 2.6).
    Compacting(ShardDirectory<'a>),
    /// `<shard dir>.retired`, likewise: the shard itself when its directory is missing.
    Retired(ShardDirectory<'a>),
    /// None of the above: reported, never changed.
    Foreign,
}

impl<'a> StoreEntry<'a> {
    /// Classifies a name at the top of `store`.
    #[must_use]
    pub fn of(store: Store, name: &'a str) -> Self {
        if let Some(shard) = ShardDirectory::parse(name) {
            return Self::Shard(shard);
        }
        let entry = match store {
            Store::Streams => Self::in_root(name),
            Store::Groups | Store::DeadLetters => None,
            Store::Caches => Self::housekeeping(name).or_else(|| Self::compaction(name)),
            Store::Counters => Self::compaction(name),
        };
        entry.unwrap_or(Self::Foreign)
    }

    fn in_root(name: &str) -> Option<Self> {
        Self::housekeeping(name)
            .or_else(|| IdentityFile::parse(name).map(Self::Identity))
            .or_else(|| IdentityFile::parse_temporary(name).map(Self::Temporary))
            .or_else(|| {
                Store::parse(name)
                    .filter(|&store| store != Store::Streams)
                    .map(Self::Store)
            })
    }

    fn housekeeping(name: &str) -> Option<Self> {
        match name {
            MARKERS => Some(Self::Markers),
            BIN => Some(Self::Bin),
            _ => None,
        }
    }

    fn compaction(name: &'a str) -> Option<Self> {
        let (shard, state) = name.split_once('.')?;
        let shard = ShardDirectory::parse(shard)?;
        match state {
            "compacting" => Some(Self::Compacting(shard)),
            "retired" => Some(Self::Retired(shard)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::{IdentityFile, ShardDirectory, Store, StoreEntry};

    const SHARD: &str = "acme_default_orders_0-0d3aed4b998d2798";

    fn shard() -> ShardDirectory<'static> {
        ShardDirectory::parse(SHARD).unwrap()
    }

    #[test]
    fn stores_by_name() {
        for store in Store::ALL {
            assert_eq!(Store::parse(store.name()), Some(store));
        }
        assert_eq!(Store::parse("Caches"), None);
        assert_eq!(
            Store::ALL.map(Store::directory),
            [
                None,
                Some("groups"),
                Some("dead-letters"),
                Some("caches"),
                Some("counters")
            ]
        );
    }

    #[test]
    fn caches_and_counters_have_a_bin_and_markers_of_their_own() {
        for store in Store::ALL {
            let own = matches!(store, Store::Caches | Store::Counters);
            assert_eq!(
                store.bin(),
                if own { "caches/.deleted" } else { ".deleted" }
            );
            assert_eq!(
                store.markers(),
                if own { "caches/.streams" } else { ".streams" }
            );
        }
    }

    #[test]
    fn shards_are_shards_everywhere() {
        for store in Store::ALL {
            assert_eq!(StoreEntry::of(store, SHARD), StoreEntry::Shard(shard()));
        }
    }

    #[test]
    fn other_entries_by_store() {
        let compacting = format!("{SHARD}.compacting");
        let retired = format!("{SHARD}.retired");
        let rows = [
            (
                "storage-id",
                Store::Streams,
                StoreEntry::Identity(IdentityFile::StorageId),
            ),
            (
                "node-id.tmp",
                Store::Streams,
                StoreEntry::Temporary(IdentityFile::NodeId),
            ),
            ("groups", Store::Streams, StoreEntry::Store(Store::Groups)),
            (
                "dead-letters",
                Store::Streams,
                StoreEntry::Store(Store::DeadLetters),
            ),
            ("caches", Store::Streams, StoreEntry::Store(Store::Caches)),
            (
                "counters",
                Store::Streams,
                StoreEntry::Store(Store::Counters),
            ),
            (".streams", Store::Streams, StoreEntry::Markers),
            (".streams", Store::Caches, StoreEntry::Markers),
            (".deleted", Store::Streams, StoreEntry::Bin),
            (".deleted", Store::Caches, StoreEntry::Bin),
            (&compacting, Store::Caches, StoreEntry::Compacting(shard())),
            (
                &compacting,
                Store::Counters,
                StoreEntry::Compacting(shard()),
            ),
            (&retired, Store::Caches, StoreEntry::Retired(shard())),
            (&retired, Store::Counters, StoreEntry::Retired(shard())),
        ];
        for (name, _, _) in rows {
            for store in Store::ALL {
                let known = rows.into_iter().find(|row| (row.0, row.1) == (name, store));
                let expected = known.map_or(StoreEntry::Foreign, |row| row.2);
                assert_eq!(StoreEntry::of(store, name), expected, "{name} in {store:?}");
            }
        }
    }

    #[test]
    fn foreign_names() {
        for name in [
            "",
            ".",
            "..",
            "streams",
            "lost+found",
            "storage-id.tmp.tmp",
            ".streams.tmp",
            "acme_default_orders_4294967296-0af3aa091a25a2f4",
            "acme_default_orders_0-0d3aed4b998d2798.retired.retired",
            "orders.compacting",
        ] {
            for store in Store::ALL {
                assert_eq!(
                    StoreEntry::of(store, name),
                    StoreEntry::Foreign,
                    "{name} in {store:?}"
                );
            }
        }
    }
}
