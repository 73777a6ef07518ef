//! Felix: shards of segments, sparse indexes and sidecars.
//!
//! Section numbers are those of the Felix specification.

pub mod copy;
pub mod error;
pub mod log;
pub mod mark;
pub mod opening;
pub mod producer;
pub mod projection;
pub mod reader;
pub mod recovery;
pub mod segment;
pub mod shard;
pub mod sidecar;
pub mod store;
