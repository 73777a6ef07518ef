//! Copying shards and data directories, live ones too.

mod identity;

pub use identity::new_storage_id;
