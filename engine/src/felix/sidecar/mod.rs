//! The files beside the segments: what each says, and what its damage means (Felix 6, 11).
//!
//! | file | class | damaged, or no regular file |
//! |---|---|---|
//! | `replica`, `ballot`, `offload.manifest` | authoritative | the open fails |
//! | `durable.mark`, `epochs`, `producers`, `keys.idx` | derived | as if it were not there; the damage is kept for reports |
//!
//! An error of the system on an authoritative file is an error of the call; a derived file that cannot be read counts as
//! absent like any other damage to it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use ondisk::felix::{Ballot, Replica};
//! use ondisk_engine::disk::memory::MemoryDirectory;
//! use ondisk_engine::felix::shard::Shard;
//! use ondisk_engine::felix::sidecar::accepted::Accepted;
//! use ondisk_engine::felix::sidecar::{ballot, replica};
//!
//! let directory = Arc::new(MemoryDirectory::new("shard"));
//! let leader = "broker-1".to_owned();
//! // In this order: a crash in between leaves a ballot that is ahead.
//! ballot::store(&*directory, &Ballot { generation: 3, leader })?;
//! replica::store(&*directory, &Replica { reserved: 0, generation: 3, commit: 42 })?;
//!
//! let shard = Shard::look(directory, None)?;
//! let (replica, ballot) = (replica::load(&shard)?, ballot::load(&shard)?);
//! let accepted = Accepted::of(replica.sound(), ballot.sound());
//! assert_eq!((accepted.generation, accepted.commit), (3, 42));
//! assert_eq!(accepted.leader.as_deref(), Some("broker-1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accepted;
pub mod ballot;
pub mod epochs;
mod file;
pub mod keys;
mod loaded;
pub mod manifest;
pub mod mark;
pub mod producers;
pub mod replica;
pub mod store;

pub(crate) use file::{Look, read_file, small};
pub use loaded::Loaded;
