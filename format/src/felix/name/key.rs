//! Keys of streams and shards, and the names that follow from them.

use alloc::string::String;
use core::fmt;

use super::components::Components;
use super::marker::MarkerName;
use super::shard::ShardDirectory;

/// What a stream, a cache or a counter scope is called: a key of shards without the shard number.
///
/// Caches and counters have their name or scope in `stream`. Displays as the label `tenant/namespace/stream`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamKey {
    /// The tenant.
    pub tenant: String,
    /// The namespace within the tenant.
    pub namespace: String,
    /// The stream, cache or counter scope within the namespace.
    pub stream: String,
}

impl StreamKey {
    /// A key of these three components. Any text is one; a name keeps what it can of it.
    pub fn new(
        tenant: impl Into<String>,
        namespace: impl Into<String>,
        stream: impl Into<String>,
    ) -> Self {
        Self {
            tenant: tenant.into(),
            namespace: namespace.into(),
            stream: stream.into(),
        }
    }

    /// The key of one of its shards.
    #[must_use]
    pub fn shard(&self, shard: u32) -> ShardKey {
        ShardKey {
            tenant: self.tenant.clone(),
            namespace: self.namespace.clone(),
            stream: self.stream.clone(),
            shard,
        }
    }

    /// File name of its marker in `.streams/` (Felix 11.10).
    #[must_use]
    pub fn marker_name(&self) -> String {
        self.components().marker_name()
    }

    /// Whether `marker` is named as this key's is. One named otherwise is foreign.
    #[must_use]
    pub fn owns_marker(&self, marker: MarkerName<'_>) -> bool {
        self.marker_name() == marker.as_str()
    }

    /// Whether `directory` is one of its shards, of whatever number and incarnation: how the directories of a deleted
    /// stream are found, since no key is read back from a name (Felix 11.11).
    #[must_use]
    pub fn owns(&self, directory: ShardDirectory<'_>) -> bool {
        let name = self
            .components()
            .directory_name(directory.shard(), directory.incarnation());
        name == directory.as_str()
    }

    fn components(&self) -> Components<'_> {
        Components([&self.tenant, &self.namespace, &self.stream])
    }
}

impl fmt::Display for StreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.tenant, self.namespace, self.stream)
    }
}

/// The key of one shard (Felix 2.3). Displays as its label in errors, `tenant/namespace/stream/shard`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardKey {
    /// The tenant.
    pub tenant: String,
    /// The namespace within the tenant.
    pub namespace: String,
    /// The stream, cache or counter scope within the namespace.
    pub stream: String,
    /// Number of the shard.
    pub shard: u32,
}

impl ShardKey {
    /// A key of these components. Any text is one; a name keeps what it can of it.
    pub fn new(
        tenant: impl Into<String>,
        namespace: impl Into<String>,
        stream: impl Into<String>,
        shard: u32,
    ) -> Self {
        Self {
            tenant: tenant.into(),
            namespace: namespace.into(),
            stream: stream.into(),
            shard,
        }
    }

    /// The key without the shard number.
    #[must_use]
    pub fn stream_key(&self) -> StreamKey {
        StreamKey::new(
            self.tenant.as_str(),
            self.namespace.as_str(),
            self.stream.as_str(),
        )
    }

    /// Name of the shard's directory: at most 143 bytes, one path component, without a dot.
    ///
    /// An `incarnation` of 0 is that of a stream from before incarnations; it leaves no trace in the name.
    #[must_use]
    pub fn directory_name(&self, incarnation: u64) -> String {
        self.components().directory_name(self.shard, incarnation)
    }

    /// Whether `directory` is that of this shard, of whatever incarnation.
    #[must_use]
    pub fn owns(&self, directory: ShardDirectory<'_>) -> bool {
        self.directory_name(directory.incarnation()) == directory.as_str()
    }

    fn components(&self) -> Components<'_> {
        Components([&self.tenant, &self.namespace, &self.stream])
    }
}

impl fmt::Display for ShardKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}/{}/{}/{}",
            self.tenant, self.namespace, self.stream, self.shard
        )
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::{ShardKey, StreamKey};
    use crate::felix::name::{MarkerName, ShardDirectory};

    fn orders() -> StreamKey {
        StreamKey::new("acme", "default", "orders")
    }

    #[test]
    fn labels() {
        assert_eq!(orders().to_string(), "acme/default/orders");
        assert_eq!(
            ShardKey::new("acme", "default", "orders", 3).to_string(),
            "acme/default/orders/3"
        );
    }

    #[test]
    fn a_stream_and_its_shard_agree() {
        assert_eq!(
            orders().shard(3),
            ShardKey::new("acme", "default", "orders", 3)
        );
        assert_eq!(orders().shard(3).stream_key(), orders());
    }

    #[test]
    fn directories_of_a_key() {
        for incarnation in [0, 1, u64::MAX] {
            let name = orders().shard(7).directory_name(incarnation);
            let directory = ShardDirectory::parse(&name).unwrap();
            assert!(orders().owns(directory));
            assert!(orders().shard(7).owns(directory));
            assert!(!orders().shard(6).owns(directory));
            assert!(!StreamKey::new("acme", "default", "orders_").owns(directory));
        }
    }

    #[test]
    fn a_name_that_no_key_renders_belongs_to_none() {
        for name in [
            "acme_default_orders_00-0d3aed4b998d2798",
            "acme_default_orders_0-0d3aed4b998d2798-0000000000000000",
            "acme_default_orders_0-0d3aed4b998d2799",
            "other_default_orders_0-0d3aed4b998d2798",
        ] {
            assert!(
                !orders().owns(ShardDirectory::parse(name).unwrap()),
                "{name}"
            );
        }
    }

    #[test]
    fn markers_of_a_key() {
        let name = orders().marker_name();
        assert!(orders().owns_marker(MarkerName::parse(&name).unwrap()));
        let foreign = MarkerName::parse("acme_default_orders-5c1b0e2fd3a4b7c8").unwrap();
        assert!(!orders().owns_marker(foreign));
    }
}
