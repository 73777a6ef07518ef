//! Names of files, directories and objects, read and written both ways.
//!
//! A [`StreamKey`] and a [`ShardKey`] say what data belongs to, and give the names of the directories and markers that
//! hold it. Those names are lossy: no key is read back from one, but a name can be held against a known key. Everything
//! else here is a name that carries all that it means, so it parses to a value and the value renders the same name.
//!
//! [`ShardEntry`] and [`StoreEntry`] classify whatever a directory listing brings. Every known name is ASCII; one that
//! is not UTF-8 is never ours.

mod bin;
mod components;
mod fnv;
mod identity;
mod key;
mod marker;
mod number;
mod object;
mod readable;
mod segment;
mod shard;
mod shard_entry;
mod sidecar;
mod store;

pub use bin::BinName;
pub use identity::IdentityFile;
pub use key::{ShardKey, StreamKey};
pub use marker::{MarkerEntry, MarkerName};
pub use object::{ObjectKey, is_node_id};
pub use segment::SegmentFile;
pub use shard::ShardDirectory;
pub use shard_entry::ShardEntry;
pub use sidecar::Sidecar;
pub use store::{Store, StoreEntry};
