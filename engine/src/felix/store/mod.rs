//! A data directory: identity files, the shards below it, stream markers and bins (Felix 2.1, 11.8 to 11.11).
//!
//! [`Root::look`] reads and changes nothing. What a start would make of it, [`Root::category`] says.

mod identity;
mod layout;
mod root;
mod start;

pub use identity::{FileState, Identity};
pub use root::{Bin, FoundShard, Marker, Root};
pub use start::{StartCategory, StorageIdAtStart};
