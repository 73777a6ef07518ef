//! A whole data directory that is written by processes that are killed.

mod known;
mod markers;
mod opened;
mod said;

pub use known::KnownRoot;
pub use said::{RootAct, RootSaid};

use ondisk::felix::name::{self, ShardKey, StreamKey};
use ondisk_engine::felix::store::ShardPlace;

use super::said::Place;

/// Number of streams.
pub const STREAMS: u64 = 3;

/// Number of shards of each.
pub const SHARDS: u32 = 2;

/// The key of a stream.
#[must_use]
pub fn stream_key(stream: u64) -> StreamKey {
    StreamKey::new("acme", "default", format!("stream-{stream}"))
}

impl Place {
    /// The key of the shard.
    #[must_use]
    pub fn key(self) -> ShardKey {
        stream_key(self.stream).shard(self.shard)
    }

    /// Where it lies.
    #[must_use]
    pub fn in_store(self) -> ShardPlace {
        ShardPlace::new(name::Store::Streams, self.key()).of_incarnation(self.incarnation)
    }
}
