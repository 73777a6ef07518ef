//! Names in `.streams/`: which incarnation of a stream is held (Felix 11.10).

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::fnv::Fnv1a;
use super::shard::ShardDirectory;
use super::{number, readable};

/// A name that has the shape of a stream marker's: `<readable>-<hash>`.
///
/// Whether a key really has it, [`StreamKey::owns_marker`](super::StreamKey::owns_marker) tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkerName<'a> {
    name: &'a str,
    hash: u64,
}

impl<'a> MarkerName<'a> {
    /// Reads a name; none when it is foreign.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        let (readable, hash) = name.rsplit_once('-')?;
        let hash = number::hex(hash)?;
        readable::is_readable(readable).then_some(Self { name, hash })
    }

    /// The name itself.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.name
    }

    /// Hash over the key, without a shard number.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether `directory` is a shard of the stream that has this marker, of whatever number and incarnation.
    ///
    /// Says the same as [`StreamKey::owns`](super::StreamKey::owns) without the key, which no name tells: the readable
    /// parts are those of the directory, and its hash is the one here, gone on with over the shard number.
    #[must_use]
    pub fn owns(&self, directory: ShardDirectory<'_>) -> bool {
        let mut hash = Fnv1a::after(self.hash);
        hash.write(&directory.shard().to_be_bytes());
        let Some((readable, _)) = self.name.rsplit_once('-') else {
            return false;
        };
        let mut name = format!("{readable}_{}-{:016x}", directory.shard(), hash.finish());
        if directory.incarnation() != 0 {
            name = format!("{name}-{:016x}", directory.incarnation());
        }
        name == directory.as_str()
    }

    /// The name under which it is written before it takes its own: `<marker>.tmp`.
    #[must_use]
    pub fn temporary(&self) -> String {
        [self.name, TEMPORARY].concat()
    }
}

impl fmt::Display for MarkerName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const TEMPORARY: &str = ".tmp";

/// What a name inside `.streams/` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerEntry<'a> {
    /// A marker.
    Marker(MarkerName<'a>),
    /// What an unfinished write of this marker left.
    Temporary(MarkerName<'a>),
    /// No name of ours: reported, never changed, never an error.
    Foreign,
}

impl<'a> MarkerEntry<'a> {
    /// Classifies a name.
    #[must_use]
    pub fn of(name: &'a str) -> Self {
        if let Some(marker) = MarkerName::parse(name) {
            return Self::Marker(marker);
        }
        let marker = name.strip_suffix(TEMPORARY).and_then(MarkerName::parse);
        marker.map_or(Self::Foreign, Self::Temporary)
    }
}

#[cfg(test)]
mod tests {
    use super::{MarkerEntry, MarkerName, ShardDirectory};
    use crate::felix::name::StreamKey;

    const ORDERS: &str = "acme_default_orders-fcb9248e5af0da18";

    #[test]
    fn a_marker_owns_what_its_key_owns() {
        let keys = [
            StreamKey::new("acme", "default", "orders"),
            StreamKey::new("acme", "default", "orders_"),
            StreamKey::new("", "", ""),
            StreamKey::new("a.b", "../x", "café_é"),
            StreamKey::new("acme", "default", "a".repeat(40)),
            StreamKey::new("acme", "default", "a".repeat(41)),
        ];
        for key in &keys {
            let marker = key.marker_name();
            let marker = MarkerName::parse(&marker).unwrap();
            for other in &keys {
                for (shard, incarnation) in [(0, 0), (3, 0), (u32::MAX, 0x0006_411a_0ccf_2e40)] {
                    let name = other.shard(shard).directory_name(incarnation);
                    let directory = ShardDirectory::parse(&name).unwrap();
                    assert_eq!(marker.owns(directory), key == other, "{marker} {name}");
                    assert_eq!(key.owns(directory), key == other, "{marker} {name}");
                }
            }
        }
        let orders = MarkerName::parse(ORDERS).unwrap();
        for near in [
            "acme_default_orders_00-0d3aed4b998d2798",
            "acme_default_orders_0-0d3aed4b998d2798-0000000000000000",
            "Acme_default_orders_0-0d3aed4b998d2798",
            "acme_default_orders_0-0d3aed4b998d2799",
        ] {
            assert!(!orders.owns(ShardDirectory::parse(near).unwrap()), "{near}");
        }
    }

    #[test]
    fn entries() {
        let marker = MarkerName::parse(ORDERS).unwrap();
        assert_eq!(
            (marker.as_str(), marker.hash()),
            (ORDERS, 0xfcb9_248e_5af0_da18)
        );
        assert_eq!(MarkerEntry::of(ORDERS), MarkerEntry::Marker(marker));
        assert_eq!(
            MarkerEntry::of(&marker.temporary()),
            MarkerEntry::Temporary(marker)
        );
    }

    #[test]
    fn foreign_names() {
        for name in [
            "",
            "-fcb9248e5af0da18",
            "acme_default_orders",
            "acme_default_orders-fcb9248e5af0da1",
            "acme_default_orders-FCB9248E5AF0DA18",
            "acme.default_orders-fcb9248e5af0da18",
            "acme_default_orders-fcb9248e5af0da18.",
            "acme_default_orders-fcb9248e5af0da18.tmp.tmp",
            ".tmp",
        ] {
            assert_eq!(MarkerEntry::of(name), MarkerEntry::Foreign, "{name}");
        }
    }
}
