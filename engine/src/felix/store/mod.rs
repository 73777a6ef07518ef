//! A data directory: identity files, the shards below it, stream markers and bins (Felix 2.1, 11.8 to 11.11).
//!
//! [`Root::look`] reads and changes nothing. What a start would make of it, [`Root::category`] says.
//!
//! [`Store::open`] is that start, and the handle of what is open:
//!
//! ```
//! use ondisk::felix::name::ShardKey;
//! use ondisk_engine::felix::log::Entry;
//! use ondisk_engine::felix::store::{Store, StoreConfig};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("data");
//! let store = Store::open(&path, StoreConfig::default())?;
//! let orders = store.shard(&ShardKey::new("acme", "default", "orders", 0))?;
//! orders.append(&[Entry::new(b"hello")])?.wait()?;
//! store.shutdown()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adopt;
mod begin;
mod bin;
mod config;
mod directories;
mod family;
mod handle;
mod identity;
mod keep;
mod layout;
mod leftovers;
mod marker;
mod place;
mod remover;
mod root;
mod shards;
mod shared;
mod start;
mod started;
mod streams;

pub use config::StoreConfig;
pub use family::Family;
pub use handle::Store;
pub use identity::{FileState, Identity};
pub use keep::new_storage_id;
pub use place::ShardPlace;
pub use root::{Bin, FoundShard, Marker, Root};
pub use start::{StartCategory, StorageIdAtStart};
pub use started::{Adopted, NewStorageId, ResumedDelete, Started};
