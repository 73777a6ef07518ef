//! Keys of offloaded segments in the object store (Felix 11.6, 11.9).

use core::fmt;

use super::number;
use super::shard::ShardDirectory;

/// The key under which a segment is offloaded: `<node id>/<shard dir>/<base>-<id>.segment`, both numbers in 20 digits.
/// Displays as the key.
///
/// The manifest keeps each key, and it is used as it stands there, whatever it looks like: a key is made once and
/// never made again to find an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey<'a> {
    /// The node that offloaded it, for which [`is_node_id`] holds. None in keys of older builds.
    pub node: Option<&'a str>,
    /// Directory of the shard.
    pub shard: ShardDirectory<'a>,
    /// Offset of the segment's first record.
    pub base_offset: u64,
    /// Id of the segment.
    pub segment: u64,
}

impl<'a> ObjectKey<'a> {
    /// Reads a key; none when it has neither the form that is written nor the older one without a node.
    #[must_use]
    pub fn parse(key: &'a str) -> Option<Self> {
        let (directory, file) = key.rsplit_once('/')?;
        let (node, shard) = match directory.split_once('/') {
            Some((node, shard)) => (Some(node), shard),
            None => (None, directory),
        };
        if !node.is_none_or(is_node_id) {
            return None;
        }
        let shard = ShardDirectory::parse(shard)?;
        let (base_offset, segment) = file.strip_suffix(".segment")?.split_once('-')?;
        Some(Self {
            node,
            shard,
            base_offset: number::id(base_offset)?,
            segment: number::id(segment)?,
        })
    }
}

impl fmt::Display for ObjectKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = self.node {
            write!(f, "{node}/")?;
        }
        write!(
            f,
            "{}/{:020}-{:020}.segment",
            self.shard, self.base_offset, self.segment
        )
    }
}

/// Whether `text` may be a node id: 1 to 255 of `A` to `Z`, `a` to `z`, `0` to `9`, `.`, `_` and `-`, the first no
/// dot. So it is one path component that is neither hidden nor leads elsewhere (Felix 11.9).
#[must_use]
pub fn is_node_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=255).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::{ObjectKey, ShardDirectory, is_node_id};

    const SHARD: &str = "acme_default_orders_0-0d3aed4b998d2798";

    /// V-MAN-KEY, and the older form.
    #[test]
    fn both_ways() {
        let shard = ShardDirectory::parse(SHARD).unwrap();
        for (text, node) in [
            (
                "node-1/acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002.segment",
                Some("node-1"),
            ),
            (
                "acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002.segment",
                None,
            ),
        ] {
            let key = ObjectKey {
                node,
                shard,
                base_offset: 100,
                segment: 2,
            };
            assert_eq!(key.to_string(), text);
            assert_eq!(ObjectKey::parse(text), Some(key));
        }
    }

    #[test]
    fn length_of_the_vector() {
        let shard = ShardDirectory::parse(SHARD).unwrap();
        let key = ObjectKey {
            node: Some("node-1"),
            shard,
            base_offset: 100,
            segment: 2,
        };
        assert_eq!(key.to_string().len(), 95);
    }

    #[test]
    fn other_keys() {
        for key in [
            "",
            "/",
            "n/d/x",
            "00000000000000000100-00000000000000000002.segment",
            "orders/00000000000000000100-00000000000000000002.segment",
            "acme_default_orders_0-0d3aed4b998d2798/100-2.segment",
            "acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002",
            "acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-18446744073709551616.segment",
            "/acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002.segment",
            "../acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002.segment",
            "a/b/acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002.segment",
            "node-1/acme_default_orders_0-0d3aed4b998d2798/00000000000000000100-00000000000000000002.segment/",
        ] {
            assert_eq!(ObjectKey::parse(key), None, "{key}");
        }
    }

    #[test]
    fn node_ids() {
        let longest = "n".repeat(255);
        for id in [
            "n",
            "node-000102030405060708090a0b0c0d0e0f",
            "Broker_1.example",
            "-",
            "_",
            "a..b",
            &longest,
        ] {
            assert!(is_node_id(id), "{id}");
        }
        let too_long = "n".repeat(256);
        for id in [
            "", ".", "..", ".hidden", "a/b", "a b", "a\n", "é", "a\0", &too_long,
        ] {
            assert!(!is_node_id(id), "{id:?}");
        }
    }
}
