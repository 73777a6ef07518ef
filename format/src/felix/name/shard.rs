//! The name of a shard directory, as a listing finds it (Felix 2.3).

use core::fmt;

use super::{number, readable};

/// A name that is one of a shard directory: `<readable>_<shard>-<hash>`, with `-<incarnation>` or without.
///
/// The readable part tells a person what it is and nothing else; uniqueness rests on the hash.
/// [`ShardKey::owns`](super::ShardKey::owns) holds the whole name against a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardDirectory<'a> {
    name: &'a str,
    shard: u32,
    hash: u64,
    incarnation: u64,
}

impl<'a> ShardDirectory<'a> {
    /// Reads a name; none when it is foreign. Dotted names are never shards, nor is a shard number above `u32::MAX`.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        // The shard number follows a `_`, and no hexadecimal part has one: this tells both forms apart.
        Self::split(name, name, 0).or_else(|| {
            let (rest, incarnation) = name.rsplit_once('-')?;
            Self::split(name, rest, number::hex(incarnation)?)
        })
    }

    fn split(name: &'a str, rest: &str, incarnation: u64) -> Option<Self> {
        let (rest, hash) = rest.rsplit_once('-')?;
        let (readable, shard) = rest.rsplit_once('_')?;
        let hash = number::hex(hash)?;
        let digits = (1..=10).contains(&shard.len()) && number::all_digits(shard);
        if !digits || !readable::is_readable(readable) {
            return None;
        }
        Some(Self {
            name,
            shard: shard.parse().ok()?,
            hash,
            incarnation,
        })
    }

    /// The name itself.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.name
    }

    /// Number of the shard.
    #[must_use]
    pub fn shard(&self) -> u32 {
        self.shard
    }

    /// Hash over key and shard number.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Incarnation of the stream or cache, 0 for a name without one (Felix 2.4).
    #[must_use]
    pub fn incarnation(&self) -> u64 {
        self.incarnation
    }
}

impl fmt::Display for ShardDirectory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::ShardDirectory;

    #[test]
    fn names_of_shards() {
        for (name, shard, hash, incarnation) in [
            (
                "acme_default_orders_0-0d3aed4b998d2798",
                0,
                0x0d3a_ed4b_998d_2798,
                0,
            ),
            (
                "acme_default_orders_3-0d3af04b998d2cb1",
                3,
                0x0d3a_f04b_998d_2cb1,
                0,
            ),
            (
                "acme_default_orders_0-0d3aed4b998d2798-0006411a0ccf2e40",
                0,
                0x0d3a_ed4b_998d_2798,
                0x0006_411a_0ccf_2e40,
            ),
            ("______0-17d9c15239d081d5", 0, 0x17d9_c152_39d0_81d5, 0),
            (
                "x_4294967295-0af3aa091a25a2f4",
                u32::MAX,
                0x0af3_aa09_1a25_a2f4,
                0,
            ),
            // Hyphens and hexadecimal digits in the readable part.
            ("a-b_c-0000000000000000_d_1-00000000000000aa", 1, 0xaa, 0),
            (
                "a_1-0000000000000000_2-00000000000000bb-00000000000000cc",
                2,
                0xbb,
                0xcc,
            ),
            // What no writer makes, and a listing accepts.
            ("a_0000000001-00000000000000aa", 1, 0xaa, 0),
            ("a_1-00000000000000aa-0000000000000000", 1, 0xaa, 0),
        ] {
            let directory = ShardDirectory::parse(name).expect(name);
            assert_eq!(directory.as_str(), name);
            assert_eq!(
                (directory.shard(), directory.hash(), directory.incarnation()),
                (shard, hash, incarnation),
                "{name}"
            );
        }
    }

    #[test]
    fn foreign_names() {
        for name in [
            "",
            "-",
            "_",
            "orders",
            "caches",
            ".streams",
            ".deleted",
            "_0-0d3aed4b998d2798",
            "acme_default_orders_4294967296-0af3aa091a25a2f4",
            "acme_default_orders_9999999999-0af3aa091a25a2f4",
            "acme_default_orders_00000000000-0d3aed4b998d2798",
            "acme_default_orders_-0d3aed4b998d2798",
            "acme_default_orders_+1-0d3aed4b998d2798",
            "acme_default_orders-0d3aed4b998d2798",
            "acme_default_orders_0",
            "acme_default_orders_0-0d3aed4b998d279",
            "acme_default_orders_0-0d3aed4b998d27980",
            "acme_default_orders_0-0D3AED4B998D2798",
            "acme_default_orders_0-0d3aed4b998d2798-",
            "acme_default_orders_0-0d3aed4b998d2798-6411a0ccf2e40",
            "acme_default_orders_0-0d3aed4b998d2798-0006411a0ccf2e40-0006411a0ccf2e40",
            "acme_default_orders_0-0d3aed4b998d2798.compacting",
            "acme.default_orders_0-0d3aed4b998d2798",
            "acme/default_orders_0-0d3aed4b998d2798",
            "acmé_default_orders_0-0d3aed4b998d2798",
        ] {
            assert_eq!(ShardDirectory::parse(name), None, "{name}");
        }
    }
}
