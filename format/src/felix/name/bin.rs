//! Names in the bin, where the directories of a deleted stream wait for their removal (Felix 11.11).

use core::fmt;

use super::number;
use super::shard::ShardDirectory;
use super::store::Store;

/// A directory in a bin: `<store>.<shard dir>.<number>`. Displays as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BinName<'a> {
    /// Where the directory lay.
    pub store: Store,
    /// What it was called there.
    pub shard: ShardDirectory<'a>,
    /// The smallest number that was free.
    pub number: u64,
}

impl<'a> BinName<'a> {
    /// Reads a name; none when it is foreign.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        let mut parts = name.split('.');
        let store = Store::parse(parts.next()?)?;
        let shard = ShardDirectory::parse(parts.next()?)?;
        let number = number::plain(parts.next()?)?;
        parts.next().is_none().then_some(Self {
            store,
            shard,
            number,
        })
    }
}

impl fmt::Display for BinName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.store.name(), self.shard, self.number)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::{BinName, ShardDirectory, Store};

    const SHARD: &str = "acme_default_gone_0-e2bfbfdc5da51cd0-0006411a0ccf2c4c";

    #[test]
    fn both_ways() {
        let shard = ShardDirectory::parse(SHARD).unwrap();
        for store in Store::ALL {
            for number in [0, 10, u64::MAX] {
                let name = BinName {
                    store,
                    shard,
                    number,
                };
                assert_eq!(BinName::parse(&name.to_string()), Some(name));
            }
        }
        let first = BinName {
            store: Store::DeadLetters,
            shard,
            number: 0,
        };
        assert_eq!(
            first.to_string(),
            "dead-letters.acme_default_gone_0-e2bfbfdc5da51cd0-0006411a0ccf2c4c.0"
        );
    }

    #[test]
    fn foreign_names() {
        for name in [
            "",
            "streams",
            "streams.acme_default_gone_0-e2bfbfdc5da51cd0",
            "streams.acme_default_gone_0-e2bfbfdc5da51cd0.",
            "streams.acme_default_gone_0-e2bfbfdc5da51cd0.00",
            "streams.acme_default_gone_0-e2bfbfdc5da51cd0.0.0",
            "acme_default_gone_0-e2bfbfdc5da51cd0.0",
            "orders.acme_default_gone_0-e2bfbfdc5da51cd0.0",
            "streams.gone.0",
        ] {
            assert_eq!(BinName::parse(name), None, "{name}");
        }
    }
}
