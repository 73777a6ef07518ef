//! What a data directory is opened with.

use crate::felix::log::{Config, Environment};

/// Settings of a [`Store`](super::Store). `StoreConfig::default()` opens one that works, outside a cluster.
///
/// ```
/// use ondisk_engine::felix::log::{Config, FsyncMode};
/// use ondisk_engine::felix::store::{Store, StoreConfig};
///
/// let config = StoreConfig {
///     log: Config {
///         fsync: FsyncMode::OnCommit,
///         ..Config::default()
///     },
///     control_plane_incarnation: Some(3),
///     ..StoreConfig::default()
/// };
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path();
/// let store = Store::open(path, config)?;
/// store.register(3)?;
/// store.shutdown()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StoreConfig {
    /// What every shard is opened with, the levels of features included. `key`, `kind` and `open_at` are those of the
    /// shard and not taken from here.
    pub log: Config,
    /// What the logs share.
    pub environment: Environment,
    /// The incarnation of this broker as the control plane says it now; none outside a cluster (Felix 11.8).
    pub control_plane_incarnation: Option<u64>,
    /// Takes over files whose layout is none of ours: each counts as absent, and is kept beside its place as
    /// `<name>.adopted-<n>` (Felix 11.8). Without this such a directory opens read-only.
    pub adopt: bool,
    /// Offload is on and no node id is configured, so that the file `node-id` matters (Felix 11.9).
    pub node_id_is_read: bool,
}
